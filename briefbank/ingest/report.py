"""How people are told of files: of those that failed or are copies, of files and folders that could not be looked at,
and of rows of sidecar tables that name no file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from briefbank.ingest.discover import Unlisted
from briefbank.ingest.ledger import LedgerEntry, below
from briefbank.ingest.sidecar import SIDECAR_NAME
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


def failure_to_look(found: Unlisted) -> Failure:
    """Return a file or folder that could not be looked at as people are told of it."""
    return Failure(str(found.path), found.error.code, found.error.message, found.error.advice)


def unused_rows(named: Iterable[str], known: Collection[str], out_of_reach: Iterable[str]) -> list[tuple[str, str]]:
    """Return a note for each path that a sidecar names and that no run will find, as (path, note).

    `known` are the paths of the ledger. Of what is `out_of_reach` just now (files that are being written, what could
    not be looked at), and of all below it, nothing is said.
    """
    unseen = {Path(path) for path in out_of_reach}
    return [
        (path, f"A {SIDECAR_NAME} names this file, but it is not there, or is none that is read. Mend the row.")
        for path in named
        if path not in known and unseen.isdisjoint((Path(path), *Path(path).parents))
    ]
