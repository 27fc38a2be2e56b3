"""Mails that Outlook saves (MSG), as the messages of the mail standard, so that both kinds are read in one way.

Takes their parts out of the container with python-oxmsg; how they are read is decided in `mail`.
"""

from __future__ import annotations

import email.policy
import re
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes
from email.message import EmailMessage
from email.parser import HeaderParser
from email.utils import format_datetime
from typing import TYPE_CHECKING

from briefbank.platform.regex import bounded

if TYPE_CHECKING:
    from oxmsg.storage import Storage

CONTAINER = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What a compound file of Microsoft's begins with."""
_PROPERTIES = "__properties_version1.0"
_STREAM = "__substg1.0_"
_UNICODE, _BYTES, _BINARY, _OBJECT = "001F", "001E", "0102", "000D"
"""Types of a property, as they end a stream's name."""
_SUBJECT, _HEADERS, _FROM, _ADDRESS, _SMTP, _TO, _CC = "0037", "007D", "0C1A", "0C1F", "5D01", "0E04", "0E03"
_BODY, _RTF, _HTML = "1000", "1009", "1013"
_DATA, _NAME, _SHORT_NAME, _KIND, _CONTENT_ID = "3701", "3707", "3704", "370E", "3712"
_SENT = 0x0039
_ROOT_BYTES, _EMBEDDED_BYTES = 32, 24
"""What stands before the first property of a mail, and of one that is attached."""
_PLAIN_KIND = bounded(r"(?!multipart/|message/)[\w.+-]+/[\w.+-]+")
_HEADER = re.compile(rb"[\w-]+:")
_WORD = re.compile(r"\w+")


def outlook_message(data: bytes) -> EmailMessage:
    """Return what Outlook saved as a message. Text that is there in Word's format alone is attached to it.

    Raises:
        OSError, ValueError, LookupError: it is damaged, or no mail.
    """
    from olefile import OleFileIO
    from oxmsg.storage import Storage

    with OleFileIO(data) as container:
        return _message(Storage.from_ole(container), _ROOT_BYTES)


def _message(storage: Storage, properties_at: int) -> EmailMessage:
    mail = EmailMessage(email.policy.default)
    for name, value in _headers(storage, properties_at):
        mail[name] = " ".join(value.split())
    plain, html = _text(storage, _BODY), _binary(storage, _HTML) or _text(storage, _HTML).encode()
    if plain or not html:
        mail.set_content(plain)
    if html:
        mail.add_alternative(html, "text", "html") if plain else mail.set_content(html, "text", "html")
    rich = _binary(storage, _RTF)
    if rich and not plain and not html:
        mail.add_attachment(rich, "application", "rtf", filename="text of the mail.lzrtf")
    for each in storage.iter_attachment_storages():
        _attach(mail, each)
    return mail


def _headers(storage: Storage, properties_at: int) -> Iterator[tuple[str, str]]:
    """The headers that a mail came with; what they lack or have otherwise, as Outlook keeps and shows it. Only the date
    is theirs, which has the day where the mail was written.
    """
    came = HeaderParser(policy=email.policy.default).parsestr(_text(storage, _HEADERS))
    address = _text(storage, _SMTP) or _text(storage, _ADDRESS)
    sender = " ".join(filter(None, (_text(storage, _FROM), f"<{address}>" if "@" in address else "")))
    to, cc = (", ".join(map(_quoted, _text(storage, key).split(";"))) for key in (_TO, _CC))
    kept = {"From": sender, "To": to, "Cc": cc, "Date": _sent(storage, properties_at)}
    for name, value in {**kept, "Subject": _text(storage, _SUBJECT)}.items():
        theirs = str(came[name] or "")
        is_theirs = name == "Date" or set(_WORD.findall(value)) <= set(_WORD.findall(theirs))
        if text := (is_theirs and theirs) or value:
            yield name, text


def _quoted(name: str) -> str:
    """One of a row of names; a comma in it parts no two."""
    name = name.strip()
    return f'"{name}"' if "," in name and not re.search(r"[\"<]", name) else name


def _sent(storage: Storage, properties_at: int) -> str:
    from oxmsg.domain.model import UnrecognizedCodePageError, UnsupportedEncodingError
    from oxmsg.properties import Properties

    with suppress(LookupError, AttributeError, OverflowError, UnrecognizedCodePageError, UnsupportedEncodingError):
        sent = Properties(storage, properties_at).date_prop_value(_SENT)
        return format_datetime(sent) if sent else ""
    return ""


def _attach(mail: EmailMessage, storage: Storage) -> None:
    inner = next((each for each in storage.storages if each.name == f"{_STREAM}{_DATA}{_OBJECT}"), None)
    if inner and any(each.name == _PROPERTIES for each in inner.streams):
        _add(mail, _message(inner, _EMBEDDED_BYTES), is_mail=True)
        return
    data, kind = _binary(storage, _DATA), _text(storage, _KIND)
    if kind.startswith("multipart/") and _HEADER.match(data):  # what a signature was put around
        _add(mail, message_from_bytes(data, policy=email.policy.default), is_mail=True)
        return
    part = EmailMessage(email.policy.default)
    main, sub = (kind if _PLAIN_KIND.fullmatch(kind) else "application/octet-stream").split("/")
    name = _text(storage, _NAME) or _text(storage, _SHORT_NAME) or "without a name"
    part.set_content(data, main, sub, disposition="attachment", filename=" ".join(name.split()))
    if content_id := _text(storage, _CONTENT_ID):
        part["Content-ID"] = " ".join(content_id.split())
    _add(mail, part, is_mail=False)


def _add(mail: EmailMessage, part: EmailMessage, *, is_mail: bool) -> None:
    if mail.get_content_type() != "multipart/mixed":
        mail.make_mixed()
    if is_mail:
        mail.add_attachment(part)
    else:
        mail.attach(part)


def _text(storage: Storage, key: str) -> str:
    """A property that is text; what is in 8 bits is Windows-1252 where it is no UTF-8."""
    if data := _stream(storage, key + _UNICODE):
        return data.decode("utf-16-le", "replace").partition("\0")[0]
    data = _stream(storage, key + _BYTES).partition(b"\0")[0]
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8")
    return data.decode("cp1252", "replace")


def _binary(storage: Storage, key: str) -> bytes:
    return _stream(storage, key + _BINARY)


def _stream(storage: Storage, name: str) -> bytes:
    return next((each.bytes_ for each in storage.streams if each.name == _STREAM + name), b"")
