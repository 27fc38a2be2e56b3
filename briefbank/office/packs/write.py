"""Writes packs: streams the files of a bank through hash, chunks and compression, and signs what came of it.

The same bank, key and options give the same bytes. Nothing is held whole in memory but the list of chunks.
"""

from __future__ import annotations

import errno
import hashlib
import shutil
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from briefbank.errors import BankDamagedError, UsageError
from briefbank.office.packs.base import LARGEST_BYTES, Base, chunk_digest, pack_chunk, read_pieces, stream_chunks
from briefbank.office.packs.contents import Contents, FileToPack, contents_of
from briefbank.office.packs.fit import holds
from briefbank.office.packs.format import (
    BLOCK_BYTES,
    ENCODER,
    GENERATION,
    PROFILES,
    Extent,
    Footer,
    PackedFile,
    PackManifest,
    Reference,
    header,
    made_by,
)
from briefbank.office.packs.read import PackReader, open_pack
from briefbank.office.packs.references import SPAN_BYTES, Packed, Place, References, compressed, numbers_start
from briefbank.office.packs.signing_keys import PublicKey, own_key, sign
from briefbank.office.packs.volumes import LARGEST_VOLUME_BYTES, VolumeWriter, writing_volumes
from briefbank.platform import versions
from briefbank.platform.disk import disk_guard
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Progress, Reporter, silent, time_left
from briefbank.platform.scratch import scratch_folder

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_COMPRESSORS = 2
_SPARE_BYTES = 64 << 20
_SPACE_ADVICE = "Free some space there, or name another disk, and run the same command again."


@dataclass(frozen=True, slots=True)
class PackReport:
    """What was packed. `base` is the generation that a delta needs, or empty."""

    parts: tuple[str, ...]
    generation: str
    base: str
    documents: int
    passages: int
    files: int
    unpacked_bytes: int
    bytes: int
    seconds: float


def write_pack(
    layout: Layout,
    out: Path,
    private_key: Ed25519PrivateKey,
    *,
    since: str = "",
    models: Path | None = None,
    with_summaries: bool = True,
    volume_bytes: int = LARGEST_VOLUME_BYTES,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> PackReport:
    """Pack the live generation; with `since`, the path of an earlier pack or the name of an earlier generation, only
    what changed.

    Raises:
        UsageError: the file is there already, or `since` names nothing.
        BankMissingError, BankDamagedError, ModelError: there is no index, or it cannot be used.
        NoSpaceError, CancelledError: as their names say; nothing is left behind.
    """
    began = time.monotonic()
    cancel = cancel or CancelToken()
    with (
        _base(layout, since, own_key(private_key), reporter, cancel) as base,
        contents_of(layout, models, with_summaries=with_summaries) as contents,
        writing_volumes(out, volume_bytes) as writer,
        disk_guard(out.parent, "writing the pack", _SPACE_ADVICE),
    ):
        sources = [each for each in contents.sources if not _is_known_encoder(each, contents, base)]
        has_profiles = any(each.path.startswith(PROFILES) for each in sources)
        writing = _Writing(writer, base, _Meter(reporter, cancel, sources), has_profiles=has_profiles)
        manifest = writing.whole(contents, sources)
        _finish(writer, manifest, private_key, writing.header)
        parts = _published(writer)
    return PackReport(
        tuple(map(str, parts)),
        manifest.generation,
        manifest.base,
        manifest.documents,
        manifest.passages,
        len(manifest.files),
        manifest.unpacked_bytes,
        writer.written_bytes,
        time.monotonic() - began,
    )


@contextmanager
def _base(layout: Layout, since: str, key: PublicKey, reporter: Reporter, cancel: CancelToken) -> Iterator[Base | None]:
    """What a delta builds on: the earlier generation, where it is held, or an earlier pack that `key`, or one trusted
    here, has signed.
    """
    if not since:
        yield None
        return
    reporter(Progress("reading the earlier index"))
    if Path(since).is_file():
        with open_pack(Path(since), key) as earlier, scratch_folder() as scratch:
            folder: Path | None = layout.generation(earlier.manifest.generation)
            if folder and not holds(folder, earlier.manifest):
                folder = _unpacked_generation(earlier, scratch, cancel)
            yield replace(Base.of_manifest(earlier.manifest), folder=folder)
    elif "." not in since and Path(since).name == since and layout.generation(since).is_dir():
        yield Base.of_folder(layout.generation(since))
    else:
        advice = "Name an earlier pack, or one of the generations that briefbank status tells of."
        raise UsageError(f"There is no earlier pack or generation {since}.", advice)


def _unpacked_generation(pack: PackReader, folder: Path, cancel: CancelToken) -> Path | None:
    """Unpack the index of an earlier pack for the while; None where that cannot be, and a delta is larger."""
    if pack.manifest.base or shutil.disk_usage(folder).free < pack.manifest.unpacked_bytes + _SPARE_BYTES:
        return None
    for file, pieces in pack.files(None):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as opened:
            for piece in pieces:
                cancel.check()
                opened.write(piece)
    return folder / GENERATION


def _is_known_encoder(source: FileToPack, contents: Contents, base: Base | None) -> bool:
    """Whether whoever has the earlier generation has this file of the encoder too."""
    return bool(base and base.encoder_digest == contents.info.encoder_digest and source.path.startswith(ENCODER))


def _finish(writer: VolumeWriter, manifest: PackManifest, private_key: Ed25519PrivateKey, head: bytes) -> None:
    encoded = manifest.encode()
    footer = Footer.of(writer.written_bytes, encoded)
    public_key, signature = sign(private_key, footer.message(head))
    writer.write(encoded)
    writer.write(replace(footer, public_key=public_key, signature=signature).encode())


def _published(writer: VolumeWriter) -> tuple[Path, ...]:
    try:
        return writer.publish()
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        raise UsageError("The disk takes no file of that size.", "Ask for smaller parts with --volume-size.") from error


class _Meter:
    """Tells how far the work is, file by file, and stops it when asked."""

    def __init__(self, reporter: Reporter, cancel: CancelToken, sources: Sequence[FileToPack]) -> None:
        self._reporter, self._cancel = reporter, cancel
        self._ends = list(accumulate((source.file.stat().st_size for source in sources), initial=0))
        self._began = time.monotonic()

    def at(self, number: int) -> None:
        self.check()
        elapsed = time.monotonic() - self._began
        left = time_left(elapsed, self._ends[number], self._ends[-1])
        total = len(self._ends) - 1
        self._reporter(Progress("packing", files_done=number, files_total=total, elapsed_s=elapsed, seconds_left=left))

    def check(self) -> None:
        self._cancel.check()


class _Writing:
    """One pack on its way."""

    def __init__(self, writer: VolumeWriter, base: Base | None, meter: _Meter, *, has_profiles: bool) -> None:
        self._writer, self._base, self._meter = writer, base, meter
        self._references = References(base.folder, base.files) if base and base.folder else None
        self.header = header(has_references=self._references is not None, has_profiles=has_profiles)

    def whole(self, contents: Contents, sources: list[FileToPack]) -> PackManifest:
        """Write everything but the manifest, and return that."""
        self._writer.write(self.header)
        with ThreadPoolExecutor(_COMPRESSORS) as compressors:
            blocks = _Blocks(self._writer, compressors, self._references)
            files = []
            for number, source in enumerate(sources):
                self._meter.at(number)
                files.append(self._file(source, blocks))
            blocks.finish()
        base = self._base
        return PackManifest(
            made_by=made_by(),
            bank_format=str(versions.PACKED_BANK),
            generation=contents.generation,
            digest=contents.digest,
            created_at=contents.info.created_at,
            documents=contents.info.document_count,
            passages=contents.info.passage_count,
            encoder_digest=contents.info.encoder_digest,
            base=base.generation if base else "",
            base_digest=base.digest if base else "",
            base_files=base.files if base else (),
            files=tuple(files),
            blocks=tuple(blocks.lengths),
            references=tuple(blocks.used) if self._references else (),
            updated_at=contents.updated_at,
        )

    def _file(self, source: FileToPack, blocks: _Blocks) -> PackedFile:
        hashed = hashlib.sha256()
        size = 0

        def pieces() -> Iterator[bytes]:
            nonlocal size
            for piece in read_pieces(source.file):
                hashed.update(piece)
                size += len(piece)
                yield piece

        start = numbers_start(source.file)
        extents, entries = _Extents(), []
        places = self._base.places if self._base else {}
        aim = None
        if self._references and source.path.startswith(GENERATION):
            aim = self._references.aim(source.path.removeprefix(GENERATION), source.file.stat().st_size)
        for chunk in stream_chunks(pieces(), start):
            self._meter.check()
            digest = chunk_digest(chunk)
            entries.append(pack_chunk(chunk, digest))
            place = places.get(digest)
            extents.add(len(chunk), place)
            if place is None:
                blocks.add(chunk, aim.place if aim else None)
            if aim:
                aim.pass_over(len(chunk), place)
        if source.sha256 not in (None, hashed.hexdigest()):
            raise BankDamagedError(
                f"{source.file} is not as it was written.", "See briefbank check. Nothing was packed."
            )
        return PackedFile(source.path, size, hashed.hexdigest(), start, extents.all(), b"".join(entries))


class _Extents:
    """Collects where a stream comes from, neighbours joined."""

    def __init__(self) -> None:
        self._found: list[Extent] = []

    def add(self, length: int, place: tuple[int, int] | None) -> None:
        base, offset = place or (-1, 0)
        last = self._found[-1] if self._found else None
        if last and last.base == base and (base < 0 or last.offset + last.length == offset):
            self._found[-1] = last._replace(length=last.length + length)
        else:
            self._found.append(Extent(length, base, offset))

    def all(self) -> tuple[Extent, ...]:
        return tuple(self._found)


class _Blocks:
    """Gathers fresh chunks into blocks and compresses several at a time; they are written in their order.

    The chunks of one block have their like near one another in one file of the earlier generation, or none at all.
    """

    def __init__(self, writer: VolumeWriter, compressors: ThreadPoolExecutor, references: References | None) -> None:
        self._writer, self._compressors, self._references = writer, compressors, references
        self._gathered: list[bytes] = []
        self._gathered_bytes = 0
        self._likes: list[Place] = []
        self._waiting: deque[tuple[int, Future[Packed]]] = deque()
        self.lengths: list[tuple[int, int]] = []
        self.used: list[Reference] = []

    def add(self, chunk: bytes, like: Place | None) -> None:
        """Take the next chunk; `like` is where its like is likely to be found."""
        if self._gathered and (self._gathered_bytes + len(chunk) > BLOCK_BYTES or not self._is_near(like)):
            self._compress()
        self._gathered.append(chunk)
        self._gathered_bytes += len(chunk)
        if like:
            self._likes += like, (like[0], like[1] + len(chunk))

    def _is_near(self, like: Place | None) -> bool:
        if like is None or not self._likes:
            return like is None and not self._likes
        first = self._likes[0]
        return like[0] == first[0] and abs(like[1] - first[1]) < SPAN_BYTES - LARGEST_BYTES

    def finish(self) -> None:
        if self._gathered:
            self._compress()
        while self._waiting:
            self._write_next()

    def _compress(self) -> None:
        block, likes = b"".join(self._gathered), self._likes
        self._gathered, self._gathered_bytes, self._likes = [], 0, []
        if self._references and likes:
            reference = self._references.around(likes[0][0], min(likes)[1], max(likes)[1])
            packed = self._compressors.submit(self._references.compressed, block, reference)
        else:
            packed = self._compressors.submit(compressed, block)
        self._waiting.append((len(block), packed))
        while len(self._waiting) > _COMPRESSORS:
            self._write_next()

    def _write_next(self) -> None:
        length, packed = self._waiting.popleft()
        data, reference = packed.result()
        self._writer.write(data)
        self.lengths.append((len(data), length))
        self.used.append(reference)
