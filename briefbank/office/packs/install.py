"""Installs packs: unpacks and verifies beside the live generation, and makes it live in one step, last.

Whatever fails or is killed before that step leaves the bank as it was; what it left behind is removed by the next one.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from briefbank.errors import (
    BankInUseError,
    BriefBankError,
    PackError,
)
from briefbank.index.manifest import read_info
from briefbank.index.publish import clear_unfinished, make_live, publish
from briefbank.models.encoders.onnx import is_intact, read_card
from briefbank.models.installed import add_model, installed_models
from briefbank.office.packs.contents import GENERATION_MANIFEST
from briefbank.office.packs.fit import (
    ASK_FOR_A_WHOLE_ONE,
    SPACE_ADVICE,
    base_folder,
    holds,
    require_not_indexed,
    require_not_older,
    require_space,
    require_understood,
)
from briefbank.office.packs.format import ENCODER, GENERATION, MODELS, SETTINGS, SUMMARIES
from briefbank.office.packs.read import PackReader, open_pack
from briefbank.office.packs.signing_keys import read_public_key
from briefbank.office.provenance import (
    RECORD,
    OfficeLists,
    clear_top,
    lists_of,
    move_from_top,
    read_provenance,
    remove_old_lists,
    write_record,
)
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import (
    file_sha256,
    make_folder,
    make_private,
    place_new_folder,
    remove_tree,
    remove_unfinished,
    replace,
    sync_file,
    sync_folder,
    sync_tree,
    write_atomic,
)
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.platform.progress import CancelToken, Progress, Reporter, silent, time_left
from briefbank.platform.scratch import scratch_folder
from briefbank.values import Provenance

_STAGING = "installing"


@dataclass(frozen=True, slots=True)
class InstallReport:
    """What was installed; `is_new` is false where the bank held it already. `before` is what rolling back goes to."""

    generation: str
    before: str | None
    is_new: bool
    documents: int
    passages: int
    signed_by: str
    fingerprint: str
    seconds: float


def install_pack(
    root: Path,
    pack: Path,
    *,
    trust: Path | None = None,
    allow_older: bool = False,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> InstallReport:
    """Install a pack into the bank at `root`, which is made where there is none; does nothing where it is live already.

    Raises:
        PackError: the pack is damaged, not whole, unsigned, or signed by nobody this machine trusts.
        BankNewerError: a newer program made the pack, or the bank.
        UsageError: there is no pack, it is older than what is searched, the bank is indexed on this machine, or lacks
            what a delta builds on.
        NoSpaceError, BankInUseError, CancelledError: as their names say. In every case the bank searches as before.
    """
    began = time.monotonic()
    with open_pack(pack, read_public_key(trust) if trust else None) as reader:
        require_understood(reader.manifest)
        layout = Layout(root)
        is_bank = layout.settings_file.exists()
        if is_bank:
            layout.require()
        before = layout.current()
        if _is_installed(layout, reader):
            return _report(reader, before, began, is_new=False)
        if not allow_older:
            require_not_older(layout, reader.manifest)
        base = base_folder(layout, reader.manifest)
        require_space(root, reader.manifest)
        with (
            disk_guard(root, "installing the pack", SPACE_ADVICE),
            _bank_to_fill(layout) as filled,
            writer_lock(filled.lock_file),
        ):
            require_not_indexed(filled)
            installing = _Installing(filled, reader, cancel or CancelToken(), reporter)
            installing.whole(base, clock(), is_first=not is_bank)
        return _report(reader, before, began, is_new=True)


@contextmanager
def _bank_to_fill(layout: Layout) -> Iterator[Layout]:
    """The bank itself; where there is none, a new one beside it, which gets its name when the block has ended well.

    Raises:
        BankInUseError: another program has made a bank there meanwhile, which is left alone.
    """
    if layout.root.exists():
        layout.create()
        yield layout
        return
    make_folder(layout.root.parent)
    with scratch_folder(layout.root.parent, f".{layout.root.name}.installing-") as scratch:
        fresh = Layout(scratch / "bank")
        fresh.create()
        yield fresh
        try:
            place_new_folder(fresh.root, layout.root)
        except FileExistsError as error:
            message = f"Another program has made a bank at {layout.root} meanwhile; it was left as it is."
            raise BankInUseError(message, "See it with briefbank status; install the pack again if need be.") from error


def _report(reader: PackReader, before: str | None, began: float, *, is_new: bool) -> InstallReport:
    manifest, signer = reader.manifest, reader.signer
    return InstallReport(
        manifest.generation,
        before if before != manifest.generation else None,
        is_new,
        manifest.documents,
        manifest.passages,
        signer.name,
        signer.fingerprint,
        time.monotonic() - began,
    )


def _is_installed(layout: Layout, reader: PackReader) -> bool:
    """Whether this very pack is live, and is as it was unpacked."""
    try:
        was = read_provenance(layout)
        if was is None or was.pack != reader.id or layout.current() != reader.manifest.generation:
            return False
        folder = layout.generation(was.generation)
        lists_of(layout, folder)
        return holds(folder, reader.manifest)
    except BriefBankError:
        return False


class _Installing:
    """One pack on its way into a bank; the writer's lock is held."""

    def __init__(
        self,
        layout: Layout,
        reader: PackReader,
        cancel: CancelToken,
        reporter: Reporter,
    ) -> None:
        self._layout, self._reader = layout, reader
        self._cancel, self._reporter = cancel, reporter
        self._staging = layout.root / _STAGING
        self._began = time.monotonic()

    def whole(self, base: Path | None, now: datetime, *, is_first: bool) -> None:
        """Do everything, publish last."""
        self._clear()
        try:
            self._unpack(base)
            self._cancel.check()
            self._take_files(is_first=is_first)
            self._take_encoder()
            self._layout.upgrade()
            move_from_top(self._layout)
            self._go_live(self._provenance(now))
            clear_top(self._layout)
        finally:
            remove_tree(self._staging)

    def _provenance(self, now: datetime) -> Provenance:
        reader = self._reader
        return Provenance(
            pack=reader.id,
            generation=reader.manifest.generation,
            signed_by=reader.signer.name,
            fingerprint=reader.signer.fingerprint,
            installed_at=now.isoformat(timespec="seconds"),
            file=reader.name,
            updated_at=reader.manifest.state_of.isoformat(),
        )

    def _clear(self) -> None:
        """Remove what an install that was killed left behind."""
        remove_tree(self._staging)
        clear_unfinished(self._layout)
        layout = self._layout
        for file in (layout.settings_file, layout.current_file, layout.summaries_file):
            remove_unfinished(file)
        for generation in layout.generations.iterdir():
            remove_unfinished(generation / RECORD)
            remove_old_lists(generation)

    def _unpack(self, base: Path | None) -> None:
        """Write every file of the pack below the staging folder, each verified."""
        total, whole_bytes, done_bytes = len(self._reader.manifest.files), self._reader.manifest.unpacked_bytes, 0
        for number, (file, pieces) in enumerate(self._reader.files(base)):
            elapsed = time.monotonic() - self._began
            left = time_left(elapsed, done_bytes, whole_bytes)
            done_bytes += file.size_bytes
            self._reporter(
                Progress("unpacking", files_done=number, files_total=total, elapsed_s=elapsed, seconds_left=left)
            )
            path = self._staging.joinpath(*file.path.split("/"))
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with path.open("xb") as opened:
                for piece in pieces:
                    self._cancel.check()
                    opened.write(piece)
        if file_sha256(self._staging / GENERATION / GENERATION_MANIFEST) != self._reader.manifest.digest:
            raise PackError("The pack is damaged: its index is not the one it names.", ASK_FOR_A_WHOLE_ONE)
        read_info(self._staging / GENERATION)  # refuses one of a newer format

    def _take_files(self, *, is_first: bool) -> None:
        """Take what stands beside the generation. A bank that was there before keeps its own settings."""
        if is_first and (self._staging / SETTINGS).is_file():
            write_atomic(self._layout.settings_file, (self._staging / SETTINGS).read_bytes())
        if (self._staging / SUMMARIES).is_file():
            _take_summaries(self._staging / SUMMARIES, self._layout.summaries_file)
        have = {model.id for model in installed_models()}
        for model in installed_models(self._staging / MODELS):
            if model.id not in have:
                add_model(Path(model.folder), model.roles, name=model.name, licence=model.licence)

    def _take_encoder(self) -> None:
        staged = self._staging / ENCODER
        if not staged.is_dir():
            return
        digest = self._reader.manifest.encoder_digest
        folder = self._layout.encoders / digest
        if not is_intact(folder, digest):
            read_card(staged, digest)
            sync_tree(staged)
            remove_tree(folder)
            replace(staged, folder)
            sync_folder(folder.parent)

    def _go_live(self, provenance: Provenance) -> None:
        """Publish the generation with the lists; the lists alone where the bank holds the generation whole already."""
        name = self._reader.manifest.generation
        folder = self._layout.generation(name)
        lists = {each: file.read_bytes() for each, file in OfficeLists.in_folder(self._staging).files().items()}
        if holds(folder, self._reader.manifest):
            write_record(folder, provenance, lists)
            make_live(self._layout, name)
            return
        building = folder.with_name(f"{name}.building")
        write_record(self._staging / GENERATION, provenance, lists)
        replace(self._staging / GENERATION, building)
        if not folder.exists():
            publish(self._layout, building)
            return
        sync_tree(building)  # not published: the generation in its place is the same one, damaged
        remove_tree(folder)
        replace(building, folder)
        sync_folder(folder.parent)
        make_live(self._layout, name)


def _take_summaries(staged: Path, target: Path) -> None:
    """Add the pack's summaries to those that were made here; where these cannot be used, they are put aside."""
    if target.exists():
        try:
            _add_rows(staged, target)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
                raise
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                advice = "Close BriefBank's windows and install the pack again. The bank searches as before."
                raise BankInUseError("The stored summaries are being written.", advice) from error
            replace(target, target.with_name(f"{target.name}.damaged"))
    if not target.exists():
        _copy_new(staged, target)


def _add_rows(staged: Path, target: Path) -> None:
    with closing(sqlite3.connect(target, isolation_level=None)) as database:
        database.execute("ATTACH ? AS pack", (str(staged),))
        tables = database.execute("SELECT name FROM pack.sqlite_schema WHERE type = 'table'").fetchall()
        database.execute("BEGIN")
        for (name,) in tables:
            quoted = '"' + name.replace('"', '""') + '"'
            database.execute(f"INSERT OR IGNORE INTO main.{quoted} SELECT * FROM pack.{quoted}")  # noqa: S608
        database.execute("COMMIT")


def _copy_new(file: Path, target: Path) -> None:
    """Copy a file so that it appears whole or not at all, and is still there after a power cut."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        shutil.copyfile(file, unfinished)
        make_private(unfinished)
        sync_file(unfinished)
        replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)
    sync_folder(target.parent)
