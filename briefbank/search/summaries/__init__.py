"""Summaries of passages by the local language model: what it is given, what it wrote, and what of that may be shown."""
