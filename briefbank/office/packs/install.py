"""Installs packs: unpacks and verifies beside the live generation, and makes it live in one step, last.

Whatever fails or is killed before that step leaves the bank as it was; what it left behind is removed by the next one.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from briefbank.errors import BankInUseError, BriefBankError, NoSpaceError, UsageError
from briefbank.index.manifest import MANIFEST_NAME, find_damage, read_info
from briefbank.index.publish import clear_unfinished, make_live, publish
from briefbank.ingest.ledger import Ledger
from briefbank.models.encoders.onnx import is_intact, read_card
from briefbank.models.installed import add_model, installed_models
from briefbank.office.packs.format import (
    AUTHORITY_LIST,
    ENCODER,
    GENERATION,
    MODELS,
    SETTINGS,
    SUMMARIES,
    PackManifest,
    damaged,
)
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
from briefbank.values.state import Provenance

_STAGING = "installing"
_SPARE_BYTES = 32 << 20
_SPACE_ADVICE = "Free some space on that disk and install the pack again. The bank searches as before."


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
) -> InstallReport:
    """Install a pack into the bank at `root`, which is made where there is none; does nothing where it is live already.

    Raises:
        PackError: the pack is damaged, not whole, unsigned, or signed by nobody this machine trusts.
        BankNewerError: a newer program made the pack, or the bank.
        UsageError: there is no pack, it is older than what is searched, or the bank is indexed on this machine.
        NoSpaceError, BankInUseError, CancelledError: as their names say. In every case the bank searches as before.
    """
    began = time.monotonic()
    with open_pack(pack, read_public_key(trust) if trust else None) as reader:
        layout = Layout(root)
        is_bank = layout.settings_file.exists()
        if is_bank:
            layout.require()
        before, manifest, signer = layout.current(), reader.manifest, reader.signer
        is_new = not _is_installed(layout, reader)
        if is_new:
            if not allow_older:
                _require_not_older(layout, manifest)
            _require_space(root, manifest)
            with (
                disk_guard(root, "installing the pack", _SPACE_ADVICE),
                _bank_to_fill(layout) as filled,
                writer_lock(filled.lock_file),
            ):
                _require_not_indexed(filled)
                _Installing(filled, reader, cancel or CancelToken(), reporter, began).whole(is_first=not is_bank)
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


def _is_installed(layout: Layout, reader: PackReader) -> bool:
    """Whether this very pack is live, and is as it was unpacked."""
    try:
        was = read_provenance(layout)
        if was is None or was.pack != reader.id or layout.current() != reader.manifest.generation:
            return False
        folder = layout.generation(was.generation)
        lists_of(layout, folder)
        return _holds(folder, reader.manifest) and _holds_list(layout, reader.manifest)
    except BriefBankError:
        return False


def _require_not_older(layout: Layout, manifest: PackManifest) -> None:
    """Refuse a pack that is older than the live generation and its lists, whoever signed it. Raises UsageError."""
    try:
        here = _live_since(layout)
    except BriefBankError:
        return  # damaged: installing mends it
    if here and manifest.updated < here:
        message = (
            f"This pack is older than what is searched here: it is of {_format_time(manifest.updated)}, the bank of "
            f"{_format_time(here)}. It would bring back an old list of cases to be careful with."
        )
        # Not `rollback`: it changes the index, and where a list alone is newer there may be none to go back to.
        advice = "Install the newest pack; or take this one on purpose: briefbank install --older."
        raise UsageError(message, advice)


def _live_since(layout: Layout) -> datetime | None:
    """How new the live generation and its lists are, as far as this is known. A day to come, of which lists
    may have been packed, is not believed: every later pack would be older.
    """
    name = layout.current()
    if name is None:
        return None
    provenance = read_provenance(layout)
    told = (provenance.updated_at if provenance else "", read_info(layout.generation(name)).created_at)
    known = [datetime.fromisoformat(each) for each in told if each]
    sound = [each for each in known if each <= datetime.now(UTC) + timedelta(days=1)]
    return next(iter(sound or known), None)


def _format_time(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _require_space(root: Path, manifest: PackManifest) -> None:
    """Refuse a pack that does not fit on the disk. Raises NoSpaceError."""
    place = next(each for each in (root, *root.absolute().parents) if each.exists())
    free, needed = shutil.disk_usage(place).free, manifest.unpacked_bytes + _SPARE_BYTES
    if free < needed:
        message = f"The pack needs {needed / 1e6:.0f} MB on the disk of {place}; {free / 1e6:.0f} MB are free."
        raise NoSpaceError(message, _SPACE_ADVICE)


def _require_not_indexed(layout: Layout) -> None:
    """Refuse a bank that is indexed on this machine. Raises UsageError."""
    if not layout.ledger_file.exists():
        return
    with Ledger(layout.ledger_file) as ledger:
        if ledger.entries():
            advice = "Install the pack into a bank of its own: --bank DIR."
            raise UsageError("This bank is indexed from folders on this machine.", advice)


def _holds(folder: Path, manifest: PackManifest) -> bool:
    """Whether a folder is the pack's generation, unharmed."""
    file = folder / MANIFEST_NAME
    return file.is_file() and file_sha256(file) == manifest.digest and not find_damage(folder)


def _holds_list(layout: Layout, manifest: PackManifest) -> bool:
    """Whether the bank has the list of authorities that the pack brings, if it brings one, unharmed."""
    packed = [file.sha256 for file in manifest.files if file.path == AUTHORITY_LIST]
    return not packed or (layout.authority_list.is_file() and file_sha256(layout.authority_list) == packed[0])


class _Installing:
    """One pack on its way into a bank; the writer's lock is held."""

    def __init__(
        self, layout: Layout, reader: PackReader, cancel: CancelToken, reporter: Reporter, began: float
    ) -> None:
        self._layout, self._reader, self._manifest = layout, reader, reader.manifest
        self._cancel, self._reporter, self._began = cancel, reporter, began
        self._staging = layout.root / _STAGING

    def whole(self, *, is_first: bool) -> None:
        """Do everything, publish last."""
        self._clear()
        try:
            self._unpack()
            self._cancel.check()
            self._take_files(is_first=is_first)
            self._take_encoder()
            self._layout.upgrade()
            move_from_top(self._layout)
            self._go_live()
            clear_top(self._layout)
        finally:
            remove_tree(self._staging)

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

    def _unpack(self) -> None:
        """Write every file of the pack below the staging folder, each verified while it is read."""
        total, done_bytes = len(self._manifest.files), 0
        for number, (file, pieces) in enumerate(self._reader.files()):
            elapsed = time.monotonic() - self._began
            left = time_left(elapsed, done_bytes, self._manifest.unpacked_bytes)
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
        if file_sha256(self._staging / GENERATION / MANIFEST_NAME) != self._manifest.digest:
            raise damaged("its index is not the one it names")
        read_info(self._staging / GENERATION)  # refuses one of a newer format

    def _take_files(self, *, is_first: bool) -> None:
        """Take what stands beside the generation. A bank that was there before keeps its own settings."""
        if is_first and (self._staging / SETTINGS).is_file():
            write_atomic(self._layout.settings_file, (self._staging / SETTINGS).read_bytes())
        if (staged := self._staging / AUTHORITY_LIST).is_file():
            make_private(staged)
            sync_file(staged)
            replace(staged, self._layout.authority_list)
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
        digest = self._manifest.encoder_digest
        folder = self._layout.encoders / digest
        if not is_intact(folder, digest):
            read_card(staged, digest)
            sync_tree(staged)
            remove_tree(folder)
            replace(staged, folder)
            sync_folder(folder.parent)

    def _go_live(self) -> None:
        """Publish the generation with the lists; the lists alone where the bank holds the generation whole already."""
        reader, name = self._reader, self._manifest.generation
        provenance = Provenance(
            pack=reader.id,
            generation=name,
            signed_by=reader.signer.name,
            fingerprint=reader.signer.fingerprint,
            installed_at=datetime.now(UTC).isoformat(timespec="seconds"),
            file=reader.name,
            updated_at=self._manifest.updated.isoformat(),
        )
        folder = self._layout.generation(name)
        lists = {each: file.read_bytes() for each, file in OfficeLists.in_folder(self._staging).files().items()}
        if _holds(folder, self._manifest):
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
