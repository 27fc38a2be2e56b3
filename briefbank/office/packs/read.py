"""Reads packs. Only header and footer, 168 bytes, are read before the signature is verified and its key is found among
the trusted ones, so that a stranger's pack costs no more than that. Each file is verified by its SHA-256.

Must not know where the files go.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path

from briefbank.errors import PackError, UsageError
from briefbank.office.packs.base import are_chunks
from briefbank.office.packs.format import (
    FOOTER_BYTES,
    HEADER_BYTES,
    MOST_MANIFEST_BYTES,
    NO_REFERENCE,
    Footer,
    PackedFile,
    PackManifest,
    damaged,
    require_header,
    unpacked,
)
from briefbank.office.packs.references import Gaps, read_gaps, read_reference
from briefbank.office.packs.signing_keys import PublicKey, require_trusted
from briefbank.office.packs.volumes import VolumeReader

_READ_BYTES = 1 << 20


class PackReader:
    """An open pack whose manifest is the one that its footer signs. `signer` is the trusted key that did."""

    def __init__(self, volumes: VolumeReader, name: str, extra: PublicKey | None = None) -> None:
        """Read header and footer, find who signed, and only then read the manifest; `extra` is trusted too.

        Raises:
            PackError, BankNewerError: as `open_pack`.
        """
        self._volumes = volumes
        self.name = name
        head = volumes.read(0, HEADER_BYTES)
        require_header(head)
        footer = Footer.decode(volumes.read(volumes.size_bytes - FOOTER_BYTES, FOOTER_BYTES))
        self.signer = _signer(head, footer, extra)
        self.id = footer.sha256.hex()
        self.manifest = _read_manifest(volumes, footer)
        self._require_blocks(footer)

    def _require_blocks(self, footer: Footer) -> None:
        """See that the blocks fill the pack, and hold as much as the files ask for."""
        manifest = self.manifest
        fresh = sum(each.length for file in manifest.files for each in file.extents if each.base < 0)
        are_sound = (
            HEADER_BYTES + sum(packed for packed, _ in manifest.blocks) == footer.offset
            and sum(size for _, size in manifest.blocks) == fresh
            and all(sum(each.length for each in file.extents) == file.size_bytes for file in manifest.files)
            and all(are_chunks(file.chunks) for file in manifest.files)
        )
        if not are_sound:
            raise damaged("its list of contents contradicts itself")

    def files(self, base: Path | None) -> Iterator[tuple[PackedFile, Iterator[bytes]]]:
        """Yield every file with its bytes; each must be read to its end before the next is asked for.

        `base` is the folder of the earlier generation, where the pack needs one. At its end each stream raises
        PackError unless its SHA-256 is that of the manifest.
        """
        fresh = _Fresh(self._blocks(base))
        for file in self.manifest.files:
            yield file, self._verified(file, base, fresh)

    def _blocks(self, base: Path | None) -> Iterator[bytes]:
        offset = HEADER_BYTES
        references = self.manifest.references or repeat(NO_REFERENCE)
        for (packed, size), reference in zip(self.manifest.blocks, references, strict=False):
            like = b""
            if reference.length:
                like = read_reference(_required(base), self.manifest.base_files, reference)
            block = unpacked(self._volumes.read(offset, packed), size, like)
            if len(block) != size:
                raise damaged("a part of it cannot be unpacked")
            offset += packed
            yield block

    def _verified(self, file: PackedFile, base: Path | None, fresh: _Fresh) -> Iterator[bytes]:
        hashed = hashlib.sha256()
        gaps = Gaps(file.numbers_start)
        for piece in self._stream(file, base, fresh):
            data = gaps.back(piece)
            hashed.update(data)
            yield data
        rest = gaps.finish()
        hashed.update(rest)
        yield rest
        if hashed.hexdigest() != file.sha256:
            raise damaged(f"{file.path} is not as it was packed")

    def _stream(self, file: PackedFile, base: Path | None, fresh: _Fresh) -> Iterator[bytes]:
        for extent in file.extents:
            if extent.base < 0:
                yield from fresh.take(extent.length)
                continue
            source, folder = self.manifest.base_files[extent.base], _required(base)
            for offset in range(extent.offset, extent.offset + extent.length, _READ_BYTES):
                length = min(_READ_BYTES, extent.offset + extent.length - offset)
                yield read_gaps(folder / source.path, source.numbers_start, offset, length)


def _signer(head: bytes, footer: Footer, extra: PublicKey | None) -> PublicKey:
    """The trusted key that signed the footer. Raises PackError where there is none."""
    if not any(footer.public_key):  # a key that would verify, and that nobody holds
        advice = "Ask IT for a pack made by briefbank pack. The bank searches as before."
        raise PackError("The pack is not signed, and was not installed.", advice)
    if not PublicKey("", footer.public_key).has_signed(footer.message(head), footer.signature):
        raise damaged("its signature is wrong")
    return require_trusted(footer.public_key, extra)


def _read_manifest(volumes: VolumeReader, footer: Footer) -> PackManifest:
    """Read the manifest that the footer names. Raises PackError where it is not there, or is another."""
    if footer.offset + footer.length + FOOTER_BYTES != volumes.size_bytes:
        raise damaged("it is shorter or longer than it was made; one of its parts may be missing")
    if footer.length > MOST_MANIFEST_BYTES:
        raise damaged("its list of contents is larger than it may be")
    encoded = volumes.read(footer.offset, footer.length)
    if hashlib.sha256(encoded).digest() != footer.sha256:
        raise damaged("its list of contents is not as it was made")
    return PackManifest.decode(encoded)


def _required(base: Path | None) -> Path:
    if base is None:
        raise damaged("it needs an earlier generation and names none")
    return base


class _Fresh:
    """The unpacked blocks as one stream."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = memoryview(b"")

    def take(self, length: int) -> Iterator[bytes]:
        while length:
            if not self._rest:
                self._rest = memoryview(next(self._blocks))
            part, self._rest = self._rest[:length], self._rest[length:]
            length -= len(part)
            yield bytes(part)


@contextmanager
def open_pack(path: Path, extra: PublicKey | None = None) -> Iterator[PackReader]:
    """Open a pack, all its parts, for reading only; `extra` is a key that is trusted for this pack alone.

    Raises:
        UsageError: there is no such file.
        PackError: it is damaged, not signed, or signed by nobody this machine trusts; also where its medium fails while
            it is read.
        BankNewerError: a newer program made it.
    """
    try:
        volumes = VolumeReader(path)
    except OSError as error:
        raise UsageError(
            f"The pack {path} cannot be opened: {error.strerror}.", "Is the stick or share there?"
        ) from error
    with volumes:
        yield PackReader(volumes, path.name, extra)
