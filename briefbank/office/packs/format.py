"""How a pack lies on the disk: a header, compressed blocks, a manifest, and a signed footer.

The header says the version, so that a newer pack is refused by name. The footer signs the manifest, which holds the
SHA-256 of every file. Knows neither banks nor keys. See docs/packs.md.
"""

from __future__ import annotations

import hashlib
import re
import struct
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple, Self

import msgspec
import zstandard

from briefbank import __version__
from briefbank.errors import BankNewerError, PackError
from briefbank.platform import versions

SUFFIX = ".bbpack"
BLOCK_BYTES = 4 << 20
LARGEST_REFERENCE_BYTES = 8 << 20
GENERATION, ENCODER, MODELS = "generation/", "encoder/", "models/"
PROFILES = "profiles/"
SETTINGS, CITATIONS, ALERTS, SUMMARIES = "bank.toml", "citations.toml", "alerts.csv", "summaries.sqlite"

_MAGIC = b"BBPACK\r\n"
_END = b"BBEND\r\n\x1a"
_HEADER = struct.Struct("<8sHH4x")
_PLACE = struct.Struct("<QQ32s")
_FOOTER = struct.Struct("<48s32s64s8s")
HEADER_BYTES, FOOTER_BYTES = _HEADER.size, _FOOTER.size
MOST_MANIFEST_BYTES = 1 << 28
"""Of a manifest, packed and unpacked: 24 bytes for every 8 KiB of the index, so enough for one of 80 GiB."""
_NAME = re.compile(r"[\w!#%&()+,.=@\[\]{}~ -]+")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_PROFILE = re.compile(r"profiles/(?!(?:con|prn|aux|nul|com\d|lpt\d)\.)[0-9a-z-]{1,80}\.toml")
_GENERATION_NAME = re.compile(r"\d{8}T\d{6}Z(-\d{1,4})?")
_COPY_AGAIN = "Copy the pack again, with all its parts, or ask for a new one. The bank searches as before."


class Extent(NamedTuple):
    """A stretch of a file's stream: from the pack's blocks, or (`base` ≥ 0) from a file of the earlier generation."""

    length: int
    base: int = -1
    offset: int = 0


class BaseFile(NamedTuple):
    """A file of the earlier generation that a delta copies from, and where its numbers start (see `gaps`)."""

    path: str
    numbers_start: int


class Reference(NamedTuple):
    """A stretch of a file of the earlier generation that a block was compressed against; of length 0: none."""

    base: int
    offset: int
    length: int


NO_REFERENCE = Reference(-1, 0, 0)


@dataclass(frozen=True, slots=True)
class PackedFile:
    """One file of a pack. Its stream, the file with its numbers as gaps, is the extents one after the other.

    `chunks` holds the length (four bytes) and the digest of each chunk of the stream, for later deltas.
    """

    path: str
    size_bytes: int
    sha256: str
    numbers_start: int
    extents: tuple[Extent, ...]
    chunks: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PackManifest:
    """What a pack holds. `base` is the generation that a delta needs, and `base_digest` that one's; both may be empty.

    `blocks` holds the packed and the unpacked length of each block; `references`, where there are any, what each was
    compressed against. `digest` fields are SHA-256 of `generation.toml`. `updated_at` is when the newest of the index
    and the office's lists was made, by which an older pack is told from a newer one; formats 1.0 and 2.0 have none.
    """

    made_by: str
    bank_format: str
    generation: str
    digest: str
    created_at: str
    documents: int
    passages: int
    encoder_digest: str
    base: str
    base_digest: str
    base_files: tuple[BaseFile, ...]
    files: tuple[PackedFile, ...]
    blocks: tuple[tuple[int, int], ...]
    references: tuple[Reference, ...] = ()
    updated_at: str = ""

    @property
    def unpacked_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)

    @property
    def state_of(self) -> datetime:
        """How new what it holds is."""
        return datetime.fromisoformat(self.updated_at or self.created_at)

    def encode(self) -> bytes:
        """The manifest as it is written."""
        return zstandard.ZstdCompressor(level=9).compress(msgspec.msgpack.encode(self))

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read a manifest and refuse one that names anything outside its own folder.

        Raises:
            PackError: it cannot be understood, or is not in order.
        """
        try:
            manifest = msgspec.msgpack.decode(unpacked(data, MOST_MANIFEST_BYTES), type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:  # a name need not be UTF-8
            raise damaged("its list of contents cannot be read") from error
        manifest.require_order()
        return manifest

    def require_order(self) -> None:
        """Refuse names outside their own places, and contents that contradict themselves. Raises PackError."""
        names = [file.path for file in self.files]
        base_names = [GENERATION + file.path for file in self.base_files]
        for name in (*names, *base_names):
            if not is_allowed(name):
                raise damaged(f"it holds a file under a name that is not allowed: {name!r}")
        if len({name.casefold() for name in names}) != len(names):
            raise damaged("it holds a file twice")
        if not all(_GENERATION_NAME.fullmatch(name) for name in (self.generation, self.base or self.generation)):
            raise damaged("its generation has a name that is not allowed")
        if not _is_time(self.updated_at or self.created_at):
            raise damaged("it does not say how new it is")
        if not re.fullmatch(r"[0-9a-f]{64}", self.encoder_digest):
            raise damaged("its encoder has a name that is not allowed")
        for file in self.files:
            if any(each.length < 1 or each.offset < 0 or each.base >= len(self.base_files) for each in file.extents):
                raise damaged("its list of contents contradicts itself")
        if any(not (packed > 0 and 0 < size <= BLOCK_BYTES) for packed, size in self.blocks):
            raise damaged("its list of contents contradicts itself")
        self._require_references()

    def _require_references(self) -> None:
        for each in self.references:
            is_sound = each.base < len(self.base_files) and each.offset >= 0
            if not (
                each == NO_REFERENCE or (is_sound and each.base >= 0 and 0 < each.length <= LARGEST_REFERENCE_BYTES)
            ):
                raise damaged("its list of contents contradicts itself")
        if len(self.references) not in (0, len(self.blocks)):
            raise damaged("its list of contents contradicts itself")


def made_by() -> str:
    """The program, as a pack names its maker."""
    return f"briefbank {__version__}"


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def is_allowed(name: str) -> bool:
    """Whether a path stays in its folder, and may stand on every file system."""
    if name in (SETTINGS, CITATIONS, ALERTS, SUMMARIES) or _PROFILE.fullmatch(name):
        return True
    parts = name.split("/")
    return (
        name.startswith((GENERATION, ENCODER, MODELS))
        and PurePosixPath(name).as_posix() == name
        and all(
            _NAME.fullmatch(part) and not part.endswith((".", " ")) and not _DEVICE.fullmatch(part) for part in parts
        )
    )


def unpacked(data: bytes, limit: int, like: bytes = b"") -> bytes:
    """Decompress a frame that says it holds no more than `limit` bytes; `like` is what it was compressed against.

    Raises:
        PackError: it cannot be decompressed, or holds more.
    """
    try:
        if not 0 <= zstandard.frame_content_size(data) <= limit:
            raise damaged("a part of it is larger than it may be")
        known = zstandard.ZstdCompressionDict(like, dict_type=zstandard.DICT_TYPE_RAWCONTENT) if like else None
        return zstandard.ZstdDecompressor(dict_data=known).decompress(data, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise damaged("a part of it cannot be unpacked") from error


def damaged(what: str) -> PackError:
    """The error of a pack that cannot be used."""
    return PackError(f"The pack is damaged: {what}.", _COPY_AGAIN)


def header(*, has_references: bool, has_profiles: bool) -> bytes:
    """The first bytes of a pack: older programs install those without references and profiles."""
    without_profiles = versions.DELTA if has_references else versions.WHOLE_PACK
    return _HEADER.pack(_MAGIC, *(versions.PACK if has_profiles else without_profiles))


def require_header(data: bytes) -> None:
    """Check the first bytes of a pack.

    Raises:
        PackError: this is no pack.
        BankNewerError: a newer program wrote it.
    """
    if len(data) != HEADER_BYTES or not data.startswith(_MAGIC):
        advice = f"Name the first part of a pack made by briefbank pack; its name ends in {SUFFIX}."
        raise PackError("This file is not a BriefBank pack, or its beginning is damaged.", advice)
    _, major, minor = _HEADER.unpack(data)
    if major > versions.PACK.major:
        raise BankNewerError(
            f"This pack has format {major}.{minor}; this program, briefbank {__version__}, installs up to "
            f"{versions.PACK}.",
            "Install the newer BriefBank that made it. The bank searches as before.",
        )


@dataclass(frozen=True, slots=True)
class Footer:
    """Where the manifest lies, its SHA-256, and who signed that."""

    offset: int
    length: int
    sha256: bytes
    public_key: bytes = bytes(32)
    signature: bytes = bytes(64)

    @classmethod
    def of(cls, offset: int, manifest: bytes) -> Self:
        """The footer, unsigned, of a manifest written at an offset."""
        return cls(offset, len(manifest), hashlib.sha256(manifest).digest())

    def message(self, head: bytes) -> bytes:
        """What is signed: the pack's header, and all that the footer says of the manifest."""
        return b"BriefBank pack\0" + head + _PLACE.pack(self.offset, self.length, self.sha256)

    def encode(self) -> bytes:
        """The last bytes of a pack."""
        place = _PLACE.pack(self.offset, self.length, self.sha256)
        return _FOOTER.pack(place, self.public_key, self.signature, _END)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read the last bytes of a pack.

        Raises:
            PackError: they are not those of a whole pack.
        """
        if len(data) != FOOTER_BYTES or not data.endswith(_END):
            raise PackError("The pack is not whole: it was cut off, or one of its parts is missing.", _COPY_AGAIN)
        place, public_key, signature, _ = _FOOTER.unpack(data)
        offset, length, sha256 = _PLACE.unpack(place)
        return cls(offset, length, sha256, public_key, signature)
