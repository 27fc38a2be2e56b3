"""Exact law: finds citations, rules and statutes in text, normalises them and resolves their short forms."""
