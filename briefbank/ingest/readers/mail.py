"""E-mail saved as a file (EML): who wrote to whom, the text, and the names of what was attached.

What is attached is not opened: saved beside the mail, it is a file like any other.
"""

from __future__ import annotations

import email.policy
import re
from datetime import datetime
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from html.parser import HTMLParser

from briefbank.errors import DamagedFileError, TooLargeError
from briefbank.ingest.beneath import Readable
from briefbank.ingest.readers.lines import typed_page
from briefbank.values.records import Reading

_MAX_BYTES = 100_000_000
_MAX_DEPTH = 50
"""How deep parts may lie in one another; a mail that was forwarded ten times has about thirty."""
_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_BLOCKS = frozenset("address blockquote br div h1 h2 h3 h4 h5 h6 hr li p pre table td th tr ul ol".split())
_UNSEEN = frozenset({"script", "style", "template", "title"})
"""Not `head`: its end may be left out, and what it holds is unseen by itself."""


def read_mail(path: Readable) -> Reading:
    """Read a mail: its headers as lines, a blank, its text, and a line for each attachment.

    Raises:
        SourceError: DamagedFileError (it is no mail) or TooLargeError.
    """
    if path.stat().st_size > _MAX_BYTES:
        raise TooLargeError(f"{path.name} is too large for a mail.", "Save what is attached to it, and use that.")
    try:
        mail = message_from_bytes(path.read_bytes(), policy=email.policy.default)
        _require_shallow(mail, path)
        headers = {name: " ".join(str(mail[name]).split()) for name in _HEADERS if mail[name]}
        body = _body(mail)
        attached = _attached(mail)
        created = _day(mail)
    except RecursionError as error:
        raise _too_deep(path) from error
    except (MessageError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise _damaged(path) from error
    if not headers:
        raise _damaged(path)
    lines = [f"{name}: {value}" for name, value in headers.items()]
    lines += ["", *body.splitlines(), "", *(f"Attachment: {name}" for name in attached)]
    return Reading(
        pages=(typed_page(1, lines),),
        has_pages=False,
        info_title=headers.get("Subject", ""),
        info_author=headers.get("From", ""),
        info_created=created,
    )


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


def _body(mail: EmailMessage) -> str:
    """The text of the first form that has any: many programs send an empty plain text beside the web page."""
    for kind in ("plain", "html"):
        part = mail.get_body(preferencelist=(kind,))
        text = _text(part) if part else ""
        shown = _seen(text) if kind == "html" else text
        if shown.strip():
            return shown
    return ""


def _text(part: MIMEPart) -> str:
    """The text of a part; in a character set that is unknown or not kept to, as far as it can be read."""
    try:
        return str(part.get_content())
    except (LookupError, UnicodeError):
        data = part.get_payload(decode=True)
        return data.decode("utf-8", "replace") if isinstance(data, bytes) else ""


def _attached(mail: EmailMessage) -> list[str]:
    """Names of the attachments; those of a mail that is attached itself belong to that one."""
    if not mail.is_multipart():
        return []
    parts = mail.iter_attachments()
    return [" ".join((part.get_filename() or _unnamed(part)).split()) for part in parts]


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
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in _UNSEEN and not self._unseen:
            self._unseen = tag
        elif tag == "body":
            self._unseen = ""  # whatever was left open before it
        elif tag in _BLOCKS:
            self.parts.append("\n\n" if tag == "p" else "\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in (self._unseen, "head"):
            self._unseen = ""
        elif tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(re.sub(r"\s+", " ", data))
