"""How well annotated clauses are found inside documents, by questions, profiles or checklists.

`annotations` reads them and places each in its document, `metrics` scores, `run` does the whole, `fit` makes profiles
and checklists out of them.
"""
