"""Reads packs from their first byte to their last. Only the head is read before its signature is verified and its key
found among the trusted ones, so that a stranger's pack costs no more than that. Each file is verified by its SHA-256.

Must not know where the files go.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import zstandard

from briefbank.errors import PackError, UsageError
from briefbank.office.packs.format import (
    HEAD_BYTES,
    MOST_MANIFEST_BYTES,
    TAR_END,
    Head,
    PackedFile,
    PackManifest,
    damaged,
    tar_header,
    tar_padding,
)
from briefbank.office.packs.signing_keys import PublicKey, require_trusted
from briefbank.platform.files import require_regular

_READ_BYTES = 1 << 20
_MOST_WINDOW_BYTES = 8 << 20
"""What unpacking may take as memory for what lies behind; packs are made with 2 MiB."""


class PackReader:
    """An open pack whose manifest is the one that its head signs. `signer` is the trusted key that did."""

    def __init__(self, file: BinaryIO, size_bytes: int, name: str, extra: PublicKey | None = None) -> None:
        """Read the head, find who signed it, and only then read the manifest; `extra` is trusted too.

        Raises:
            PackError, BankNewerError: as `open_pack`.
        """
        self._file = file
        self.name = name
        head = Head.decode(self._file.read(HEAD_BYTES))
        self.signer = _signer(head, extra)
        if head.pack_bytes != size_bytes:
            raise damaged(f"it has {size_bytes} bytes and was made with {head.pack_bytes}; it may have been cut off")
        if head.manifest_bytes > MOST_MANIFEST_BYTES:
            raise damaged("its list of contents is larger than it may be")
        encoded = self._file.read(head.manifest_bytes)
        if hashlib.sha256(encoded).digest() != head.manifest_sha256:
            raise damaged("its list of contents is not as it was made")
        self.manifest = PackManifest.decode(encoded)
        self.id = head.manifest_sha256.hex()

    def files(self) -> Iterator[tuple[PackedFile, Iterator[bytes]]]:
        """Yield every file with its bytes, once; each must be read to its end before the next is asked for.

        At its end each stream raises PackError unless its SHA-256 is that of the manifest.
        """
        unpacker = zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW_BYTES)
        with unpacker.stream_reader(self._file, read_across_frames=True, closefd=False) as archive:
            for file in self.manifest.files:
                _expect(archive, tar_header(file))
                yield file, _verified(archive, file)
                _expect(archive, tar_padding(file))
            _expect(archive, TAR_END)
            if _read(archive, 1):
                raise damaged("it is longer than it was made")


def _signer(head: Head, extra: PublicKey | None) -> PublicKey:
    """The trusted key that signed the head. Raises PackError where there is none."""
    if not any(head.public_key):  # a key that would verify, and that nobody holds
        advice = "Ask IT for a pack made by briefbank pack. The bank searches as before."
        raise PackError("The pack is not signed, and was not installed.", advice)
    if not PublicKey("", head.public_key).has_signed(head.message(), head.signature):
        raise damaged("its signature is wrong")
    return require_trusted(head.public_key, extra)


def _verified(archive: zstandard.ZstdDecompressionReader, file: PackedFile) -> Iterator[bytes]:
    hashed, left = hashlib.sha256(), file.size_bytes
    while left:
        piece = _read(archive, min(left, _READ_BYTES))
        if not piece:
            raise damaged(f"it ends within {file.path}")
        hashed.update(piece)
        left -= len(piece)
        yield piece
    if hashed.hexdigest() != file.sha256:
        raise damaged(f"{file.path} is not as it was packed")


def _expect(archive: zstandard.ZstdDecompressionReader, known: bytes) -> None:
    """Read what follows from the manifest. Raises PackError where the archive has something else."""
    if _read(archive, len(known)) != known:
        raise damaged("its archive is not the one that its list of contents tells of")


def _read(archive: zstandard.ZstdDecompressionReader, size: int) -> bytes:
    try:
        return archive.read(size)
    except zstandard.ZstdError as error:
        raise damaged("a part of it cannot be unpacked") from error


class _Medium(io.FileIO):
    """The pack's file. Where its medium fails, that is told apart from the bank's disk failing."""

    def readinto(self, buffer: Any) -> int | None:
        try:
            return super().readinto(buffer)
        except OSError as error:
            advice = "Copy the pack to a local disk, or try another stick. The bank searches as before."
            raise PackError(f"The pack cannot be read any further: {error.strerror}.", advice) from error


@contextmanager
def open_pack(path: Path, extra: PublicKey | None = None) -> Iterator[PackReader]:
    """Open a pack for reading only; `extra` is a key that is trusted for this pack alone.

    Raises:
        UsageError: there is no such file.
        PackError: it is damaged, not signed, signed by nobody this machine trusts, or made by an earlier program; also
            where its medium fails while it is read.
        BankNewerError: a newer program made it.
    """
    try:
        require_regular(path)  # to open a pipe would wait for whoever writes to it
        medium = _Medium(path)
    except OSError as error:
        advice = "Is the stick or share there?"
        raise UsageError(f"The pack {path} cannot be opened: {error.strerror}.", advice) from error
    with io.BufferedReader(medium) as file:
        yield PackReader(file, path.stat().st_size, path.name, extra)
