"""Finds what is wrong with a bank: digests, counts, cross-references, databases, and what was left behind.

Only reads, but for sealing a bank that was found sound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from briefbank.errors import BankDamagedError, BankInUseError, BankMissingError, BriefBankError, ModelError
from briefbank.index.generation import Generation, verify_generation
from briefbank.index.manifest import MANIFEST_NAME, Finding, find_damage, read_info
from briefbank.index.notes import DocumentNotes
from briefbank.index.publish import live_generation, unfinished
from briefbank.ingest.annotate import notes_key
from briefbank.ingest.cache import stored
from briefbank.ingest.ledger import Ledger, LedgerEntry
from briefbank.law.authority_list import AuthorityList
from briefbank.models.encoders import substitute_with
from briefbank.models.encoders.onnx import read_card
from briefbank.office.provenance import is_installed, list_advice, lists_of, read_provenance
from briefbank.office.repair.databases import problem_of
from briefbank.office.repair.seals import is_broken, is_lost, office_lists, read_seals, seal
from briefbank.platform.files import file_sha256
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.platform.settings import read_settings, retired_settings
from briefbank.values.state import BankFinding
from briefbank.values.unreadable import CITATIONS_NOT_READ

_REPAIR = "Run briefbank check --repair."
_CITE_AGAIN = "Index its folder again."
_LEFT = "It does no harm; briefbank check --repair removes it."


def check(layout: Layout) -> list[BankFinding]:
    """Return what is wrong. A bank without any finding is sealed, so that later damage to any of its files is found.

    Raises:
        BankMissingError, BankNewerError: there is nothing here that could be checked; a first run that was interrupted
            has published nothing yet.
    """
    was_in_use, live = _is_in_use(layout), layout.current()
    findings = list(_findings(layout, is_in_use=was_in_use))
    is_in_use = _is_in_use(layout)
    if findings and (was_in_use or is_in_use or layout.current() != live):
        # An index run writes ledger and cache and replaces generations meanwhile: what is damaged is so when it is
        # looked at again.
        lasting = set(_findings(layout, is_in_use=True))
        return [each for each in findings if each in lasting]
    if not findings and not is_in_use:
        seal(layout)
    return findings


def not_in_force(layout: Layout, alert_problems: Sequence[BriefBankError]) -> Iterator[BankFinding]:
    """Yield what IT wrote that has no effect: settings of `bank.toml` that are not used any more, and
    `alert_problems`, which are rows of the office's list. Nothing of it is damage.
    """
    for name in retired_settings(layout.settings_file):
        problem = f"{name} in bank.toml is not used any more."
        yield BankFinding("settings", problem, "Remove its line.", is_damage=False)
    for each in alert_problems:
        yield BankFinding("alerts", each.message, each.advice, is_damage=False)


def _findings(layout: Layout, *, is_in_use: bool) -> Iterator[BankFinding]:
    yield from _broken_seals(layout)
    try:
        layout.require()
        read_settings(layout.settings_file)
        read_provenance(layout)
    except BriefBankError as problem:
        yield BankFinding("settings", problem.message, problem.advice)
        return
    try:
        live = live_generation(layout)
    except BankMissingError as problem:
        if not kept_generations(layout):
            raise
        yield BankFinding("current", problem.message, _REPAIR)
        live = None
    except BriefBankError as problem:
        yield BankFinding("current", problem.message, problem.advice)
        live = None
    yield from _generation_findings(layout, live)
    for where, path in databases(layout).items():
        if path.exists() and (fault := problem_of(path)):
            yield BankFinding(where, f"{path.name} is damaged: {fault}.", _REPAIR)
    if layout.authority_list.exists():
        try:
            AuthorityList.open(layout.authority_list)
        except BriefBankError as problem:
            advice = "Take a sound one (briefbank authorities use LIST), or install the newest pack again."
            yield BankFinding("authorities", problem.message, advice)
    if live:
        yield from _citation_findings(layout, live)
    if live and not is_in_use:  # the ledger of a run that is going on is ahead of its index
        yield from _cross_findings(layout, live)
    yield from (
        BankFinding("left behind", f"{path} is not in use.", _LEFT, is_damage=False) for path in leftovers(layout)
    )


def _broken_seals(layout: Layout) -> Iterator[BankFinding]:
    try:
        seals = read_seals(layout)
    except BriefBankError as problem:
        yield BankFinding("seals", problem.message, problem.advice)
        return
    for name, was in seals.items():
        if is_lost(layout, layout.root / name):
            yield BankFinding("seals", f"{name} is missing, which the bank had.", _lost_advice(layout, name))
        elif is_broken(layout.root / name, was):
            yield BankFinding("seals", f"{name} is not as it was when the bank was last found sound.", _REPAIR)


def _lost_advice(layout: Layout, name: str) -> str:
    if layout.root / name in office_lists(layout):
        return list_advice(name, came_as_pack=is_installed(layout))
    return _REPAIR


def _generation_findings(layout: Layout, live: Path | None) -> Iterator[BankFinding]:
    for folder in kept_generations(layout):
        for damage in (*verify_generation(folder), *_list_damage(layout, folder)):
            where = f"generation {folder.name}"
            if folder == live or live is None:
                yield BankFinding(where, damage.message, damage.advice)
            else:  # searching does without it
                advice = "It cannot be gone back to. briefbank check --repair puts it aside."
                yield BankFinding(where, damage.message, advice, is_damage=False)
    for digest in sorted(encoders_in_use(layout)):
        if problem := encoder_problem(layout, digest):
            yield BankFinding("encoder", problem.message, f"{_REPAIR} {problem.advice}")


def _list_damage(layout: Layout, generation: Path) -> Iterator[Finding]:
    try:
        lists_of(layout, generation)
    except BriefBankError as problem:
        yield Finding(problem.message, problem.advice)


def encoder_problem(layout: Layout, digest: str) -> ModelError | None:
    """What is wrong with an exported encoder, its files read anew: a process remembers those that it has verified."""
    if substitute_with(digest):
        return None
    folder = layout.encoders / digest
    try:
        card = read_card(folder, digest)
        changed = [name for name, sha256 in card.files.items() if file_sha256(folder / name) != sha256]
    except ModelError as problem:
        return problem
    if changed:
        advice = "Index the folder again on the indexing machine, or install the bank's pack again."
        return ModelError(f"{changed[0]} of the query encoder is not as it was written.", advice)
    return None


def kept_generations(layout: Layout) -> list[Path]:
    """The folders of the live generation and the one before it."""
    return sorted(path for path in layout.generations.iterdir() if path.is_dir() and "." not in path.name)


def encoders_in_use(layout: Layout) -> set[str]:
    """The digests of the encoders that the generations were built with, as far as they can be told."""
    digests = set()
    for folder in kept_generations(layout):
        try:
            digests.add(read_info(folder).encoder_digest)
        except BriefBankError:
            continue
    return digests


def databases(layout: Layout) -> dict[str, Path]:
    """The SQLite files of a bank."""
    return {"ledger": layout.ledger_file, "cache": layout.cache_file, "summaries": layout.summaries_file}


def _cross_findings(layout: Layout, live: Path) -> Iterator[BankFinding]:
    """Compare the index that the last run wrote with the ledger; a bank that came as a pack has none.

    After a rollback that index is not the live one, which then lacks what was read since; that is no damage.
    """
    if is_installed(layout):
        return
    try:
        indexed = {document.sha256: document for document in Generation.open(newest_sound(layout, live)).documents}
        entries = ledger_entries(layout)
    except BriefBankError:
        return  # told already
    known = {entry.sha256: entry for entry in entries if entry.sha256 and not entry.is_failed}
    for sha256 in indexed.keys() - known.keys():
        advice = "Index its folder again; it is either read again or dropped."
        yield BankFinding("ledger", f"Document {indexed[sha256].id} is indexed but not in the ledger.", advice)
    for sha256 in known.keys() - indexed.keys():
        advice = "Index its folder again; a run that was interrupted is completed by that."
        yield BankFinding("ledger", f"{known[sha256].path} was read but is not in the live index.", advice)


def _citation_findings(layout: Layout, live: Path) -> Iterator[BankFinding]:
    """Name the files whose citations the live index lacks: those that it knows of, and those of which the cache holds
    more or fewer citations, by the same rules, than the index.
    """
    try:
        generation = Generation.open(live)
    except BriefBankError:
        return  # told already
    for file in generation.unreadable.files if generation.unreadable else ():
        if file.code == CITATIONS_NOT_READ:
            yield BankFinding("citations", f"{file.path}: {file.problem}", _CITE_AGAIN, is_damage=False)
    info, postings = generation.info, generation.authorities
    if is_installed(layout) or postings is None or not info.citations:
        return
    of_documents = generation.dense.columns.document
    counts = np.bincount(of_documents, weights=postings.counts(len(of_documents)), minlength=len(generation.documents))
    keys = {notes_key(each.sha256, info.citations, info.segmenter): each for each in generation.documents}
    indexed = {document.id: int(count) for document, count in zip(generation.documents, counts, strict=True)}
    for key, notes in stored(layout.cache_file, keys, DocumentNotes):
        found, document = sum(map(len, notes.citations.passages)), keys[key]
        if found != indexed[document.id]:
            differs = f"{document.source_path} has {found} citations, the index holds {indexed[document.id]}."
            yield BankFinding("citations", differs, _CITE_AGAIN)


def ledger_entries(layout: Layout) -> list[LedgerEntry]:
    """Every file that the bank knows of; none where it was not indexed here.

    Raises:
        BankDamagedError, BankNewerError: the ledger cannot be read.
    """
    if not layout.ledger_file.exists():
        return []
    if not layout.ledger_file.is_file():  # SQLite says of it what it says of a disk that fails
        raise BankDamagedError(f"The ledger {layout.ledger_file} is no file.", _REPAIR)
    with Ledger(layout.ledger_file) as ledger:
        return list(ledger.entries().values())


def newest_sound(layout: Layout, live: Path) -> Path:
    """The last generation that was written, as far as it can be read: after a rollback that is not the live one."""
    later = [folder for folder in kept_generations(layout) if _order(folder) > _order(live) and is_sound(folder)]
    return max(later, key=_order, default=live)


def _order(generation: Path) -> tuple[str, int]:
    """When a generation was begun; those of one second are numbered: NAME, NAME-2, … NAME-10."""
    began, _, number = generation.name.partition("-")
    return began, int(number or 1)


def is_sound(folder: Path) -> bool:
    """Whether every file of a generation is as it was written."""
    try:
        return not find_damage(folder)
    except BriefBankError:
        return False


def leftovers(layout: Layout, *, is_locked: bool = False) -> list[Path]:
    """What interrupted work left behind, and encoders that no generation uses; none while somebody else writes."""
    if not is_locked and _is_in_use(layout):
        return []
    found = unfinished(layout)
    used = encoders_in_use(layout)
    if all((folder / MANIFEST_NAME).is_file() for folder in kept_generations(layout)):
        found += [path for path in layout.encoders.iterdir() if path.name not in used and path not in found]
    found += [path for path in (layout.root / "installing",) if path.exists()]
    found += [path for folder in (layout.root, layout.cache_file.parent) for path in folder.glob(".*.tmp")]
    return sorted(found)


def _is_in_use(layout: Layout) -> bool:
    try:
        with writer_lock(layout.lock_file):
            return False
    except (BankInUseError, OSError):
        return True
