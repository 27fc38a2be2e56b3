"""The record of a draft's check: what was found, what a person decided on it, what could not be checked, and the
statement on AI. Written as JSON, or as a Word document that holds the same JSON beside its text, so that a second check
can take the decisions over. Written only where a person asks for it.

A digest tells whether somebody changed it since. It is no signature: whoever can write the file can make another.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from html import escape, unescape
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from briefbank import __version__
from briefbank.errors import BankNewerError, SourceError, UsageError
from briefbank.matters.check_record import Change, CheckRecord, DecidedFinding, Decision, EarlierRecord
from briefbank.matters.statement import facts
from briefbank.platform.files import new_file, read_bounded
from briefbank.platform.versions import CHECK_RECORD
from briefbank.platform.word import add_table, attach, attached, new_document, saved, shown, words_of
from briefbank.values.findings import Weight

SUFFIXES = (".docx", ".json")
_MOST_BYTES = 64 << 20
_NEWER = "Install the newer BriefBank that wrote it."
_CHANGED = "{} was changed by hand since BriefBank wrote it: nothing of it is taken over."
_REWORDED = "The words of {} were changed by hand since: what is taken over is what BriefBank wrote."
_ADVICE = "Name a record that `briefbank draft --save-record`, or the window, wrote."
_HELD = re.compile(r'<record xmlns="urn:briefbank:check">([^<]*)</record>')
_NO_SIGNATURE = "This record says what was compared with what, and what a person decided. No citator was asked."
_OPEN = "Not to be filed as it stands: of {:,} of the findings above nobody has decided anything."


class _File(msgspec.Struct, frozen=True):
    """A file's content; `sha256` is the digest of the record, `words_sha256` that of the Word document's words."""

    format: Literal["briefbank check"]
    version: Annotated[int, msgspec.Meta(ge=1)]
    record: msgspec.Raw
    sha256: str
    words_sha256: str


def require_record_name(out: Path) -> None:
    """Refuse a name that is neither a Word document's nor one of JSON. Raises UsageError."""
    if out.suffix.casefold() not in SUFFIXES:
        raise UsageError(f"{out.name} is neither a .docx nor a .json.", "Name the record so that it ends with one.")


def write_check_record(record: CheckRecord, out: Path, *, may_replace: bool = False) -> None:
    """Write a record as its name says; the same record gives the same bytes.

    Raises:
        UsageError: the name ends otherwise, or there is a file of that name that may not be replaced.
        NoSpaceError, AccessError: as their names say; nothing is left behind.
    """
    require_record_name(out)
    data = _word(record) if out.suffix.casefold() == ".docx" else msgspec.json.format(_encoded(record), indent=1)
    with new_file(out, may_replace=may_replace) as temporary:
        temporary.write_bytes(data)


def read_check_record(path: Path) -> EarlierRecord:
    """Take a record in.

    Raises:
        SourceError: there is no such file, or it is no record.
        BankNewerError: a newer program wrote it.
    """
    try:
        data = read_bounded(path, _MOST_BYTES)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", _ADVICE) from error
    held = next((unescape(found[1]) for part in attached(data) if (found := _HELD.search(part))), None)
    try:
        file = msgspec.json.decode(data if held is None else held, type=_File)
        told = msgspec.json.decode(file.record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SourceError(f"{path} is no record of a check.", _ADVICE) from error
    if file.version > CHECK_RECORD:
        known = f"this program, briefbank {__version__}, reads up to {CHECK_RECORD}"
        raise BankNewerError(f"{path} has version {file.version}; {known}.", _NEWER)
    if _digest(told) != file.sha256:
        return EarlierRecord(None, "", (_CHANGED.format(path.name),))
    try:
        record = msgspec.convert(told, CheckRecord)
    except msgspec.ValidationError as error:
        raise SourceError(f"{path} is no record of a check.", _ADVICE) from error
    is_as_written = held is None or _sha256(words_of(data).encode()) == file.words_sha256
    return EarlierRecord(record, file.sha256, () if is_as_written else (_REWORDED.format(path.name),))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _digest(told: Any) -> str:
    return _sha256(msgspec.json.encode(told, order="deterministic"))


def _encoded(record: CheckRecord, words: str = "") -> bytes:
    told = msgspec.to_builtins(record)
    held = msgspec.Raw(msgspec.json.encode(told))
    return msgspec.json.encode(_File("briefbank check", CHECK_RECORD, held, _digest(told), _sha256(words.encode())))


def _word(record: CheckRecord) -> bytes:
    title, document = f"Record of the check of {shown(record.draft)}", new_document()
    document.add_paragraph(title, style="Title")
    for line in (_NO_SIGNATURE, *record.notices):
        document.add_paragraph(shown(line))
    add_table(document, ("What", "Which"), _what(record))
    for weight in Weight:
        found = [each for each in record.findings if each.finding.weight is weight]
        document.add_heading(f"{weight.label.capitalize()} ({len(found):,})", 1)
        if found:
            add_table(document, _HEADS, map(_row, found))
    for change, title in ((Change.UNCHECKED, "Not checked this time"), (Change.GONE, "Gone since an earlier check")):
        if found := [each for each in record.gone if each.change is change]:
            document.add_heading(f"{title} ({len(found):,})", 1)
            add_table(document, _HEADS, map(_row, found))
    document.add_heading("What could not be checked", 1)
    for each in record.unchecked:
        document.add_paragraph(shown(f"{each.what}: {each.why}"), style="List Bullet")
    if not record.unchecked:
        document.add_paragraph("Nothing is known of that.")
    statement, *paragraphs = record.statement
    document.add_heading(shown(statement), 1)
    if is_open := record.count(Decision.OPEN):
        document.add_paragraph(_OPEN.format(is_open))
    for line in paragraphs:
        document.add_paragraph(shown(line))
    document.add_heading("What the program knows of AI", 2)
    for line in facts(record.use):
        document.add_paragraph(shown(line))
    data = _encoded(record, words_of(saved(document, title, record.checked)))
    attach(document, f'<record xmlns="urn:briefbank:check">{escape(data.decode(), quote=False)}</record>'.encode())
    return saved(document, title, record.checked)


_HEADS = ("Sheet", "The draft", "What was found, and where", "Decided")


def _what(record: CheckRecord) -> Iterable[tuple[str, str]]:
    yield "Draft", f"{record.draft}{f', last changed {record.dated}' if record.dated else ''}"
    yield "SHA-256", record.sha256
    yield "Checked", f"{record.checked}, with {record.program}"
    if record.matter:
        yield "Matter", record.matter
    yield "Bank", f"index {record.generation}"
    for each in record.lists:
        yield "Record" if each.meant else "List", each.told
    yield "Findings", told_of_decisions(record)
    if record.earlier:
        yield "Earlier record", record.earlier


def told_of_decisions(record: CheckRecord) -> str:
    """Return how many findings there are, how they are decided, and what changed since an earlier check."""
    decided = ", ".join(f"{record.count(each):,} {each}" for each in Decision)
    changes = {each: each.value for each in Change} | {Change.REOPENED: "to be decided again"}
    changed = ", ".join(f"{record.changed(each):,} {said}" for each, said in changes.items()) if record.earlier else ""
    return f"{len(record.findings):,}: {decided}{f'; since the earlier check {changed}' if changed else ''}"


def _row(each: DecidedFinding) -> tuple[str, str, str, str]:
    finding = each.finding
    compared = (f"[{one.told}]{f' “{one.words}”' if one.words else ''}" for one in finding.compared)
    said = [each.decision.value, each.initials, each.note]
    if each.change in (Change.NEW, Change.REOPENED):
        said.insert(1, "new" if each.change is Change.NEW else "decided before, to be decided again")
    return (
        ", ".join(map(str, finding.pages)),
        f"{finding.title}: “{finding.words}”",
        "\n".join((finding.fact, *compared)),
        "; ".join(filter(None, said)),
    )
