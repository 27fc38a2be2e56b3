"""E-mail saved as a file (EML, MSG): who wrote to whom, all its text, and what is attached, read where it is text."""

from __future__ import annotations

import email.policy
import mimetypes
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from pathlib import Path

from briefbank.errors import DamagedFileError, TooLargeError
from briefbank.ingest.beneath import Allowance, Readable, size_bytes
from briefbank.ingest.readers.attached import Gathered, allowance_of, held_in, place_at, titles_of
from briefbank.ingest.readers.html import shown_text
from briefbank.ingest.readers.lines import typed_page
from briefbank.ingest.readers.outlook import CONTAINER, outlook_message
from briefbank.platform.settings import Settings
from briefbank.values.records import Reading

_MAX_BYTES = 100_000_000
_MAX_DEPTH = 50
"""How deep parts may lie in one another; a mail that was forwarded ten times has about thirty."""
_LATIN = frozenset({"iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii", "windows-1252", "cp1252"})
_NO_WORDS = frozenset({"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"})
"""Parts that only prove who wrote the others."""
_WORD = re.compile(r"[^\W\d_]+")
_NO_WORD = re.compile(r"\bhttps?://\S+|<mailto:[^>]*>|\[(?:cid|image)[^\]]*\]", re.IGNORECASE)
_OTHER_WORDS = 0.01
"""Share of a text's words that another form of it may lack: a form for mail programs without pictures says "click"."""
_HEADERS = ("From", "To", "Cc", "Date", "Subject")


def read_mail(path: Readable, settings: Settings) -> Reading:
    """Read a mail: its headers as lines, a blank, its text, and each attachment under a heading with its number.

    Raises:
        SourceError: DamagedFileError (it is no mail) or TooLargeError.
        Exception: what the libraries stumble over, which `read_file` names.
    """
    if size_bytes(path) > _MAX_BYTES:
        raise TooLargeError(f"{path.name} is too large for a mail.", "Save what is attached to it, and use that.")
    data = path.read_bytes()
    try:
        is_outlook = data.startswith(CONTAINER)
        mail = outlook_message(data) if is_outlook else message_from_bytes(data, policy=email.policy.default)
        _require_shallow(mail, path)
        reading = _reading(mail, path, allowance_of(path), settings)
        created = _day(mail)
    except RecursionError as error:
        raise _too_deep(path) from error
    except MessageError as error:
        raise _damaged(path) from error
    if not _headers(mail):
        raise _damaged(path)
    return replace(reading, info_created=created)


def _reading(mail: MIMEPart, container: Readable, allowance: Allowance, settings: Settings) -> Reading:
    """A mail: a page of its headers and text, with the names of what is attached and not read, and behind it the rest
    of what is attached.
    """
    content, headers = _Content(mail, container, allowance, settings), _headers(mail)
    head = [*(f"{name}: {value}" for name, value in headers.items()), ""]
    content.found.pages[0] = replace(
        typed_page(1, [*head, *content.rows, *content.only_named]), left_out=content.left_out
    )
    return Reading(
        pages=tuple(content.found.pages),
        has_pages=False,
        info_title=headers.get("Subject", ""),
        info_author=headers.get("From", ""),
        unread_parts=tuple(content.found.unread),
        attached=tuple(content.found.attached),
    )


def _headers(mail: MIMEPart) -> dict[str, str]:
    return {name: " ".join(str(mail[name]).split()) for name in _HEADERS if mail[name]}


class _Content:
    """The rows of a mail's own text, what is attached to it, and what was not read of that.

    Every part of the mail ends in one of the three: what is no text to be read where it stands is attached.
    """

    def __init__(self, mail: MIMEPart, container: Readable, allowance: Allowance, settings: Settings) -> None:
        self.rows: list[str] = []
        self.found = Gathered([typed_page(1, [])])
        self.only_named: list[str] = []
        self._count = 0
        self.left_out = 0
        """Words that nobody sees."""
        self._container, self._allowance = container, allowance
        self._settings = settings
        self._add(mail, is_shown=True)

    def _add(self, part: MIMEPart, *, is_shown: bool) -> None:
        kind = part.get_content_type()
        if kind == "multipart/alternative":
            self._add_alternatives(list(part.iter_parts()), is_shown=is_shown)
        elif part.is_multipart() and kind != "message/rfc822":
            for each in part.iter_parts():
                self._add(each, is_shown=is_shown)
        elif _is_body(part):
            text = self._shown_text(part) if is_shown else ""
            if text.strip():
                self.rows += ["", *text.splitlines()] if self.rows else text.splitlines()
        elif kind not in _NO_WORDS and not (kind.startswith("image/") and part.get("Content-ID")):
            self._attach(part)

    def _add_alternatives(self, parts: list[MIMEPart], *, is_shown: bool) -> None:
        """Forms of one text: the last that has any is read, as mail programs show it. What is attached inside of the
        others is attached all the same.
        """
        shown: list[str] = []
        for part in reversed(parts):
            before, self.rows = self.rows, []
            self._add(part, is_shown=is_shown)
            found, self.rows = self.rows, before
            if shown and _says_more(found, shown):
                self.found.unread.append("another form of its text, with other words than mail programs show")
            shown = shown or found
        self.rows += ["", *shown] if self.rows and shown else shown

    def _shown_text(self, part: MIMEPart) -> str:
        if part.get_content_type() != "text/html":
            return _text(part)
        text, hidden_words = shown_text(_text(part))
        self.left_out += hidden_words
        return text

    def _attach(self, part: MIMEPart) -> None:
        self._count += 1
        kind = part.get_content_type()
        name = " ".join((part.get_filename() or _unnamed(part)).split())
        way = ((self._count, name),)
        before = len(self.found.attached)
        if kind == "message/rfc822":
            self.found.add(way, _reading(part.get_content(), self._container, self._allowance, self._settings))
        else:
            data = part.get_payload(decode=True)
            whole = data if isinstance(data, bytes) else b""
            try:
                held = held_in(self._container, self._allowance, _safe_name(name, kind), whole)
            except TooLargeError:
                self.found.unread.append(place_at(way))
            else:
                self.found.read(way, held, self._settings)
        if len(self.found.attached) == before:
            self.only_named += ["", titles_of(way)[-1]]


def _is_body(part: MIMEPart) -> bool:
    """Whether a part is text that a mail program shows where it stands."""
    return (
        part.get_content_type() in ("text/plain", "text/html") and not part.is_attachment() and not part.get_filename()
    )


def _says_more(other: list[str], shown: list[str]) -> bool:
    """Whether one form of a text has words that the other lacks, but for addresses and names of pictures."""
    words, known = (Counter(_WORD.findall(_NO_WORD.sub(" ", " ".join(each)).casefold())) for each in (other, shown))
    return (words - known).total() > _OTHER_WORDS * words.total()


def _safe_name(name: str, kind: str) -> str:
    """A file's name without folders; with the ending of its kind where it has none."""
    bare = re.split(r"[\\/]", name)[-1].replace("\0", "") or "attachment"
    return bare if Path(bare).suffix else bare + (mimetypes.guess_extension(kind) or "")


def _damaged(path: Readable) -> DamagedFileError:
    return DamagedFileError(f"{path.name} is no mail, or is damaged.", "Save it again from the mail program.")


def _require_shallow(mail: EmailMessage, path: Readable) -> None:
    """Refuse a mail whose parts lie in one another without end: what walks them later would run out of stack."""
    level: list[MIMEPart] = [mail]
    for _ in range(_MAX_DEPTH):
        level = [part for each in level if each.is_multipart() for part in each.iter_parts()]
        if not level:
            return
    raise _too_deep(path)


def _too_deep(path: Readable) -> TooLargeError:
    return TooLargeError(
        f"{path.name} has parts in one another, more than {_MAX_DEPTH} deep.",
        "If the mail is trusted, save what is attached to it, and use that.",
    )


def _text(part: MIMEPart) -> str:
    """The text of a part; in a character set that is unknown or not kept to, as far as it can be read. What calls
    itself Latin-1 or ASCII is Windows-1252, as browsers and mail programs take it: its quotation marks lie where the
    others have control characters.
    """
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    named = (part.get_content_charset() or "us-ascii").lower()
    for charset in ("utf-8" if named in _LATIN else named, "utf-8", "cp1252"):
        with suppress(LookupError, UnicodeError):
            return data.decode(charset)
    return data.decode("latin-1")


def _unnamed(part: MIMEPart) -> str:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_content()
        return f"mail “{inner.get('Subject', '')}”"
    return f"without a name ({part.get_content_type()})"


def _day(mail: EmailMessage) -> str:
    moment = getattr(mail["Date"], "datetime", None) if mail["Date"] else None
    return moment.date().isoformat() if isinstance(moment, datetime) else ""
