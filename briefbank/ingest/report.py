"""How people are told of files: of those that failed, of folders that could not be listed, of copies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from briefbank.ingest.discover import Unlisted
from briefbank.ingest.ledger import LedgerEntry, below
from briefbank.reports import Failure


def failure_of(entry: LedgerEntry) -> Failure:
    """Return a failed entry as people are told of it."""
    return Failure(entry.path, entry.error_code or "", entry.error or "", entry.advice or "")


def copies_in(entries: Mapping[str, LedgerEntry], folder: Path) -> int:
    """How many files of the folder are the same as one that comes before them by name, here or in another folder."""
    read = [entry for entry in entries.values() if entry.sha256 and not entry.is_failed]
    standing = {entry.sha256: entry.path for entry in reversed(read)}
    here = below({entry.path: entry for entry in read}, folder)
    return sum(standing[entry.sha256] != path for path, entry in here.items())


def failure_to_list(found: Unlisted) -> Failure:
    """Return a folder that could not be listed as people are told of it."""
    return Failure(str(found.path), found.error.code, found.error.message, found.error.advice)
