"""Checklists: questions that are put to one document after the other, each answered with its own words or "Not found".

`checklist` is what a list holds and its file, `run` finds the answers, `presence` says how likely a document has one,
`by_model` lets a language model choose the sentences, `report` writes a Word document or a table; the lists that come
with the program are in `lists/`.
"""
