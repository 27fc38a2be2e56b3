"""What a generation says of itself: how it was built, the SHA-256 of each of its files, held against them, and which
files it lacks because they could not be read, which so travels to machines that have neither the files nor the ledger.

Imports no library of an index, so that files can be hashed while these are imported.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import msgspec

from briefbank.errors import BankDamagedError, BankNewerError
from briefbank.index import MEND_ADVICE
from briefbank.index.tokens import ANALYSER_VERSION
from briefbank.platform import versions
from briefbank.platform.files import COLLECTION_BYTES, file_sha256, parse_toml, read_bounded
from briefbank.values.unreadable import UnreadableFile, UnreadableFiles

MANIFEST_NAME = "generation.toml"
_UNREADABLE_NAME = "unreadable.json"
# Threads, since hashing releases the interpreter's lock. Chosen, not measured.
_HASHERS = 4


class Form(StrEnum):
    """Small: whole vectors, and words weighed by bm25s, which takes 8 GB of memory per million passages to write.

    Large: vectors of half the precision, grouped by nearness, and words in LanceDB's full text, of which the best are
    scored again; nothing but numbers of documents and ids is held in memory. Searching is told nothing of it: `dense`
    and `term_index` answer for both.
    """

    SMALL = "small"
    LARGE = "large"


LARGE_FROM_PASSAGES = 2_000_000
"""What bm25s can write on a machine with 16 GB of memory (docs/decisions, 0025)."""


def form_for(passage_count: int) -> Form:
    """The form of an index of so many passages."""
    return Form.LARGE if passage_count >= LARGE_FROM_PASSAGES else Form.SMALL


@dataclass(frozen=True, slots=True)
class GenerationInfo:
    """What a generation was built with. Indexes and queries must agree on all of it."""

    encoder_digest: str
    encoder_precision: str
    dimension: int
    segmenter: str
    citations: str = ""
    """By which rules its citations were read (`CachedNotes.version`); empty where an older program wrote it."""
    source_digest: str = ""
    """SHA-256 over everything the generation was built from; the same digest means the same content."""
    created_at: str = ""
    analyser: str = ANALYSER_VERSION
    format: int = versions.GENERATION
    form: Form = Form.SMALL
    passage_count: int = 0
    document_count: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a generation, and what to do about it."""

    message: str
    advice: str = MEND_ADVICE


def read_info(folder: Path) -> GenerationInfo:
    """Return what a generation says of itself, without opening its parts. Raises as `require_intact`."""
    return _read(folder)[0]


def read_digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file of a generation but its manifest, by path. Raises as `require_intact`."""
    return _read(folder)[1]


def find_damage(folder: Path) -> list[Finding]:
    """Compare every file with its digest, opening no part; empty where the generation is as it was written.

    Raises:
        BankDamagedError, BankNewerError: the manifest itself cannot be read.
    """
    return _damage(folder, _read(folder)[1])


def require_intact(folder: Path, advice: str = MEND_ADVICE) -> None:
    """Check that every file of a generation is as it was written; opens no part. `advice` is for the errors.

    Raises:
        BankDamagedError: one is not, or the manifest cannot be read; named in the message.
        BankNewerError: a newer program wrote it.
    """
    for finding in find_damage(folder):
        raise BankDamagedError(finding.message, advice)


def _damage(folder: Path, digests: Mapping[str, str]) -> list[Finding]:
    """Compare the files with their digests, several at a time: hashing leaves the interpreter free."""

    def check(name: str) -> Finding | None:
        try:
            is_intact = file_sha256(folder / name) == digests[name]
        except FileNotFoundError:
            return Finding(f"{name} is missing from the index {folder.name}.")
        except OSError as error:
            return Finding(f"{name} of the index {folder.name} cannot be read: {error.strerror}.")
        return None if is_intact else Finding(f"{name} of the index {folder.name} is not as it was written.")

    with ThreadPoolExecutor(max_workers=_HASHERS) as hashers:
        return [finding for finding in hashers.map(check, digests) if finding is not None]


def _read(folder: Path) -> tuple[GenerationInfo, dict[str, str]]:
    path = folder / MANIFEST_NAME
    try:
        table = parse_toml(read_bounded(path, COLLECTION_BYTES).decode())
        written_format = table["generation"]["format"]
        if written_format > versions.GENERATION_LARGE:
            message = (
                f"The index {folder.name} has format {written_format}; this program reads up to "
                f"{versions.GENERATION_LARGE}."
            )
            raise BankNewerError(message, "Install the newer BriefBank that wrote it.")
        return msgspec.convert(table["generation"], GenerationInfo), msgspec.convert(table["files"], dict[str, str])
    except (
        OSError,
        tomllib.TOMLDecodeError,
        UnicodeDecodeError,
        KeyError,
        TypeError,
        msgspec.ValidationError,
    ) as error:
        raise BankDamagedError(f"The index {folder.name} has no readable {MANIFEST_NAME}.", MEND_ADVICE) from error


class _Version(msgspec.Struct, frozen=True):
    version: int


class _Table(_Version, frozen=True):
    known_files: int
    files: tuple[UnreadableFile, ...]


def write_unreadable(folder: Path, unreadable: UnreadableFiles) -> None:
    """Write which files could not be read into the folder of a generation that is being made."""
    table = _Table(versions.UNREADABLE, unreadable.known_files, unreadable.files)
    (folder / _UNREADABLE_NAME).write_bytes(msgspec.json.encode(table))


def read_unreadable(folder: Path) -> UnreadableFiles | None:
    """Return which files a generation lacks; None where an older program wrote it, or a newer one in another form.

    Raises:
        BankDamagedError: it cannot be read.
    """
    try:
        data = read_bounded(folder / _UNREADABLE_NAME, COLLECTION_BYTES)
        if msgspec.json.decode(data, type=_Version).version > versions.UNREADABLE:
            return None
        table = msgspec.json.decode(data, type=_Table)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BankDamagedError(f"The index {folder.name} has no readable {_UNREADABLE_NAME}.", MEND_ADVICE) from error
    return UnreadableFiles(table.known_files, table.files)
