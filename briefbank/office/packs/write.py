"""Writes packs: all of a bank that searching and reading need, as one compressed archive behind a signed head.

Nothing of the source files travels: pages are set from the passages that the generation holds, so neither cache nor
ledger is packed. The same bank, key and options give the same bytes. No file is held whole in memory.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import zstandard

from briefbank import __version__
from briefbank.errors import BankDamagedError, SettingsError, UsageError
from briefbank.index.manifest import MANIFEST_NAME, GenerationInfo, read_digests, read_info
from briefbank.index.publish import live_generation
from briefbank.law.authority_list import AuthorityList
from briefbank.models.encoders import substitute_with
from briefbank.models.encoders.onnx import CARD_NAME, read_card
from briefbank.models.installed.folder import read_models, store_folder
from briefbank.office.packs.format import (
    AUTHORITY_LIST,
    ENCODER,
    GENERATION,
    HEAD_BYTES,
    MODELS,
    SETTINGS,
    SUMMARIES,
    TAR_END,
    Head,
    PackedFile,
    PackManifest,
    is_allowed,
    tar_header,
    tar_padding,
)
from briefbank.office.packs.signing_keys import sign
from briefbank.office.provenance import OfficeLists, lists_of, read_provenance
from briefbank.platform import files
from briefbank.platform.disk import disk_guard
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Progress, Reporter, silent, time_left
from briefbank.platform.scratch import scratch_folder

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_COMPRESSORS = 2
_LEVEL = 6
"""Level 9 made the pack of a real index 1.5 % smaller in twice the time."""
_READ_BYTES = 1 << 20
_CLOCKS_DIFFER = timedelta(days=1)
_EARLIEST = datetime.fromtimestamp(0, UTC)
_SPACE_ADVICE = "Free some space there, or name another disk, and run the same command again."


@dataclass(frozen=True, slots=True)
class PackReport:
    """What was packed."""

    pack: str
    generation: str
    documents: int
    passages: int
    files: int
    unpacked_bytes: int
    bytes: int
    seconds: float
    warnings: tuple[str, ...] = ()


class FileToPack(NamedTuple):
    """A file to be packed: its path in the pack, where it lies, and its SHA-256 as far as the bank knows it."""

    path: str
    file: Path
    sha256: str | None = None


def write_pack(
    layout: Layout,
    out: Path,
    private_key: Ed25519PrivateKey,
    *,
    models: Path | None = None,
    with_summaries: bool = True,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> PackReport:
    """Pack the live generation; `models` is the folder of models to add, if any.

    Raises:
        UsageError: the file is there already, or its disk takes none of that size.
        SettingsError: a list of the office cannot travel in a pack.
        BankMissingError, BankDamagedError, ModelError: there is no index, or it cannot be used.
        NoSpaceError, CancelledError: as their names say; nothing is left behind.
    """
    began, folder = time.monotonic(), live_generation(layout)
    with (
        _sources(layout, folder, models, with_summaries=with_summaries) as sources,
        disk_guard(out.parent, "writing the pack", _SPACE_ADVICE),
        _new_pack(out) as file,
    ):
        manifest = _manifest_of(layout, folder, sources)
        encoded = manifest.encode()
        file.write(bytes(HEAD_BYTES) + encoded)
        _write_archive(file, sources, manifest, reporter, cancel or CancelToken())
        head = Head.unsigned(encoded, file.tell())
        file.seek(0)  # its size is known only now
        file.write(head.signed(*sign(private_key, head.message())).encode())
    return PackReport(
        str(out),
        manifest.generation,
        manifest.documents,
        manifest.passages,
        len(manifest.files),
        manifest.unpacked_bytes,
        head.pack_bytes,
        time.monotonic() - began,
        tuple(_warnings(lists_of(layout, folder))),
    )


@contextmanager
def _new_pack(path: Path) -> Iterator[BinaryIO]:
    """A file that gets its name when the block ends well, and is removed when it does not.

    Raises:
        UsageError: there is a file of that name, no folder for it, or its disk takes no file of that size.
    """
    if path.exists():
        raise UsageError(f"There is a file {path} already.", "Name another, or remove it.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.", "Make it, or name another.")
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        with files.naming(unfinished), unfinished.open("xb") as file:
            files.make_private(unfinished)
            yield file
            file.flush()
            os.fsync(file.fileno())
        files.replace(unfinished, path)
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        advice = "FAT sticks hold no file of 4 GiB: format the stick as exFAT or NTFS, or name another disk."
        raise UsageError("The disk takes no file of that size.", advice) from error
    finally:
        unfinished.unlink(missing_ok=True)
    files.sync_folder(path.parent)


@contextmanager
def _sources(layout: Layout, folder: Path, models: Path | None, *, with_summaries: bool) -> Iterator[list[FileToPack]]:
    """The files of a generation and of what belongs to it, by their paths in the pack."""
    digests: dict[str, str | None] = {**read_digests(folder), MANIFEST_NAME: None}
    found = [
        *(FileToPack(GENERATION + name, folder / name, sha256) for name, sha256 in digests.items()),
        *_encoder_sources(layout, read_info(folder).encoder_digest),
        FileToPack(SETTINGS, layout.settings_file),
        *_list_sources(lists_of(layout, folder)),
        *(_model_sources(models) if models else ()),
    ]
    if layout.authority_list.exists():
        AuthorityList.open(layout.authority_list)  # a damaged one is refused here, not on every laptop
        found.append(FileToPack(AUTHORITY_LIST, layout.authority_list))
    with scratch_folder() as scratch:
        if with_summaries and layout.summaries_file.is_file():
            found.append(FileToPack(SUMMARIES, _snapshot(layout.summaries_file, scratch)))
        yield sorted(found)


def _manifest_of(layout: Layout, folder: Path, sources: Sequence[FileToPack]) -> PackManifest:
    info = read_info(folder)
    return PackManifest(
        made_by=f"briefbank {__version__}",
        generation=folder.name,
        digest=files.file_sha256(folder / MANIFEST_NAME),
        created_at=info.created_at,
        updated_at=_updated_at(layout, info, lists_of(layout, folder)),
        documents=info.document_count,
        passages=info.passage_count,
        encoder_digest=info.encoder_digest,
        files=tuple(
            PackedFile(each.path, each.file.stat().st_size, each.sha256 or files.file_sha256(each.file))
            for each in sources
        ),
    )


def _list_sources(lists: OfficeLists) -> Iterator[FileToPack]:
    """The office's lists; a profile under a name that no program installs is told here, not to all who get the pack."""
    for name, file in lists.files().items():
        if not is_allowed(name):
            advice = "Call it by small letters, digits and hyphens, as `briefbank profile new` does, or remove it."
            raise SettingsError(f"{file} cannot travel in a pack under this name.", advice)
        yield FileToPack(name, file)


def _updated_at(layout: Layout, info: GenerationInfo, lists: OfficeLists) -> str:
    """When the newest of the index and the lists was made; where they came as a pack, what that said. A list that says
    to be of a day to come, more than clocks differ, counts as of now: else every later pack would be older.
    """
    provenance = read_provenance(layout)
    if provenance:
        return provenance.updated_at or info.created_at
    now = datetime.now(UTC)
    told = map(_changed_at, lists.files().values())
    changed = [each if each <= now + _CLOCKS_DIFFER else now for each in told]
    return max(datetime.fromisoformat(info.created_at), *changed, _EARLIEST).isoformat(timespec="seconds")


def _changed_at(file: Path) -> datetime:
    try:
        return datetime.fromtimestamp(int(file.stat().st_mtime), UTC)
    except (OverflowError, ValueError):  # a year that no calendar here has
        return datetime.max.replace(tzinfo=UTC)


def _warnings(lists: OfficeLists) -> Iterator[str]:
    """What is wrong with the lists and keeps nobody from packing them."""
    for name, file in lists.files().items():
        if (changed := _changed_at(file)) > datetime.now(UTC) + _CLOCKS_DIFFER:
            yield (
                f"{name} says that it was changed on {changed:%Y-%m-%d}, which is still to come: it is packed as of "
                "today. Look at the clock of the machine that wrote it, and save it again."
            )


def _encoder_sources(layout: Layout, digest: str) -> list[FileToPack]:
    if substitute_with(digest):
        return []
    folder = layout.encoders / digest
    card = read_card(folder, digest)
    names = {CARD_NAME: None, **card.files}
    return [FileToPack(ENCODER + name, folder / name, sha256) for name, sha256 in names.items()]


def _model_sources(folder: Path) -> list[FileToPack]:
    """The models folder as its manifest has it."""
    models = read_models(folder).model
    if not models:
        return []
    files = [
        FileToPack(
            f"{MODELS}{store_folder(Path(), model.id).as_posix()}/{file.path}",
            Path(model.folder, file.path),
            file.sha256,
        )
        for model in models
        for file in model.files
    ]
    return [FileToPack(f"{MODELS}manifest.toml", folder / "manifest.toml"), *files]


def _snapshot(database: Path, scratch: Path) -> Path:
    """Copy a database that may be in use, so that the same content gives the same file."""
    copy = scratch / database.name
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            opened.execute("VACUUM INTO ?", (str(copy),))
    except sqlite3.DatabaseError as error:
        advice = "Leave them out (--no-summaries), or have them mended: briefbank check --repair"
        raise BankDamagedError(f"The stored summaries cannot be read: {error}.", advice) from error
    return copy


def _write_archive(
    file: BinaryIO, sources: Sequence[FileToPack], manifest: PackManifest, reporter: Reporter, cancel: CancelToken
) -> None:
    """Write every file, each verified while it is read."""
    began, total, done_bytes = time.monotonic(), len(sources), 0
    packer = zstandard.ZstdCompressor(level=_LEVEL, threads=_COMPRESSORS, write_checksum=True)
    with packer.stream_writer(file, closefd=False) as archive:
        for number, (source, packed) in enumerate(zip(sources, manifest.files, strict=True)):
            elapsed = time.monotonic() - began
            left = time_left(elapsed, done_bytes, manifest.unpacked_bytes)
            done_bytes += packed.size_bytes
            reporter(Progress("packing", files_done=number, files_total=total, elapsed_s=elapsed, seconds_left=left))
            archive.write(tar_header(packed))
            for piece in _verified(source.file, packed):
                cancel.check()
                archive.write(piece)
            archive.write(tar_padding(packed))
        archive.write(TAR_END)


def _verified(path: Path, packed: PackedFile) -> Iterator[bytes]:
    """A file's bytes. Raises BankDamagedError at their end where they are not those that the manifest tells of."""
    hashed = hashlib.sha256()
    with path.open("rb") as opened, files.naming(path):
        while piece := opened.read(_READ_BYTES):
            hashed.update(piece)
            yield piece
    if hashed.hexdigest() != packed.sha256:
        raise BankDamagedError(f"{path} is not as it was written.", "See briefbank check. Nothing was packed.")
