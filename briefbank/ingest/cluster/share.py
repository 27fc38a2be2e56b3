"""The folder that all machines of a cluster share: what is to be read lies on it, and what was read.

    SHARE/BANK-RECIPE/job       by what to read: settings, recipe, encoder
    SHARE/BANK-RECIPE/known     digests of contents that need not be read again
    SHARE/BANK-RECIPE/lists/    for each unit, the files that it is made of
    SHARE/BANK-RECIPE/results/  for each unit that was read, all that the bank's cache would hold of it

Every file appears whole, flushed and with a checksum, or not at all. Results hold the texts of briefs: they are removed
as soon as the bank has them. Must not know Dask, nor how files are read.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from briefbank.errors import BankDamagedError
from briefbank.platform.compressed import compress, decompress
from briefbank.platform.files import make_folder, naming, read_bounded, sync_folder

T = TypeVar("T")

_MAGIC = b"bbunit01"
_DIGEST_BYTES = 32
_MOST_BYTES = 1 << 30
"""Of one file on the share: a unit of the largest file that is read (5,000 pages) has a fifth of it."""
_ID_LETTERS = 32


class Job(msgspec.Struct, frozen=True):
    """By what all machines read. `settings` are those of the bank as TOML has them; `engine` names the OCR program with
    its version, `converter` says whether LibreOffice is there; `sample` is how the first machine encodes the
    calibration passages, as bytes of float32.
    """

    program: str
    settings: dict[str, int | float | str]
    recipe: str
    encoder_digest: str
    precision: str
    engine: str
    converter: bool
    citations: bytes
    sample: bytes


class ListedFile(msgspec.Struct, frozen=True):
    """A file of a unit: its path below the folder of briefs with `/` between the parts, and what it was listed as."""

    path: str
    size_bytes: int
    mtime_ns: int


class FileRead(msgspec.Struct, frozen=True):
    """What became of a file: read (`is_new`), known before, or failed with the error of that class."""

    file: ListedFile
    sha256: str | None = None
    is_new: bool = False
    pages: int = 0
    error: tuple[str, str, str] | None = None
    """Class, message and advice."""


class UnitResult(msgspec.Struct, frozen=True):
    """What a unit holds for the bank's cache: items by key and vectors by key with their checksums, as they are kept
    there.
    """

    unit: str
    files: tuple[FileRead, ...]
    items: tuple[tuple[str, bytes], ...]
    vectors: tuple[tuple[bytes, bytes, bytes], ...]


def unit_id(job_id: str, files: Iterable[ListedFile]) -> str:
    """Name a unit by what it is made of: the recipe, and each file's path, size and time."""
    return hashlib.sha256(msgspec.msgpack.encode((job_id, tuple(files)))).hexdigest()[:_ID_LETTERS]


def job_id(bank: str, job: Job) -> str:
    """Name a job by the bank that it is for and by all that changes what is read."""
    by = msgspec.structs.replace(job, sample=b"")
    own = hashlib.sha256(bank.encode()).hexdigest()[: _ID_LETTERS // 2]
    return f"{own}-{hashlib.sha256(msgspec.msgpack.encode(by)).hexdigest()[:_ID_LETTERS]}"


@dataclass(frozen=True, slots=True)
class JobFolder:
    """The folder of one job on the share. Its methods raise OSError where the share does not answer."""

    share: Path
    name: str

    @property
    def folder(self) -> Path:
        return self.share / self.name

    @property
    def is_open(self) -> bool:
        """Whether the job still goes on: a machine that finds it closed stops. Raises OSError without the share."""
        self.share.stat()
        return (self.folder / "job").exists()

    def begin(self, job: Job, known: Iterable[str]) -> None:
        """Say what is to be read, and clear away what earlier recipes of the same bank left."""
        bank, _, _ = self.name.partition("-")
        for other in self.share.glob(f"{bank}-*"):
            if other.name != self.name:
                shutil.rmtree(other, ignore_errors=True)
        for folder in (self.folder, self.folder / "lists", self.folder / "results"):
            make_folder(folder)
        self._write("known", b"".join(sorted(map(bytes.fromhex, known))))
        self._write("job", msgspec.msgpack.encode(job))

    def end(self) -> None:
        """Remove the job with all that is left of it, so that no text stays on the share."""
        with suppress(OSError):
            (self.folder / "job").unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def pause(self) -> None:
        """Have the machines stop, but keep what they read for the next run."""
        with suppress(OSError):
            (self.folder / "job").unlink(missing_ok=True)

    def job(self) -> Job:
        return self._decoded("job", Job)

    def known(self) -> frozenset[str]:
        data = self._read("known")
        return frozenset(data[at : at + _DIGEST_BYTES].hex() for at in range(0, len(data), _DIGEST_BYTES))

    def put_list(self, unit: str, files: tuple[ListedFile, ...]) -> None:
        self._write(f"lists/{unit}", msgspec.msgpack.encode(files))

    def files_of(self, unit: str) -> tuple[ListedFile, ...]:
        return self._decoded(f"lists/{unit}", tuple[ListedFile, ...])

    def put_result(self, result: UnitResult) -> None:
        self._write(f"results/{result.unit}", msgspec.msgpack.encode(result))

    def result(self, unit: str) -> UnitResult | None:
        """Return what was read of a unit; None where that is not there, or not as it was written: it is removed then.

        Raises OSError where the share does not answer.
        """
        try:
            result = self._decoded(f"results/{unit}", UnitResult)
        except FileNotFoundError:
            self.share.stat()
            return None
        except BankDamagedError:
            self.forget(unit)
            return None
        return result if result.unit == unit else None

    def results(self) -> Iterator[str]:
        """The units whose results are there."""
        if (self.folder / "results").is_dir():
            names = (each.name for each in (self.folder / "results").iterdir())
            yield from sorted(name for name in names if len(name) == _ID_LETTERS)

    def forget(self, unit: str) -> None:
        """Remove a unit, with the text that was read of it."""
        for kind in ("lists", "results"):
            (self.folder / kind / unit).unlink(missing_ok=True)

    def _write(self, name: str, data: bytes) -> None:
        """Write a file that appears whole: no two machines ever write under the same temporary name."""
        path = self.folder / name
        framed = _MAGIC + hashlib.sha256(data).digest() + compress(data)
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
        try:
            with naming(path), temporary.open("wb") as file:
                temporary.chmod(0o600)
                file.write(framed)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        with suppress(OSError):  # some network disks flush no folders
            sync_folder(path.parent)

    def _read(self, name: str) -> bytes:
        framed = read_bounded(self.folder / name, _MOST_BYTES)
        head, digest, frame = framed[:8], framed[8 : 8 + _DIGEST_BYTES], framed[8 + _DIGEST_BYTES :]
        try:
            data = decompress(frame) if head == _MAGIC else b""
        except ValueError:
            data = b""
        if hashlib.sha256(data).digest() != digest:
            raise BankDamagedError(f"{self.folder / name} is not as it was written.", "Run the same command again.")
        return data

    def _decoded(self, name: str, kind: type[T]) -> T:
        try:
            return msgspec.msgpack.decode(self._read(name), type=kind)
        except msgspec.ValidationError as error:
            message = f"{self.folder / name} was written by another version of the program."
            raise BankDamagedError(message, "Install the same version on all machines.") from error
