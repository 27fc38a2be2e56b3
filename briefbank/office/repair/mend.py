"""Mends a bank: puts back what was sealed, builds the index again from the cache, makes again what can be made again.

Reads no source file. What cannot be made again is put aside, never deleted. Must not know who asks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from briefbank.errors import (
    BankDamagedError,
    BankMissingError,
    BriefBankError,
    CancelledError,
    ModelError,
    NoSpaceError,
)
from briefbank.index.generation import Generation
from briefbank.index.learned import Learned
from briefbank.index.manifest import find_damage
from briefbank.index.publish import live_generation, make_live
from briefbank.ingest.cache import Cache
from briefbank.ingest.embed import embedding_keys
from briefbank.ingest.ledger import Ledger, LedgerEntry
from briefbank.ingest.pipeline import republish
from briefbank.models.encoders import encoder_digest, export_encoder
from briefbank.office.provenance import is_installed
from briefbank.office.repair.check import (
    check,
    databases,
    encoder_problem,
    encoders_in_use,
    is_sound,
    kept_generations,
    ledger_entries,
    leftovers,
    newest_sound,
)
from briefbank.office.repair.databases import problem_of, save_readable
from briefbank.office.repair.seals import (
    Seal,
    is_broken,
    is_lost,
    is_written_once,
    office_lists,
    read_seals,
    seals_file,
)
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import (
    make_folder,
    make_private,
    put_aside,
    remove_damaged,
    remove_tree,
    replace,
    write_atomic,
)
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.platform.progress import CancelToken, Reporter, silent
from briefbank.platform.settings import Settings, read_settings
from briefbank.values.state import BankFinding

_BATCH_PASSAGES = 4_096


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What was done, in sentences, and what is still wrong."""

    done: tuple[str, ...]
    findings: tuple[BankFinding, ...]


def repair(
    layout: Layout,
    *,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> RepairReport:
    """Mend what can be mended without the source files, then check again.

    Raises:
        BankInUseError, NoSpaceError, CancelledError: as their names say; what was mended so far is kept.
        BankMissingError, BankNewerError: there is nothing here that could be mended.
    """
    with disk_guard(layout.root, "mending the bank"), writer_lock(layout.lock_file):
        mending = _Mending(layout, reporter, cancel or CancelToken(), clock)
        done = tuple(mending.all())
    return RepairReport(done, tuple(check(layout)))


class _Mending:
    """One repair; the writer's lock is held. Each step tells what it did."""

    def __init__(self, layout: Layout, reporter: Reporter, cancel: CancelToken, clock: Callable[[], datetime]) -> None:
        self._layout, self._reporter, self._cancel, self._clock = layout, reporter, cancel, clock

    def all(self) -> Iterator[str]:
        broken = self._broken()
        yield from self._sealed()
        self._layout.require()
        read_settings(self._layout.settings_file)
        yield from self._databases(broken)
        yield from self._encoders()
        yield from self._live()
        yield from self._put_damaged_aside()
        yield from self._ledger()
        # The lock is ours, so that nobody else's work is taken for something left behind.
        for path in leftovers(self._layout, is_locked=True):
            remove_tree(path) if path.is_dir() else path.unlink()
            yield f"Removed {path.name}, which was left behind."

    def _broken(self) -> set[Path]:
        """The files that are not what their seals say."""
        try:
            seals = read_seals(self._layout)
        except BankDamagedError:
            return set()
        return {path for name, was in seals.items() if is_broken(path := self._layout.root / name, was)}

    def _sealed(self) -> Iterator[str]:
        """Put back texts that the disk has changed."""
        try:
            seals = read_seals(self._layout)
        except BankDamagedError:
            aside = put_aside(seals_file(self._layout))
            yield f"Made the bank's seals anew; the damaged ones are in {aside.name}.{self._untold()}"
            return
        for name, was in seals.items():
            path = self._layout.root / name
            if was.text is not None and self._is_to_be_put_back(path, was):
                note = f"Put {name} back as it was when the bank was last found sound."
                if path.is_dir() or (path.exists() and not is_written_once(path)):
                    note += f" What it was is in {put_aside(path).name}."
                make_folder(path.parent)
                write_atomic(path, was.text)
                yield note

    def _untold(self) -> str:
        """What only the old seals knew: whether a list that is not there was ever kept."""
        names = [path.name for path in office_lists(self._layout) if not path.is_file()]
        if not names or is_installed(self._layout):
            return ""
        return f" Whether the bank had {' and '.join(names)} cannot be told now: put back what the office keeps."

    def _is_to_be_put_back(self, path: Path, was: Seal) -> bool:
        owner = path.parent.parent if path.parent.name.startswith("lists-") else path.parent
        if not owner.is_dir():
            return False  # a generation that has been replaced since
        if path == self._layout.settings_file:
            return is_broken(path, was) or not _is_understood(self._layout)
        is_gone = is_lost(self._layout, path) or (is_written_once(path) and not path.exists())
        return is_broken(path, was) or is_gone

    def _databases(self, broken: set[Path]) -> Iterator[str]:
        """Save what can be read of damaged databases, those among them that only their seals tell of."""
        for path in databases(self._layout).values():
            if not path.exists() or not (path in broken or problem_of(path)):
                continue
            fresh = path.with_name(f".{path.name}.tmp")
            fresh.unlink(missing_ok=True)
            try:
                saved = save_readable(path, fresh)
            except sqlite3.DatabaseError:
                saved = 0
                fresh.unlink(missing_ok=True)
            if path == self._layout.cache_file:
                remove_damaged(path)
                kept = "the rest is made again from the source files"
            else:
                kept = f"the damaged file is {put_aside(path).name}"
            if saved:
                make_private(fresh)
                replace(fresh, path)
            if path == self._layout.cache_file:
                self._restore_vectors()
            yield f"Saved {saved} entries of {path.name}; {kept}."

    def _restore_vectors(self) -> None:
        """Put the live generation's vectors, which its digests vouch for, into a cache whose own cannot be verified.

        Those of a large bank have half the precision, at which the next generation keeps them too.
        """
        try:
            generation = Generation.open(live_generation(self._layout))
        except BriefBankError:
            return
        with Cache(self._layout.cache_file) as cache:
            rows = np.arange(len(generation.dense))
            for batch in np.array_split(rows, -(-len(rows) // _BATCH_PASSAGES)):
                self._cancel.check()
                texts, vectors = generation.dense.texts(batch), generation.dense.vectors(batch)
                keys = embedding_keys(generation.info.encoder_digest, texts)
                cache.put_embeddings(dict(zip(keys, vectors, strict=True)))

    def _encoders(self) -> Iterator[str]:
        """Export the query encoder again, where its source is installed here."""
        settings = read_settings(self._layout.settings_file)
        for digest in sorted(encoders_in_use(self._layout)):
            try:
                if encoder_problem(self._layout, digest) and encoder_digest(settings) == digest:
                    self._export(settings, digest)
                    yield "Made the query encoder again."
            except ModelError:
                continue  # no such model here: checking names it

    def _export(self, settings: Settings, digest: str) -> None:
        """Put a fresh export in the place of a damaged one, which stays where that fails."""
        folder = self._layout.encoders / digest
        aside = folder.with_name(f"{digest}.damaged")
        remove_tree(aside)
        if folder.exists():
            replace(folder, aside)
        try:
            export_encoder(settings, folder)
            remove_tree(aside)
        finally:
            if aside.exists():
                replace(aside, folder)

    def _live(self) -> Iterator[str]:
        """Build a damaged live generation again from the cache; where there is none, go back to one that is sound."""
        try:
            live = live_generation(self._layout)
            if not find_damage(live):
                return
        except BriefBankError:
            live = None
        sound = [folder for folder in kept_generations(self._layout) if folder != live and is_sound(folder)]
        if sound:  # which searches meanwhile, and is what the new one can be taken back to
            make_live(self._layout, sound[-1].name)
            yield f"Went back to generation {sound[-1].name}."
        if is_installed(self._layout) or (sound and live is None):
            return
        try:
            name = self._built_again(live)
        except (CancelledError, NoSpaceError):
            raise
        except BriefBankError as problem:
            yield f"The index could not be built again: {problem.message}"
        else:
            yield f"Built the index again from what had been read: generation {name}."

    def _built_again(self, live: Path | None) -> str:
        if not any(entry.sha256 and not entry.is_failed for entry in ledger_entries(self._layout)):
            raise BankMissingError("the bank knows of no files", "Index the folder again.")
        try:
            learned = Learned.read(live) if live else None
        except BriefBankError:
            learned = None
        settings = read_settings(self._layout.settings_file)
        return republish(
            self._layout, settings, learned, reporter=self._reporter, cancel=self._cancel, clock=self._clock
        )

    def _put_damaged_aside(self) -> Iterator[str]:
        """Put a damaged generation aside that is not live: going back to it would be no help."""
        current = self._layout.current()
        for folder in kept_generations(self._layout):
            if folder.name != current and not is_sound(folder):
                aside = folder.with_name(f"{folder.name}.damaged")
                remove_tree(aside)
                replace(folder, aside)
                yield f"Put the damaged generation {folder.name} aside."

    def _ledger(self) -> Iterator[str]:
        """Note documents of the live index that the ledger has lost; their files are looked at by the next run."""
        if is_installed(self._layout):
            return
        try:
            documents = Generation.open(newest_sound(self._layout, live_generation(self._layout))).documents
            known = {entry.sha256 for entry in ledger_entries(self._layout)}
        except BriefBankError:
            return
        lost = [document for document in documents if document.sha256 not in known]
        if not lost:
            return
        with Ledger(self._layout.ledger_file) as ledger:
            for document in lost:
                ledger.record(
                    LedgerEntry(
                        document.source_path, 0, 0, document.sha256, read_at=self._clock().isoformat(timespec="seconds")
                    )
                )
        yield f"Noted {len(lost)} documents in the ledger again; index their folders to have their files looked at."


def _is_understood(layout: Layout) -> bool:
    try:
        layout.require()
        read_settings(layout.settings_file)
    except BriefBankError:
        return False
    return True
