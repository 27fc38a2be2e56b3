"""Legal citations in briefs: found, normalised, and their short forms resolved within each document.

Functions over text and spans, with tables of reporters and patterns read from files. Must not know passages' ids,
indexes or queries' ranking.
"""

from __future__ import annotations

from briefbank.law.citations.citation import (
    Authority,
    AuthorityKind,
    Citation,
    CitationKind,
    DocumentCitations,
    PassageText,
)
from briefbank.law.citations.document import ShortForm, cite_document, short_forms_in
from briefbank.law.citations.patterns import Pattern, PatternSet, load_patterns
from briefbank.law.citations.query import QueryCitation, citations_in_query

CITATIONS_VERSION = 11
"""Raised when a change here alters what is found; documents are then searched for citations again."""

__all__ = [
    "CITATIONS_VERSION",
    "Authority",
    "AuthorityKind",
    "Citation",
    "CitationKind",
    "DocumentCitations",
    "PassageText",
    "Pattern",
    "PatternSet",
    "QueryCitation",
    "ShortForm",
    "citations_in_query",
    "cite_document",
    "load_patterns",
    "short_forms_in",
]
