"""A passage on the clipboard: as plain text, and with its italics as HTML and RTF for programs that write documents;
block quotations set in and numbers of notes as superscripts in all of them, and headings bold where that can be.

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
from briefbank.values.printed_words import Emphasis, ParagraphRole, omitted_notes, paragraphs, runs
from briefbank.values.records import Passage, Span
from ui.engine import EngineClient
from ui.wording import moved, raised

RTF = "text/rtf"
_RTF_ON_WINDOWS = 'application/x-qt-windows-mime;value="Rich Text Format"'
_SET_IN = "    "
"""In front of the lines of a block quotation in plain text."""
_RTF_HEAD = r"{\rtf1\ansi\deff0\uc1{\fonttbl{\f0\froman Times New Roman;}}\f0\fs24 "


def copy_with_italics(text: str, passage: Passage, engine: EngineClient, parent: QObject) -> None:
    """Put `text`, which begins with the words of a passage, on the clipboard."""
    clipboard = QGuiApplication.clipboard()
    clipboard.setText(text)
    cut = len(passage.text) - len(passage.text.lstrip())

    def add_typography(found: Typography) -> None:
        if clipboard.text() == text:
            shifted = moved(found, -cut)
            printed = raised(text, shifted.raised)
            if omitted := omitted_notes(printed[: len(passage.text.strip())]):
                printed += f"[{omitted}]\n"
            copy_printed(printed, shifted, passage.section_path)

    typography = engine.bank.typography(passage.id, passage.text)
    engine.ask(typography, add_typography, parent=parent)


def copy_printed(text: str, printed: Typography, headings: Sequence[str] = ()) -> None:
    """Put a text on the clipboard as it is printed; a plain one in plain form alone."""
    if not any((printed.italics, printed.raised, printed.quotes, printed.bold, printed.underlined)):
        QGuiApplication.clipboard().setText(text)
        return
    data = rich(text, printed, list(paragraphs(text, printed.quotes, headings)))
    _leave_plain_text()
    _last[0] = data.text()
    QGuiApplication.clipboard().setMimeData(data)


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


Blocks = Sequence[tuple[Span, ParagraphRole]]


def rich(text: str, printed: Typography, blocks: Blocks) -> QMimeData:
    """Return a text in all three forms; `printed` are ranges of it, `blocks` its paragraphs."""
    data = QMimeData()
    data.setText(as_plain(text, blocks))
    data.setHtml(as_html(text, printed, blocks))
    written = as_rtf(text, printed, blocks).encode("ascii")
    data.setData(RTF, written)
    if sys.platform == "win32":
        data.setData(_RTF_ON_WINDOWS, written)
    return data


def as_plain(text: str, blocks: Blocks) -> str:
    """Return a text with its block quotations set in."""
    for span, role in reversed(blocks):
        if role is ParagraphRole.QUOTATION:
            words = text[slice(*span)].replace("\n", f"\n{_SET_IN}")
            text = f"{text[: span.start]}{_SET_IN}{words}{text[span.end :]}"
    return text


def as_html(text: str, printed: Typography, blocks: Blocks) -> str:
    """Return a text as HTML that shows nothing but its words."""
    return "".join(_html(text, printed, span, role) for span, role in blocks)


def _html(text: str, printed: Typography, span: Span, role: ParagraphRole) -> str:
    pieces = []
    for piece, worn in _runs(span, printed):
        tags = [tag for tag, is_worn in zip("ibu", worn, strict=True) if is_worn]
        opening, closing = "".join(f"<{each}>" for each in tags), "".join(f"</{each}>" for each in reversed(tags))
        pieces.append(f"{opening}{escape(text[slice(*piece)])}{closing}")
    words = "".join(pieces).rstrip("\n").replace("\n", "<br>")
    if role is ParagraphRole.HEADING:
        return f"<p><b>{words}</b></p>"
    return f"<blockquote><p>{words}</p></blockquote>" if role is ParagraphRole.QUOTATION else f"<p>{words}</p>"


_RTF_OF = {ParagraphRole.HEADING: r"\b", ParagraphRole.QUOTATION: r"\li720\ri720", ParagraphRole.TEXT: ""}


def as_rtf(text: str, printed: Typography, blocks: Blocks) -> str:
    """Return a text in Rich Text Format 1.5, all of it in ASCII."""
    written = []
    for span, role in blocks:
        pieces = []
        for piece, worn in _runs(span, printed):
            face = "".join(sign for sign, is_worn in zip((r"\i", r"\b", r"\ul"), worn, strict=True) if is_worn)
            words = _rtf(text[slice(*piece)])
            pieces.append(f"{{{face} {words}}}" if face else words)
        written.append(rf"\pard\plain\f0\fs24\sa240{_RTF_OF[role]} " + "".join(pieces) + "\\par\n")
    return _RTF_HEAD + "".join(written) + "}"


def _runs(span: Span, printed: Typography) -> Iterator[tuple[Span, Emphasis]]:
    return runs(span, printed.italics or (), printed.bold, printed.underlined)


def _rtf(text: str) -> str:
    return "".join(_rtf_letter(letter) for letter in text)


def _rtf_letter(letter: str) -> str:
    if letter == "\n":
        return "\\line\n"
    if letter in "\\{}":
        return f"\\{letter}"
    if " " <= letter <= "~":
        return letter
    units = letter.encode("utf-16-le", "replace")
    numbers = (int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2))
    return "".join(f"\\u{number}?" for number in numbers)
