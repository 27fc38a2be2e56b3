"""Feedback handed on: as a judged collection, a table or events, anonymised where asked; and its figures."""
