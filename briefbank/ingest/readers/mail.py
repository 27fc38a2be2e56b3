"""E-mail saved as a file (EML): who wrote to whom, all its text, and what is attached, read where it is text."""

from __future__ import annotations

import email.policy
import mimetypes
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from html.parser import HTMLParser
from pathlib import Path

from briefbank.errors import DamagedFileError, TooLargeError
from briefbank.ingest.beneath import HeldFile, Readable, size_bytes
from briefbank.ingest.readers.attached import place_of, read_or_name
from briefbank.ingest.readers.lines import typed_page
from briefbank.platform.settings import Settings
from briefbank.values.records import Reading

_MAX_BYTES = 100_000_000
_MAX_DEPTH = 50
"""How deep parts may lie in one another; a mail that was forwarded ten times has about thirty."""
_LATIN = frozenset({"iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii", "windows-1252", "cp1252"})
_NO_WORDS = frozenset({"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"})
"""Parts that only prove who wrote the others."""
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_HIDING = re.compile(
    r"(?:^|;)(?:display:none|visibility:hidden|mso-hide:all|opacity:0(?:\.0+)?(?:;|$|!)|font-size:0?(?:\.\d+)?(?:p[tx]|e?m|%)?(?:;|$|!)"
    r"|font-size:(?:1px|0?\.\d+pt|1pt)(?:;|$|!)"
    r"|(?:left|right|top|text-indent|margin-left):-\d{3,}|clip-path:inset\(100%|clip:rect\(0|transform:scale\(0\)"
    r"|color:(?:transparent|rgba\([^)]*,0(?:\.0+)?\))(?:;|$|!))"
)
_WHITE = re.compile(r"(?:^|;)color:(?:#fff|#ffffff|white|rgb\(255,255,255\)|hsl\([^)]*,100%\))(?:;|$|!)")
_GROUND = re.compile(r"background(?:-color|-image)?:(?!#fff|white|transparent|none)")
_NO_ROOM = re.compile(r"(?:^|;)(?:max-)?(?:height|width):0(?:px|pt)?(?:;|$|!)")
_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_BLOCKS = frozenset("address blockquote br div h1 h2 h3 h4 h5 h6 hr li p pre table td th tr ul ol".split())
_UNSEEN = frozenset({"script", "style", "template", "title", "iframe"})
"""Not `head`: its end may be left out, and what it holds is unseen by itself."""


def read_mail(path: Readable, settings: Settings) -> Reading:
    """Read a mail: its headers as lines, a blank, its text, and each attachment under a heading with its number.

    Raises:
        SourceError: DamagedFileError (it is no mail) or TooLargeError.
    """
    if size_bytes(path) > _MAX_BYTES:
        raise TooLargeError(f"{path.name} is too large for a mail.", "Save what is attached to it, and use that.")
    try:
        mail = message_from_bytes(path.read_bytes(), policy=email.policy.default)
        _require_shallow(mail, path)
        headers = _headers(mail)
        content = _Content(mail, settings)
        created = _day(mail)
    except RecursionError as error:
        raise _too_deep(path) from error
    except (MessageError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise _damaged(path) from error
    if not headers:
        raise _damaged(path)
    rows = [*_head_rows(headers), *content.rows, ""]
    styles = []
    for heading, below in content.attached:
        styles.append((1, sum(map(bool, map(str.strip, rows))), "Heading 1"))
        rows += [heading, "", *below, ""]
    return Reading(
        pages=(typed_page(1, rows),),
        has_pages=False,
        styles=tuple(styles),
        info_title=headers.get("Subject", ""),
        info_author=headers.get("From", ""),
        info_created=created,
        unread_parts=tuple(content.unread),
    )


def _head_rows(headers: Mapping[str, str]) -> list[str]:
    return [*(f"{name}: {value}" for name, value in headers.items()), ""]


def _headers(mail: MIMEPart) -> dict[str, str]:
    return {name: " ".join(str(mail[name]).split()) for name in _HEADERS if mail[name]}


class _Content:
    """The rows of a mail's own text, of each thing attached to it under its heading, and what was not read of these.

    Every part of the mail ends in one of the three: what is no text to be read where it stands is attached.
    """

    def __init__(self, mail: MIMEPart, settings: Settings) -> None:
        self.rows: list[str] = []
        self.attached: list[tuple[str, list[str]]] = []
        self.unread: list[str] = []
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
            if is_shown and (text := _shown_text(part)).strip():
                self.rows += ["", *text.splitlines()] if self.rows else text.splitlines()
        elif kind not in _NO_WORDS and not (kind.startswith("image/") and part.get("Content-ID")):
            self._attach(part)

    def _add_alternatives(self, parts: list[MIMEPart], *, is_shown: bool) -> None:
        """Forms of one text: the first that has any is read, plain text before the web page; many programs send an
        empty plain text beside it. What is attached inside of the others is attached all the same.
        """
        plain_first = sorted(parts, key=lambda part: part.get_content_type() != "text/plain")
        for part in plain_first:
            rows, self.rows = self.rows, []
            self._add(part, is_shown=is_shown)
            is_shown = is_shown and not self.rows
            self.rows = [*rows, *([""] if rows and self.rows else []), *self.rows]

    def _attach(self, part: MIMEPart) -> None:
        number = len(self.attached) + 1
        kind = part.get_content_type()
        name = " ".join((part.get_filename() or _unnamed(part)).split())
        heading = f"Attachment {number}: {name}"
        self.attached.append((heading, []))
        if kind == "message/rfc822":
            inner = part.get_content()
            content = _Content(inner, self._settings)
            rows = [*_head_rows(_headers(inner)), *content.rows]
            for below_heading, below in content.attached:
                rows += ["", below_heading, "", *below]
            unread = [f"{each} in {place_of(number, name)}" for each in content.unread]
        else:
            data = part.get_payload(decode=True)
            held = HeldFile(Path(_safe_name(name, kind)), data if isinstance(data, bytes) else b"")
            rows, unread = read_or_name(number, held, self._settings)
        self.attached[number - 1] = heading, rows
        self.unread += unread


def _is_body(part: MIMEPart) -> bool:
    """Whether a part is text that a mail program shows where it stands."""
    return (
        part.get_content_type() in ("text/plain", "text/html") and not part.is_attachment() and not part.get_filename()
    )


def _shown_text(part: MIMEPart) -> str:
    text = _text(part)
    return _seen(text) if part.get_content_type() == "text/html" else text


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


def html_text(data: bytes) -> str:
    """The text of a web page in a file, as it is seen."""
    try:
        return _seen(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _seen(data.decode("cp1252", "replace"))


def _unnamed(part: MIMEPart) -> str:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_content()
        return f"mail “{inner.get('Subject', '')}”"
    return f"without a name ({part.get_content_type()})"


def _day(mail: EmailMessage) -> str:
    moment = getattr(mail["Date"], "datetime", None) if mail["Date"] else None
    return moment.date().isoformat() if isinstance(moment, datetime) else ""


def _seen(html: str) -> str:
    """The text of a web page as it is seen, block by block."""
    reader = _Seen()
    reader.feed(html)
    reader.close()
    return re.sub(r"\n\s*\n+", "\n\n", "".join(reader.parts)).strip()


class _Seen(HTMLParser):
    """Collects what a browser shows: not what scripts hold, and not what its style hides."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = ""
        self._depth = 0
        """How deep elements of the unseen one's name lie in it."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._unseen:
            self._depth += tag == self._unseen
        elif tag in _UNSEEN or (tag not in _VOID and _hides(dict(attrs))):
            self._unseen, self._depth = tag, 1
        if tag == "body" and self._unseen in _UNSEEN:
            self._unseen = ""  # whatever was left open before it
        elif tag in _BLOCKS and not self._unseen:
            self.parts.append("\n\n" if tag == "p" else "\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unseen:
            self._depth -= 1
        if (tag == self._unseen and not self._depth) or (tag == "head" and self._unseen in _UNSEEN):
            self._unseen = ""
        elif tag in _BLOCKS and not self._unseen:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(re.sub(r"\s+", " ", data))


def _hides(attributes: Mapping[str, str | None]) -> bool:
    """Whether an element is not shown, by its own style; style sheets are not looked up."""
    style = re.sub(r"\s", "", attributes.get("style") or "").lower()
    is_white = _WHITE.search(style) is not None and not _GROUND.search(style)
    has_no_room = _NO_ROOM.search(style) is not None and "overflow:hidden" in style
    return "hidden" in attributes or is_white or has_no_room or _HIDING.search(style) is not None
