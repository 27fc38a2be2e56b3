"""How well annotated clauses are found inside documents, by questions, profiles or checklists.

`collection` reads annotations, `folder` indexes the documents and places each clause in them, `metrics` scores, `run`
does the whole, `mine` makes profiles out of annotations.
"""
