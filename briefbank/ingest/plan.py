"""Compares a folder with the ledger: which files are new, changed, unchanged, failed before, or gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from briefbank.errors import SourceError, UnsupportedFileError
from briefbank.ingest.discover import SourceFile, discover
from briefbank.ingest.ledger import LedgerEntry

_WORTH_RETRYING = frozenset({"ocr-missing", "unreadable"})
"""Failures that the file itself has no part in."""


@dataclass(slots=True)
class Plan:
    """What a run has to do. `to_read` are new or changed files; `unchanged` keep their entries."""

    to_read: list[SourceFile] = field(default_factory=list)
    unchanged: list[LedgerEntry] = field(default_factory=list)
    refused: list[tuple[SourceFile, SourceError]] = field(default_factory=list)
    unlisted: list[SourceError] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def make_plan(
    folder: Path,
    suffixes: frozenset[str],
    known: Mapping[str, LedgerEntry],
    is_cached: Callable[[str], bool],
    *,
    retry_failed: bool,
    remove_missing: bool,
) -> Plan:
    """Look at every file's size and time. `known` are the ledger's entries below `folder`.

    Raises:
        SourceError: the folder is missing, or holds nothing although files were indexed from it before.
    """
    plan = Plan()
    seen: set[str] = set()
    for file in discover(folder, suffixes):
        if isinstance(file, SourceError):
            plan.unlisted.append(file)
            continue
        path = str(file.path)
        seen.add(path)
        entry = known.get(path)
        if entry is not None and _still_holds(entry, file, is_cached, retry_failed=retry_failed):
            plan.unchanged.append(entry)
        elif not file.supported:
            kind = file.path.suffix or "a file without an ending"
            advice = f"Formats read are {', '.join(sorted(suffixes))}. Save it as one of these, or leave it."
            plan.refused.append((file, UnsupportedFileError(f"Files of this kind ({kind}) are not read.", advice)))
        else:
            plan.to_read.append(file)
    if not plan.unlisted:  # what an unreadable subfolder holds is not gone
        plan.gone = [path for path in known if path not in seen]
    if not seen and plan.gone and not remove_missing:
        advice = "Check that the share is connected. If the folder is really empty now, add --remove-missing."
        raise SourceError(f"{folder} is empty, but {len(plan.gone)} files were indexed from it before.", advice)
    return plan


def _still_holds(entry: LedgerEntry, file: SourceFile, is_cached: Callable[[str], bool], *, retry_failed: bool) -> bool:
    if (entry.size_bytes, entry.mtime_ns) != (file.size_bytes, file.mtime_ns):
        return False
    if entry.is_failed:
        became_readable = entry.error_code == UnsupportedFileError.code and file.supported
        return not retry_failed and not became_readable and entry.error_code not in _WORTH_RETRYING
    return entry.sha256 is not None and is_cached(entry.sha256)
