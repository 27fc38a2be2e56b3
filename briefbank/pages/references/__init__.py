"""What leads from one place of a document to another: its headings, and the references of its text to points, notes,
pages and defined terms. Works on passages alone, of a bank or of a draft; must not know pages as drawn, nor queries.
"""
