"""What people correct of documents' metadata, kept in the user's own data folder and never in a bank, and handed to IT.

A file of checksummed lines that is only ever added to (`platform.journal`). Knows documents; must not know the window.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from briefbank.errors import BankInUseError, BriefBankError, UsageError
from briefbank.law.dates import day_as_typed
from briefbank.platform.disk import disk_guard
from briefbank.platform.event_log.log import BUSY_TIMEOUT_S
from briefbank.platform.files import make_folder, write_atomic
from briefbank.platform.journal import BadLine, Journal, Record
from briefbank.platform.layout import own_place
from briefbank.platform.visible import table
from briefbank.values.records import Document, DocumentKind, Fact, Metadata

FIELDS = tuple(field.name for field in fields(Metadata))
CORRECTED_HERE = "corrected here"
"""Where a corrected value is said to come from, as `Fact.found_in`."""
_MOST_CHARACTERS = 1_000
"""Of a value, as in the tables of IT, which take the corrections in."""


class _Line(msgspec.Struct, frozen=True):
    """One correction: of which file by its digest, which field, what the bank said and what it is; an empty `value`
    takes an earlier correction back.
    """

    sha256: str
    field: str
    was: str
    value: str
    at: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A value in the place of what the bank says, for as long as it says that."""

    was: str
    value: str


def default_corrections() -> Path:
    """The file in the user's data folder, or where BRIEFBANK_CORRECTIONS points."""
    return own_place("BRIEFBANK_CORRECTIONS", "corrections.jsonl")


class Corrections:
    """The corrections of one user, read again when another program has added to them."""

    def __init__(self, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        """Name the file, which need not be there; `busy_timeout_s` is how long another program may be writing to it."""
        self._journal = Journal(path)
        self._busy_timeout_s = busy_timeout_s
        self._stamp = (0, 0)
        self._lines: list[Record | BadLine] = []
        self._known: dict[str, dict[str, Correction]] = {}

    def of(self, document: Document) -> Document:
        """Return a document as it was corrected. What the bank says otherwise by now holds again: the office knows."""
        self._read()
        held = self._known.get(document.sha256, {})
        values = {name: each.value for name, each in held.items() if each.was == value_of(document, name)}
        if not values:
            return document
        facts = {name: Fact(value, CORRECTED_HERE) for name, value in values.items()}
        return replace(document, metadata=replace(document.metadata, **facts))

    def add(self, document: Document, name: str, value: str) -> None:
        """Correct a field of a document, given as the bank has it; an empty value takes the correction back.

        Raises:
            UsageError: there is no such field, or the value is none of its kind.
            BankInUseError: another program has been writing for too long.
            NoSpaceError, DiskError, BriefBankError: it could not be written.
        """
        value = _sound(name, value)
        was = value_of(document, name)
        at = datetime.now(UTC).isoformat(timespec="seconds")
        line = _Line(document.sha256, name, was, "" if value == was else value, at)
        folder = self._journal.path.parent
        lock = folder / f".{self._journal.path.name}.lock"
        try:
            with disk_guard(folder, "keeping the correction"):
                make_folder(folder)
                # One at a time: a write that the disk refuses is cut off again, and with it what another one added.
                with FileLock(lock, timeout=self._busy_timeout_s, mode=0o600):
                    self._read()
                    self._mend()
                    self._journal.append([Record(len(self._lines) + 1, msgspec.json.encode(line))])
        except Timeout as error:
            message = "Another program has been writing corrections for long."
            raise BankInUseError(message, "Close the other BriefBank window, or try again in a moment.") from error
        except OSError as error:
            advice = f"Make {self._journal.path} and its folder writable for your account."
            raise BriefBankError(f"The correction could not be kept: {error.strerror}.", advice) from error

    @property
    def state(self) -> tuple[int, int]:
        """What differs as soon as somebody corrects something."""
        self._read()
        return self._stamp

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know: how many corrections cannot be read any more. Said until the next one is made."""
        self._read()
        lost = sum(isinstance(each, BadLine) and not each.is_cut_off for each in self._lines)
        if not lost:
            return ()
        said = f"{lost} of your corrections cannot be read, and their briefs show what the index says."
        advice = "Tell IT; the next correction you make keeps the damaged file under another name."
        return (f"{self._journal.path} is damaged: {said} {advice}",)

    def write_table(self, documents: Iterable[Document], out: Path) -> int:
        """Write what holds of documents, given as the bank has them, as the `briefbank.csv` that IT puts into the
        folder of briefs; files stand in it with their whole paths. Return of how many documents it speaks.
        """
        rows = []
        for document in sorted(documents, key=lambda each: each.source_path):
            now = self.of(document)
            changed = [value_of(now, name) if _is_here(now, name) else "" for name in FIELDS]
            if any(changed):
                rows.append([document.source_path, *changed])
        with disk_guard(out.parent, "writing the corrections"):
            write_atomic(out, table([["file", *FIELDS], *rows], line_end="\n").encode("utf-8-sig"))
        return len(rows)

    def _read(self) -> None:
        try:
            stat = self._journal.path.stat()
            stamp = stat.st_mtime_ns, stat.st_size
        except OSError:
            stamp = 0, 0
        if stamp == self._stamp:
            return
        self._stamp, self._known = stamp, {}
        self._lines = list(self._journal.read())
        for each in self._lines:
            if isinstance(each, Record):
                self._take(each)

    def _mend(self) -> None:
        """Keep a damaged file under another name, and make the file again of the lines that can be read.

        Of a line that was cut off while it was written nothing was told: it is left out, and not added to.
        """
        if self.notices:
            path = self._journal.path
            aside = path.with_name(f"{path.stem}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S%f}{path.suffix}")
            write_atomic(aside, path.read_bytes())
        sound = [each for each in self._lines if isinstance(each, Record)]
        if len(sound) < len(self._lines):
            self._journal.replace(sound)

    def _take(self, record: Record) -> None:
        try:
            line = msgspec.json.decode(record.payload, type=_Line)
            value = _sound(line.field, line.value)
        except (msgspec.MsgspecError, UnicodeDecodeError, UsageError):  # a newer program's, or nobody's
            return
        held = self._known.setdefault(line.sha256, {})
        held.pop(line.field, None)
        if value:
            held[line.field] = Correction(line.was, value)


def value_of(document: Document, name: str) -> str:
    """Return a field's value; empty where nothing is known."""
    fact: Fact | None = getattr(document.metadata, name)
    return fact.value if fact else ""


def _is_here(document: Document, name: str) -> bool:
    fact: Fact | None = getattr(document.metadata, name)
    return fact is not None and fact.found_in == CORRECTED_HERE


def _sound(name: str, value: str) -> str:
    """Return a value as it is kept. Raises UsageError where it makes no sense."""
    value = " ".join(value.split())
    if name not in FIELDS:
        raise UsageError(f"'{name}' is nothing that can be corrected.", f"These are: {', '.join(FIELDS)}.")
    if len(value) > _MOST_CHARACTERS:
        raise UsageError(f"A value has at most {_MOST_CHARACTERS} characters.", "Shorten it.")
    if name == "filed" and value:
        try:
            return day_as_typed(value).isoformat()
        except ValueError as error:
            raise UsageError("That is no date.", "Write it as 2021-11-30.") from error
    kinds = [kind.value for kind in DocumentKind]
    if name == "kind" and value and value not in kinds:
        raise UsageError("That is no kind of document.", f"Kinds are: {', '.join(kinds)}.")
    return value
