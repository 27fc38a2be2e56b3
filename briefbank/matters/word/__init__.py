"""A matter as a Word document: `export.py` writes it, the table of authorities and the footnotes stand beside it."""
