"""How people are told of files: of those that failed or are copies, of files and folders that could not be looked at,
and of rows of sidecar tables that name no file.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterable, Mapping
from pathlib import Path

from briefbank.errors import ChangingFileError, SourceError
from briefbank.ingest.discover import Unlisted
from briefbank.ingest.intake import pages_given_up, parts_unread
from briefbank.ingest.ledger import LedgerEntry, below
from briefbank.ingest.sidecar import SIDECAR_NAME
from briefbank.values.state import Failure
from briefbank.values.unreadable import (
    CITATIONS_NOT_READ,
    NOT_LISTED,
    PAGES_MISSING,
    PARTS_MISSING,
    UnreadableFile,
    UnreadableFiles,
)


def failure_of(entry: LedgerEntry) -> Failure:
    """Return a failed entry as people are told of it."""
    return Failure(entry.path, entry.error_code or "", entry.error or "", entry.advice or "")


def unreadable_in(
    entries: Collection[LedgerEntry], not_listed: Iterable[UnreadableFile], not_cited: Container[str]
) -> UnreadableFiles:
    """Return the files that an index made of these entries lacks, with what could not even be looked at, and those
    whose citations could not be read (`not_cited`, by SHA-256).
    """
    failed = [UnreadableFile(each.path, each.error_code) for each in entries if each.error_code is not None]
    partly = [
        UnreadableFile(each.path, PAGES_MISSING, pages)
        for each in entries
        if not each.is_failed and (pages := pages_given_up(each.note))
    ]
    partly += [
        UnreadableFile(each.path, CITATIONS_NOT_READ)
        for each in entries
        if not each.is_failed and each.sha256 in not_cited and not pages_given_up(each.note)
    ]
    partly += [
        UnreadableFile(each.path, PARTS_MISSING, parts)
        for each in entries
        if not each.is_failed and (parts := parts_unread(each.note))
    ]
    known = {each.path for each in entries}
    unseen = [each for each in not_listed if each.path not in known]
    files = sorted((*failed, *partly, *unseen), key=lambda each: each.path)
    return UnreadableFiles(len(entries) + len(unseen), tuple(files))


def not_cited(path: str, error: SourceError) -> Failure:
    """Return a file whose citations could not be read anew as people are told of it."""
    message = f"Its citations could not be read anew; the index keeps those of before, if it had any. {error.message}"
    return Failure(path, CITATIONS_NOT_READ, message, "Run the same command again, which tries it once more.")


def not_listed(found: Iterable[Unlisted]) -> list[UnreadableFile]:
    """Return what could not be looked at, but for files that were just being written."""
    lasting = [each for each in found if not isinstance(each.error, ChangingFileError)]
    return [
        UnreadableFile(
            os.fsencode(each.path).decode(errors="replace"),  # a name may be no UTF-8
            NOT_LISTED if each.error.code == SourceError.code else each.error.code,
        )
        for each in lasting
    ]


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
