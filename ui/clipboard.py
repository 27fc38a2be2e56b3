"""A passage on the clipboard: as plain text, and with its italics as HTML and RTF for programs that write documents;
numbers of notes as superscripts in all of them.

How it is printed is asked for when the words are on the clipboard already, and put there if nothing else was copied
since.
"""

from __future__ import annotations

import atexit
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication

from briefbank.values.pages import Typography
from briefbank.values.records import Passage, Span
from ui.engine import EngineClient
from ui.wording import raised

RTF = "text/rtf"
_RTF_ON_WINDOWS = 'application/x-qt-windows-mime;value="Rich Text Format"'
_RTF_HEAD = r"{\rtf1\ansi\deff0\uc1{\fonttbl{\f0\froman Times New Roman;}}\f0\fs24 "


def copy_with_italics(text: str, passage: Passage, engine: EngineClient, parent: QObject) -> None:
    """Put `text`, which begins with the words of a passage, on the clipboard."""
    clipboard = QGuiApplication.clipboard()
    clipboard.setText(text)
    cut = len(passage.text) - len(passage.text.lstrip())

    def add_typography(found: Typography) -> None:
        italics, numbers = (
            [Span(span.start - cut, span.end - cut) for span in spans or ()] for spans in (found.italics, found.raised)
        )
        if not (italics or numbers) or clipboard.text() != text:
            return
        printed = raised(text, numbers)
        if italics:
            _leave_plain_text()
            _last[0] = printed
            clipboard.setMimeData(rich(printed, italics))
        else:
            clipboard.setText(printed)

    typography = engine.bank.typography(passage.id, passage.text)
    engine.ask(typography, add_typography, parent=parent)


_last = [""]
"""What was put on the clipboard with italics."""


@cache
def _leave_plain_text() -> None:
    """Have the clipboard keep the plain text alone when the program ends: Qt deletes its data after Python is gone, and
    crashes over data that Python made (PySide 6.10).
    """

    def leave() -> None:
        if QGuiApplication.instance() and QGuiApplication.clipboard().text() == _last[0]:
            QGuiApplication.clipboard().setText(_last[0])

    atexit.register(leave)


def rich(text: str, italics: Sequence[Span]) -> QMimeData:
    """Return a text in all three forms; `italics` are ranges of it, in order."""
    data = QMimeData()
    data.setText(text)
    data.setHtml(as_html(text, italics))
    data.setData(RTF, as_rtf(text, italics).encode("ascii"))
    if sys.platform == "win32":
        data.setData(_RTF_ON_WINDOWS, as_rtf(text, italics).encode("ascii"))
    return data


def as_html(text: str, italics: Sequence[Span]) -> str:
    """Return a text as HTML that shows nothing but its words."""
    pieces = (
        f"<i>{escape(piece)}</i>".replace("\n\n", "</i>\n\n<i>") if is_italic else escape(piece)
        for piece, is_italic in _pieces(text, italics)
    )
    return "<p>" + "".join(pieces).strip("\n").replace("\n\n", "</p><p>").replace("\n", "<br>") + "</p>"


def as_rtf(text: str, italics: Sequence[Span]) -> str:
    """Return a text in Rich Text Format 1.5, all of it in ASCII."""
    pieces = (
        rf"{{\i {_rtf(piece)}}}" if is_italic else _rtf(piece) for piece, is_italic in _pieces(text, italics) if piece
    )
    return _RTF_HEAD + "".join(pieces) + "}"


def _pieces(text: str, italics: Sequence[Span]) -> Iterator[tuple[str, bool]]:
    at = 0
    for span in italics:
        yield text[at : span.start], False
        yield text[slice(*span)], True
        at = span.end
    yield text[at:], False


def _rtf(text: str) -> str:
    return "".join(_rtf_letter(letter) for letter in text)


def _rtf_letter(letter: str) -> str:
    if letter == "\n":
        return "\\par\n"
    if letter in "\\{}":
        return f"\\{letter}"
    if " " <= letter <= "~":
        return letter
    units = letter.encode("utf-16-le", "replace")
    numbers = (int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2))
    return "".join(f"\\u{number}?" for number in numbers)
