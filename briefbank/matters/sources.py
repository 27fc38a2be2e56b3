"""How the source of a collected passage is written. Knows items and formats of sources alone."""

from __future__ import annotations

from datetime import date

from briefbank.matters.items import PassageItem
from briefbank.values.source_format import Source, SourceFormat


def source_line(item: PassageItem, source_format: SourceFormat) -> str:
    """Return the source of a passage as it is written."""
    filed = date.fromisoformat(item.filed) if item.filed else None
    source = Source(item.title, item.court, item.docket, filed, item.pages, item.kind, item.author)
    return source_format.line(source)
