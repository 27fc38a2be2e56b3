"""Which files are read, by the endings of their names. Knows no reader, so that the window can offer them too."""

from __future__ import annotations

MAIL_SUFFIXES = frozenset({".eml", ".msg"})
OFFICE_SUFFIXES = frozenset({".doc", ".wpd", ".rtf", ".odt"})
"""Those that LibreOffice turns into DOCX, where it is installed."""
SUPPORTED_SUFFIXES = frozenset({".pdf", ".docx", ".txt", ".md"}) | MAIL_SUFFIXES | OFFICE_SUFFIXES
