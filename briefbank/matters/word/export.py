"""A matter as a Word document: headings, notes and passages in their order, each passage with its source.

Italics and block quotations stay as filed where they are known; what must stay with the words of a passage becomes a
comment on it, or stands in its footnote. Nothing is written that is not in the matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any

from briefbank.law.citations import PatternSet, load_patterns
from briefbank.matters.checked import Checks, unchecked
from briefbank.matters.items import HeadingItem, NoteItem, PassageItem, collected_words, source_line
from briefbank.matters.state import Entry, Matter
from briefbank.matters.word.authorities import AuthorityPart, CitedAuthority, authorities_of
from briefbank.platform.files import new_file
from briefbank.platform.word import (
    FONT_PT,
    Footnotes,
    add_leader,
    add_page_reference,
    bookmark,
    new_document,
    saved,
    shown,
)
from briefbank.values.printed_words import ParagraphRole, omitted_notes, paragraphs, runs
from briefbank.values.records import Span
from briefbank.values.source_format import STANDARD, SourceFormat

_INDENT_IN = 0.5
"""Of a block quote on either side, as court rules have it."""
_BY_NAME = " (by name only)"
_SHORT_FORM = " (short form only)"
_STYLES = {ParagraphRole.TEXT: "BriefBank passage", ParagraphRole.QUOTATION: "BriefBank quotation"}
_STYLES[ParagraphRole.HEADING] = "BriefBank passage heading"
_SOURCE_STYLE, _NOTE_STYLE = "BriefBank source", "BriefBank note"
_NOTE = "Note: "
"""In front of each paragraph of a note, so that it is none of the brief's even where its style is lost in copying."""


class PassageForm(StrEnum):
    """How a passage stands in the text."""

    QUOTE = "quote"
    PARAGRAPH = "paragraph"


class SourcePlace(StrEnum):
    """Where the source of a passage stands."""

    LINE = "line"
    FOOTNOTE = "footnote"


@dataclass(frozen=True, slots=True)
class WordOptions:
    """How a matter is written; `day` is the document's date."""

    day: date
    form: PassageForm = PassageForm.QUOTE
    sources: SourcePlace = SourcePlace.LINE
    source_format: SourceFormat = STANDARD
    with_notes: bool = True
    with_authorities: bool = True


def export_to_word(
    matter: Matter, out: Path, options: WordOptions, checks: Checks, *, may_replace: bool = False
) -> None:
    """Write a matter into a Word document; what its bank does not have is marked (`matters.checked`).

    Raises:
        UsageError: there is a file of that name, and it may not be replaced.
        NoSpaceError, AccessError: as their names say; nothing is left behind.
    """
    data = word_document(matter, options, checks)
    with new_file(out, may_replace=may_replace) as temporary:
        temporary.write_bytes(data)


def word_document(matter: Matter, options: WordOptions, checks: Checks, patterns: PatternSet | None = None) -> bytes:
    """Return the bytes of the document, the same for the same matter, options and checks."""
    cited = authorities_of(matter.entries, patterns or load_patterns()) if options.with_authorities else ()
    return _Writing(matter, options, checks, cited).data()


class _Writing:
    """One document while it is written."""

    def __init__(self, matter: Matter, options: WordOptions, checks: Checks, cited: Sequence[CitedAuthority]) -> None:
        self._matter, self._options, self._checks, self._cited = matter, options, checks, cited
        self._document = new_document()
        self._styles: dict[str, Any] = {}
        self._end = self._document.element.body.sectPr
        is_noted = options.sources is SourcePlace.FOOTNOTE and bool(matter.passages)
        self._footnotes = Footnotes(self._document) if is_noted else None
        numbered = [entry.id for entry in matter.entries if isinstance(entry.item, PassageItem)]
        self._bookmarks = {entry_id: number for number, entry_id in enumerate(numbered, start=1)}
        self._named = {entry_id for each in cited for entry_id in each.entries}

    def data(self) -> bytes:
        """Write all of it."""
        self._add(shown(self._matter.name), style=self._document.styles["Title"])
        for entry in self._matter.entries:
            self._entry(entry)
        if self._cited:
            self._authorities()
        return saved(self._document, shown(self._matter.name), self._options.day)

    def _entry(self, entry: Entry) -> None:
        match entry.item:
            case HeadingItem(text=text, level=level):
                self._document.add_heading(shown(text), level)
            case NoteItem(text=text) if self._options.with_notes:
                for line in _paragraphs(text):
                    self._add(_NOTE + shown(text[slice(*line)]), style=self._style(_NOTE_STYLE, _INDENT_IN))
            case PassageItem() as item:
                self._passage(entry.id, item)

    def _add(self, text: str = "", style: Any = None) -> Any:
        """Add a paragraph at the end, as `Document.add_paragraph` does: that one looks for the end from the beginning,
        and 20,000 lines took a minute.
        """
        from docx.oxml.parser import OxmlElement
        from docx.text.paragraph import Paragraph

        element = OxmlElement("w:p")
        self._end.addprevious(element)
        paragraph = Paragraph(element, self._document)
        if text:
            paragraph.add_run(text)
        if style is not None:  # by its id: `paragraph.style` looks for it in the document, for each of 20,000 lines
            element.style = style.style_id
        return paragraph

    def _style(self, name: str, indent_in: float = 0.0) -> Any:
        """A style, by whose name Word selects all that wears it; set in from the left, and but for notes and sources
        from the right.
        """
        from docx.enum.style import WD_STYLE_TYPE
        from docx.shared import Inches, Pt

        if name not in self._styles:
            styles = self._document.styles
            self._styles[name] = style = styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
            style.base_style, layout = styles["Normal"], style.paragraph_format
            style.font.italic = True if name == _NOTE_STYLE else None
            style.font.bold = layout.keep_with_next = True if name == _STYLES[ParagraphRole.HEADING] else None
            style.font.size = Pt(FONT_PT - 2) if name == _SOURCE_STYLE else None
            layout.left_indent = Inches(indent_in)
            layout.right_indent = Inches(0 if name in (_NOTE_STYLE, _SOURCE_STYLE) else indent_in)
        return self._styles[name]

    @property
    def _indent_in(self) -> float:
        return _INDENT_IN if self._options.form is PassageForm.QUOTE else 0.0

    def _passage(self, entry_id: str, item: PassageItem) -> None:
        made = [
            self._paragraph(item, Span(whole.start + line.start, whole.start + line.end), role)
            for whole, role in paragraphs(item.text, item.quotes, item.section)
            for line in _paragraphs(item.text[slice(*whole)])
        ]
        made[-1].paragraph_format.keep_with_next = not self._footnotes or None  # with its source
        runs = [run for paragraph in made for run in paragraph.runs]
        if entry_id in self._named:
            bookmark(made[0], self._bookmarks[entry_id], _bookmark_name(self._bookmarks[entry_id]))
        omitted = omitted_notes(item.text)
        source = shown(source_line(item, self._options.source_format)) + (f" [{omitted}.]" if omitted else "")
        check = self._checks.get(entry_id) or unchecked(collected_words(item))
        cautions = [shown(caution) for caution in check.cautions]
        for line in check.not_found:
            self._mark(shown(line))
        if self._footnotes:
            # In the footnote, not in comments: beside one, LibreOffice 7.4 gives footnotes each other's words.
            self._footnotes.add(made[-1], " ".join([source, *(f"[{caution}]" for caution in cautions)]))
            return
        for caution in cautions:
            self._document.add_comment(runs, caution, author="BriefBank", initials="BB")
        self._source_line(source)

    def _paragraph(self, item: PassageItem, span: Span, role: ParagraphRole) -> Any:
        deeper = _INDENT_IN if role is ParagraphRole.QUOTATION else 0.0
        paragraph = self._add(style=self._style(_STYLES[role], self._indent_in + deeper))
        for piece, printed in runs(span, item.italics or (), item.bold, item.underlined):
            run = paragraph.add_run(shown(item.text[slice(*piece)]))
            run.italic, run.bold, run.underline = (each or None for each in printed)
        return paragraph

    def _mark(self, line: str) -> None:
        """Say in the text itself what the bank does not have: a comment is easily not printed."""
        paragraph = self._add(style=self._style(_STYLES[ParagraphRole.TEXT], self._indent_in))
        paragraph.add_run(f"[{line}]").bold = True
        paragraph.paragraph_format.keep_with_next = True

    def _source_line(self, source: str) -> None:
        self._add(f"— {source}", style=self._style(_SOURCE_STYLE, self._indent_in))

    def _authorities(self) -> None:
        self._document.add_page_break()
        self._document.add_heading("Table of authorities", 1)
        for part in AuthorityPart:
            of_part = [each for each in self._cited if each.part is part]
            if of_part:
                self._document.add_heading(part.value, 2)
            for each in of_part:
                doubt = _BY_NAME if each.by_name_only else _SHORT_FORM if each.is_short_form else ""
                paragraph = self._add(shown(each.label) + doubt)
                add_leader(paragraph)
                for at, entry_id in enumerate(each.entries):
                    paragraph.add_run(", " if at else "\t")
                    add_page_reference(paragraph, _bookmark_name(self._bookmarks[entry_id]))


def _paragraphs(text: str) -> Iterator[Span]:
    """The lines of a text that hold anything."""
    start = 0
    for line in text.split("\n"):
        if line.strip():
            yield Span(start, start + len(line))
        start += len(line) + 1


def _bookmark_name(number: int) -> str:
    return f"passage_{number}"
