"""Compares a folder with the ledger: which files are new, changed, unchanged, failed before, or gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from briefbank.errors import (
    ConverterMissingError,
    OcrMissingError,
    OutsideFolderError,
    ReaderKilledError,
    SourceError,
    UnsupportedFileError,
)
from briefbank.ingest.discover import FolderIdentity, SourceFile, Unlisted, discover
from briefbank.ingest.ledger import LedgerEntry
from briefbank.ingest.readers import refusal
from briefbank.ingest.sidecar import Table
from briefbank.platform.windows.names import openable

NOT_OF_THE_FILE = frozenset({OcrMissingError.code, SourceError.code, ReaderKilledError.code})
"""Failures that say nothing of what a file holds: its earlier text is kept, and the next run tries again."""
_WORTH_RETRYING = NOT_OF_THE_FILE | {OutsideFolderError.code}
"""What the next run tries again. A link that leads out of the folder may be replaced without a change of size or time,
but what was indexed through it does not stay.
"""
_BECOME_READABLE = frozenset({UnsupportedFileError.code, ConverterMissingError.code})
_MANY_GONE = 10
"""Missing files from which on more missing than found means a share that is not whole, rather than a tidied one."""


@dataclass(slots=True)
class IndexPlan:
    """What a run has to do. `to_read` are new or changed files; `unchanged` keep their entries."""

    to_read: list[SourceFile] = field(default_factory=list)
    unchanged: list[LedgerEntry] = field(default_factory=list)
    refused: list[tuple[SourceFile, SourceError]] = field(default_factory=list)
    unlisted: list[Unlisted] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)


def make_plan(
    folder: Path,
    suffixes: frozenset[str],
    known: Mapping[str, LedgerEntry],
    is_cached: Callable[[str], bool],
    *,
    retry_failed: bool,
    remove_missing: bool,
) -> IndexPlan:
    """Look at every file's size and time. `known` are the ledger's entries below `folder`.

    Raises:
        SourceError: the folder is missing, is empty, went away meanwhile, or holds only a few of the files that were
            indexed from it before.
    """
    plan = IndexPlan()
    identity = FolderIdentity(folder)
    seen: set[str] = set()
    for file in discover(folder, suffixes):
        if isinstance(file, Unlisted):
            plan.unlisted.append(file)
            continue
        if isinstance(file, Table):
            plan.tables.append(file)
            continue
        path = str(file.path)
        seen.add(path)
        entry = known.get(path)
        if file.refusal:
            plan.refused.append((file, file.refusal))
        elif entry is not None and _still_holds(entry, file, is_cached, retry_failed=retry_failed):
            plan.unchanged.append(entry)
        elif not file.supported:
            plan.refused.append((file, refusal(file.path)))
        else:
            plan.to_read.append(file)
    # A share that went during the walk leaves an empty folder, which would look like everything had been deleted.
    identity.require_same()
    unlisted = {each.path for each in plan.unlisted}
    missing = [path for path in known if path not in seen]
    # Nothing is known of what lies below a folder that could not be listed: it keeps its entries.
    plan.gone = [path for path in missing if unlisted.isdisjoint((Path(path), *Path(path).parents))]
    if not remove_missing:
        _refuse_emptied(folder, len(seen), plan)
    return plan


def files_again(entries: Iterable[LedgerEntry], folder: Path) -> list[SourceFile]:
    """Return files that were indexed earlier, from `folder` or another, as they are now, to be read once more.

    Raises:
        SourceError: one is not there.
    """
    files = []
    for entry in entries:
        path = Path(entry.path)
        try:
            stat = openable(path).stat()
        except OSError as error:
            advice = "Connect the share that holds it and run again; the bank still searches as before."
            message = f"{path}, indexed earlier, must be read again but is not there."
            raise SourceError(message, advice) from error
        # Which other folder it was indexed from is not kept; its own is within that one.
        within = folder if path.is_relative_to(folder) else path.parent
        files.append(SourceFile(path, stat.st_size, stat.st_mtime_ns, supported=True, folder=within))
    return files


def _refuse_emptied(folder: Path, found: int, plan: IndexPlan) -> None:
    gone = len(plan.gone)
    if not found and gone:
        message = f"{folder} is empty, but held {_files(gone)} when it was indexed before."
    elif not found and not plan.unlisted:
        message = f"{folder} holds no files to index."
    elif gone >= _MANY_GONE and gone > found:
        message = f"{folder} holds {_files(found)}, but {gone} others that were indexed from it before are missing."
    else:
        return
    advice = "Check that the share is connected. If it is really meant to be like that, add --remove-missing."
    raise SourceError(message, advice)


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _still_holds(entry: LedgerEntry, file: SourceFile, is_cached: Callable[[str], bool], *, retry_failed: bool) -> bool:
    if (entry.size_bytes, entry.mtime_ns) != (file.size_bytes, file.mtime_ns):
        return False
    if entry.is_failed:
        became_readable = entry.error_code in _BECOME_READABLE and file.supported
        return not retry_failed and not became_readable and entry.error_code not in _WORTH_RETRYING
    return entry.sha256 is not None and is_cached(entry.sha256)
