"""How a pack lies on the disk: a signed head, a manifest, and the files as one tar archive compressed by Zstandard.

The head says the version, so that a pack of another one is refused by name, and signs the manifest, which holds the
SHA-256 of every file. Knows neither banks nor trusted keys. See docs/packs.md.
"""

from __future__ import annotations

import hashlib
import re
import struct
import tarfile
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Self

import msgspec

from briefbank import __version__
from briefbank.errors import BankNewerError, PackError
from briefbank.platform import versions

SUFFIX = ".bbpack"
GENERATION, ENCODER, MODELS = "generation/", "encoder/", "models/"
SETTINGS, CITATIONS, ALERTS, SUMMARIES = "bank.toml", "citations.toml", "alerts.csv", "summaries.sqlite"
STATEMENT = "statement.toml"
AUTHORITY_LIST = "authorities.list"

_MAGIC = b"BBPACK\r\n"
_VERSION = struct.Struct("<8sHH4x")
_SIGNED = struct.Struct("<8sHH4xQQ32s")
_HEAD = struct.Struct(f"<{_SIGNED.size}s32s64s")
HEAD_BYTES = _HEAD.size
MOST_MANIFEST_BYTES = 1 << 24
"""About 150 bytes a file: enough for 100,000 files, where a generation has a few hundred."""
TAR_BLOCK_BYTES = tarfile.BLOCKSIZE
TAR_END = bytes(2 * TAR_BLOCK_BYTES)
_NAME = re.compile(r"[\w!#%&()+,.=@\[\]{}~ -]+")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_PROFILE = re.compile(r"profiles/(?!(?:con|prn|aux|nul|com\d|lpt\d)\.)[0-9a-z-]{1,80}\.toml")
_GENERATION_NAME = re.compile(r"\d{8}T\d{6}Z(-\d{1,4})?")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COPY_AGAIN = "Copy the pack again, or ask for a new one. The bank searches as before."


@dataclass(frozen=True, slots=True)
class PackedFile:
    """One file of a pack."""

    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PackManifest:
    """What a pack holds. `digest` is the SHA-256 of the generation's own manifest; `updated_at` is when the newest of
    the index and the office's lists was made, by which an older pack is told from a newer one.
    """

    made_by: str
    generation: str
    digest: str
    created_at: str
    updated_at: str
    documents: int
    passages: int
    encoder_digest: str
    files: tuple[PackedFile, ...]

    @property
    def unpacked_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)

    @property
    def updated(self) -> datetime:
        """How new what it holds is."""
        return datetime.fromisoformat(self.updated_at)

    def encode(self) -> bytes:
        """The manifest as it is written."""
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read a manifest and refuse one that names anything outside its own folder.

        Raises:
            PackError: it cannot be understood, or is not in order.
        """
        try:
            manifest = msgspec.json.decode(data, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:  # a name need not be UTF-8
            raise damaged("its list of contents cannot be read") from error
        manifest.require_order()
        return manifest

    def require_order(self) -> None:
        """Refuse names outside their own places, and contents that contradict themselves. Raises PackError."""
        names = [file.path for file in self.files]
        for name in names:
            if not is_allowed(name):
                raise damaged(f"it holds a file under a name that is not allowed: {name!r}")
        if len({name.casefold() for name in names}) != len(names):
            raise damaged("it holds a file twice")
        if not _GENERATION_NAME.fullmatch(self.generation):
            raise damaged("its generation has a name that is not allowed")
        if not _SHA256.fullmatch(self.encoder_digest):
            raise damaged("its encoder has a name that is not allowed")
        if not _is_time(self.updated_at):
            raise damaged("it does not say how new it is")
        if any(file.size_bytes < 0 for file in self.files):
            raise damaged("its list of contents contradicts itself")


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def is_allowed(name: str) -> bool:
    """Whether a path stays in its folder, and may stand on every file system."""
    if name in (SETTINGS, CITATIONS, ALERTS, STATEMENT, SUMMARIES, AUTHORITY_LIST) or _PROFILE.fullmatch(name):
        return True
    parts = name.split("/")
    return (
        name.startswith((GENERATION, ENCODER, MODELS))
        and PurePosixPath(name).as_posix() == name
        and all(
            _NAME.fullmatch(part) and not part.endswith((".", " ")) and not _DEVICE.fullmatch(part) for part in parts
        )
    )


def tar_header(file: PackedFile) -> bytes:
    """What stands before a file in the archive. It follows from the manifest, so that no header of a pack is parsed:
    the reader holds what it finds against this.
    """
    info = tarfile.TarInfo(file.path)
    info.size, info.mode = file.size_bytes, 0o600
    return info.tobuf(tarfile.GNU_FORMAT, "utf-8", "strict")


def tar_padding(file: PackedFile) -> bytes:
    """What stands behind a file in the archive."""
    return bytes(-file.size_bytes % TAR_BLOCK_BYTES)


def damaged(what: str) -> PackError:
    """The error of a pack that cannot be used."""
    return PackError(f"The pack is damaged: {what}.", _COPY_AGAIN)


@dataclass(frozen=True, slots=True)
class Head:
    """The first bytes of a pack: its size, its manifest's size and SHA-256, and who signed all that."""

    pack_bytes: int
    manifest_bytes: int
    manifest_sha256: bytes
    public_key: bytes = bytes(32)
    signature: bytes = bytes(64)

    @classmethod
    def unsigned(cls, manifest: bytes, pack_bytes: int) -> Self:
        """The head, unsigned, of a pack with this manifest."""
        return cls(pack_bytes, len(manifest), hashlib.sha256(manifest).digest())

    def message(self) -> bytes:
        """What is signed."""
        return b"BriefBank pack\0" + self._signed()

    def _signed(self) -> bytes:
        return _SIGNED.pack(_MAGIC, *versions.PACK, self.pack_bytes, self.manifest_bytes, self.manifest_sha256)

    def signed(self, public_key: bytes, signature: bytes) -> Self:
        """The head with who signed it."""
        return replace(self, public_key=public_key, signature=signature)

    def encode(self) -> bytes:
        """The first bytes of a pack."""
        return _HEAD.pack(self._signed(), self.public_key, self.signature)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read the first bytes of a pack.

        Raises:
            PackError: this is no pack, it is cut off, or an earlier program wrote it.
            BankNewerError: a newer program wrote it.
        """
        _require_version(data)
        if len(data) != HEAD_BYTES:
            raise PackError("The pack is not whole: it was cut off.", _COPY_AGAIN)
        signed, public_key, signature = _HEAD.unpack(data)
        *_, pack_bytes, manifest_bytes, manifest_sha256 = _SIGNED.unpack(signed)
        head = cls(pack_bytes, manifest_bytes, manifest_sha256, public_key, signature)
        if head.encode() != data:  # the unused bytes of the version, or its minor number
            raise damaged("its beginning is not as it was made")
        return head


def _require_version(data: bytes) -> None:
    if len(data) < _VERSION.size or not data.startswith(_MAGIC):
        advice = f"Name a pack made by briefbank pack; its name ends in {SUFFIX}."
        raise PackError("This file is not a BriefBank pack, or its beginning is damaged.", advice)
    _, major, minor = _VERSION.unpack_from(data)
    if major > versions.PACK.major:
        raise BankNewerError(
            f"This pack has format {major}.{minor}; this program, briefbank {__version__}, installs {versions.PACK}.",
            "Install the newer BriefBank that made it. The bank searches as before.",
        )
    if major < versions.PACK.major:
        raise PackError(
            f"This pack has format {major}.{minor}, of an earlier BriefBank; this program installs {versions.PACK}.",
            "Have it made anew with this version (briefbank pack). The bank searches as before.",
        )
