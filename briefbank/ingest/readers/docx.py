"""Word files: the text as it stands with every change accepted, styles by name, notes after the page that calls them.

Opens the parts through python-docx and walks their XML; must run in a process that may die (`briefbank.ingest.worker`).
"""

from __future__ import annotations

import re
import time
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from briefbank.errors import DamagedFileError, OcrMissingError, SourceError, TooLargeError, UnsupportedFileError
from briefbank.ingest.beneath import HeldFile, Readable, size_bytes
from briefbank.ingest.readers.attached import read_attached
from briefbank.ingest.readers.docx_parts import (
    Paper,
    is_hidden_drawing,
    is_passed_over,
    pictures_in,
    running_heads,
    shown_children,
    transitional,
    unread_parts,
)
from briefbank.ingest.readers.docx_style import (
    Cell,
    Numbering,
    Styles,
    attribute,
    in_font,
    is_unseen_row,
    qualified,
    symbol,
    text_of,
)
from briefbank.ingest.readers.lines import HEIGHT_PT, LINE_PT, WIDTH_PT
from briefbank.platform.settings import Settings
from briefbank.values.records import Box, Line, Page, Reading, TextSource, Word

_MAX_UNPACKED_BYTES = 500_000_000
_MAX_UNPACKED_RATIO = 200
"""Unpacked against packed size; Word's XML reaches about 30, a zip bomb 1,000 and more."""

_UNSUSPICIOUS_BYTES = 20_000_000
"""Unpacked size below which the ratio does not matter: short documents of one repeated line are harmless."""

_MARGIN_PT = 72.0
_PICTURES_SHARE = 0.4
"""Of the time that the file may take, what OCR of its pictures may; the others are named. One takes half a second."""
_SKIPPED = frozenset(qualified(name) for name in ("del", "moveFrom", "pPr", "rPr", "instrText", "txbxContent"))
_READ_THROUGH = (qualified(""), "{http://schemas.microsoft.com/office/word/2010/wordml}conflictIns")
"""Word passes over elements of other names, with all that is in them."""
_FORMULA = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_CONTAINERS = frozenset(
    qualified(name) for name in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "tbl", "tr")
)
_LETTERS = re.compile(r"[^\W\d_]+")
_RUNNING_HEADS = "Headers and footers"
_DELETED_MARKS = tuple(f"{qualified('pPr')}/{qualified('rPr')}/{qualified(name)}" for name in ("del", "moveFrom"))
_NOTES = {qualified("footnoteReference"): "footnotes", qualified("endnoteReference"): "endnotes"}


def archive_members(path: Readable) -> frozenset[str]:
    """Return the names of the members of a ZIP archive, as DOCX and ODT files are, before anything is unpacked.

    The sizes that the archive states are checked; unpacking never yields more than they say.

    Raises:
        DamagedFileError: it is no whole archive.
        TooLargeError: it would unpack to more than any brief.
    """
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            found = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DamagedFileError(
            f"{path.name} is damaged.", "Open it in the program that wrote it and save it again."
        ) from error
    unpacked = sum(member.file_size for member in found)
    packed = max(1, size_bytes(path))
    if unpacked > _MAX_UNPACKED_BYTES or (unpacked > _UNSUSPICIOUS_BYTES and unpacked > _MAX_UNPACKED_RATIO * packed):
        raise TooLargeError(
            f"{path.name} unpacks to {unpacked} bytes, which is not plausible for a brief.",
            "If the file is trusted, print it to PDF and use that.",
        )
    return frozenset(member.filename for member in found)


def read_docx(path: Readable, settings: Settings) -> Reading:
    """Read a Word file. Explicit page breaks and those that Word remembers from its last printing start a page.

    Boxes are of the kind that `lines.typed_page` gives; a paragraph is one line unless it holds line breaks.

    Raises:
        SourceError: DamagedFileError, UnsupportedFileError (another kind of ZIP file) or TooLargeError.
        Exception: what lxml and python-docx stumble over, which `read_file` names.
    """
    archive_members(path)
    document = _opened(path)
    writer = _Writer(document.part, Styles(document), Numbering(document), settings)
    writer.add_story(document.element.body)
    writer.add_running_heads(running_heads(document.part))
    pages = writer.finish()
    unread = (*writer.unread, *unread_parts(document.part, writer.chunks))
    properties = document.core_properties
    title, author, created = properties.title, properties.author, properties.created
    if len(pages) > settings.max_pages:
        raise TooLargeError(
            f"{path.name} has {len(pages)} pages, more than {settings.max_pages}.", "Split it, or raise max_pages."
        )
    return Reading(
        pages=pages,
        has_pages=False,
        styles=tuple(writer.styles_used),
        info_title=(title or "").strip(),
        info_author=(author or "").strip(),
        info_created=created.date().isoformat() if created else "",
        unread_parts=unread,
    )


def _opened(path: Readable) -> Any:
    """The document, whatever its main part is called, and in whichever of the two dialects of Open XML."""
    from docx.opc.exceptions import OpcError
    from docx.package import Package

    try:
        package = Package.open(transitional(path))
        part = package.main_document_part
        is_word = "wordprocessingml" in part.content_type
    except KeyError as error:  # no main part: another kind of ZIP file
        raise _no_word(path) from error
    except (OpcError, zipfile.BadZipFile, RuntimeError) as error:
        raise _damaged(path) from error
    if not is_word:
        raise _no_word(path)
    return part.document


def _no_word(path: Readable) -> SourceError:
    return UnsupportedFileError(f"{path.name} is not a Word document.", "Save it as PDF or DOCX and use that.")


def _damaged(path: Readable) -> SourceError:
    return DamagedFileError(f"{path.name} is damaged.", "Open it in Word and save it again.")


@dataclass(slots=True)
class _Row:
    """A line being written."""

    words: list[Word] = field(default_factory=list)
    letters: int = 0
    bold: int = 0
    italic: int = 0
    underlined: int = 0
    size_pt: float = 12.0
    is_open: bool = False
    """Whether the last word may still grow: the next run may begin in the middle of it."""


class _Writer:
    """Writes paragraphs to lines and pages, in document order."""

    def __init__(self, part: Any, styles: Styles, numbering: Numbering, settings: Settings) -> None:
        self.styles_used: list[tuple[int, int, str]] = []
        self.unread: list[str] = []
        self.chunks: set[str] = set()
        """Names of the parts that were put in from other files, read or not."""
        self._settings = settings
        self._pictures_s = 0.0
        self._ground = "auto"
        self._cell = Cell()
        self._left_out = 0
        self._mark = ""
        """The mark of the note whose first paragraph comes next."""
        self._part = part
        self._paper = Paper.of(part)
        self._styles = styles
        self._numbering = numbering
        self._pages: list[Page] = []
        self._lines: list[Line] = []
        self._row = _Row()
        self._notes = {kind: _notes(part, kind) for kind in _NOTES.values()}
        self._counts = dict.fromkeys(_NOTES.values(), 0)
        self._called: list[tuple[str, Any]] = []
        self._style = ""
        self._left = _MARGIN_PT
        self._closed: set[Any] = set()
        self._fields: list[bool] = []
        """Of each field that is open, whether its code is not over yet, which nobody sees."""

    def add_story(self, root: Any, style: str = "") -> None:
        """Write the body, a note or a text box: a text of its own, with fields of its own."""
        before = self._closed, self._fields
        self._closed, self._fields = _closed_fields(root), []
        self.add_body(root, style)
        self._closed, self._fields = before

    def add_running_heads(self, heads: Iterable[Any]) -> None:
        """Write under a heading of their own those headers and footers that hold words which the text does not."""
        self._end_line()
        known: set[str] = set()
        page, is_begun = len(self._pages) + 1, False
        for head in heads:
            first, styles = len(self._lines), len(self.styles_used)
            self.add_story(head)
            self._end_line()
            words = _words_of(self._lines[first:])
            if words and not known:
                lines = [*(line for page in self._pages for line in page.lines), *self._lines[:first]]
                known = _words_of(lines) | {"page", "of"}
            if not words - known:
                del self._lines[first:], self.styles_used[styles:]
            elif not is_begun:
                is_begun = True
                self._lines.insert(first, _typed(_RUNNING_HEADS, self._place()))
                below = [(number, place + 1, name) for number, place, name in self.styles_used[styles:]]
                self.styles_used[styles:] = [(page, first, "Heading 1"), *below]

    def add_body(self, parent: Any, style: str = "") -> None:
        """Write every paragraph below `parent`: the body, a cell, a content control, a text box or a note."""
        for element in shown_children(parent):
            if element.tag == qualified("p"):
                self._add_paragraph(element, style)
            elif element.tag == qualified("altChunk"):
                self._add_chunk(element)
            elif element.tag == qualified("tc"):
                if element.find(f"{qualified('tcPr')}/{qualified('cellDel')}") is not None:
                    continue
                merged = (element.find(f"{qualified('tcPr')}/{qualified(name)}") for name in ("vMerge", "hMerge"))
                if any(each is not None and attribute(each) in ("", "continue") for each in merged):
                    self._leave_out(element.iter(qualified("t")))  # the cell that it goes on from is drawn over it
                    continue
                before = self._ground, self._cell
                self._cell = self._styles.cell(element)
                self._ground = self._cell.fill or self._ground
                self.add_body(element, style)
                self._ground, self._cell = before
            elif element.tag in _CONTAINERS and not is_unseen_row(element):
                self.add_body(element, style)
            elif element.tag in _CONTAINERS:
                self._leave_out(element.iter(qualified("t")))

    def _add_chunk(self, element: Any) -> None:
        """Write what another program put in as a file of its own, for Word to take over."""
        relation = next((value for name, value in element.items() if name.endswith("}id")), "")
        part = self._part.related_parts.get(relation)
        if part is None:
            return
        self.chunks.add(part.partname)
        name = "a part put in from another file"
        try:
            held = HeldFile(Path(part.partname), part.blob)
            reading = read_attached(held, self._settings)
        except SourceError:
            self.unread.append(name)
            return
        self.unread += [f"{name}: {each}" for each in reading.unread_parts]
        for line in (line for page in reading.pages for line in page.lines):
            self._row.words += [Word(word.text, self._place()) for word in line.words]
            self._row.letters = len(line.text)
            self._end_line()

    def _add_pictures(self, drawing: Any) -> None:
        """Write what pictures of text in a drawing say, on a made-up page of its own. What OCR cannot read stays named
        with the parts that are not read.
        """
        from briefbank.ingest.ocr.page import read_picture

        for part, (width, height) in pictures_in(drawing, self._part):
            left_s = _PICTURES_SHARE * self._settings.read_timeout_s - self._pictures_s
            if part.partname in self.chunks or left_s < 1:
                continue
            began_s = time.thread_time()
            settings = msgspec.structs.replace(self._settings, ocr_page_timeout_s=left_s)
            try:
                lines, confidence, is_whole = read_picture(part.blob, width, height, settings)
            except (SourceError, OcrMissingError):
                continue
            finally:
                self._pictures_s += time.thread_time() - began_s
            if is_whole:
                self.chunks.add(part.partname)
            if lines:
                self._break_page()
                for line in lines:
                    words = [replace(word, box=self._place()) for word in line.words]
                    self._lines.append(Line(tuple(words), words[0].box))
                self._end_page(confidence)

    def finish(self) -> tuple[Page, ...]:
        """Close the last page and return all."""
        self._end_page()
        return tuple(self._pages)

    def _add_paragraph(self, paragraph: Any, style: str) -> None:
        look = self._styles.paragraph(paragraph)
        mark, self._mark = self._mark, ""
        self._style = style or look.name
        self._left = _MARGIN_PT + look.indent_pt
        if look.breaks_before and self._lines:
            self._end_page()
        label = mark or self._numbering.label(paragraph, look)
        if label:
            self._add_text(label, paragraph, None, is_mark=bool(mark))
            self._row.is_open = False
        self._add_runs(paragraph, paragraph)
        if not any(paragraph.find(path) is not None for path in _DELETED_MARKS):
            self._end_line()
        for box in paragraph.iter(qualified("txbxContent")):
            if any(each.tag in _SKIPPED for each in box.iterancestors()) or is_passed_over(box):
                continue
            if self._is_unseen_box(box, paragraph):
                self._leave_out(box.iter(qualified("t")))
            else:
                self.add_story(box, style)

    def _leave_out(self, texts: Iterable[Any]) -> None:
        """Count words that nobody sees."""
        self._left_out += sum(len(text_of(each).split()) for each in texts)

    def _is_unseen_box(self, box: Any, paragraph: Any) -> bool:
        run = next(box.iterancestors(qualified("r")), None)
        return is_hidden_drawing(box, self._paper) or (run is not None and self._styles.run(paragraph, run).is_hidden)

    def _add_runs(self, parent: Any, paragraph: Any) -> None:
        for element in shown_children(parent):
            tag = element.tag
            if tag in _SKIPPED or not isinstance(tag, str):
                continue
            if tag == qualified("r"):
                if not self._styles.is_hidden(paragraph, element, self._ground, self._cell):
                    self._add_run(element, paragraph)
                else:
                    self._leave_out(element.iterfind(qualified("t")))
                    for each in element.iterfind(qualified("fldChar")):
                        self._turn_field(each)
            elif tag.startswith(_READ_THROUGH):
                self._add_runs(element, paragraph)
            elif tag.startswith(_FORMULA) and "a formula" not in self.unread:
                self.unread.append("a formula")

    def _add_run(self, run: Any, paragraph: Any) -> None:
        for element in shown_children(run):
            tag = element.tag
            if tag == qualified("fldChar"):
                self._turn_field(element)
            elif any(self._fields):
                self._leave_out([element])
            elif tag == qualified("ruby"):
                for base in element.iterfind(qualified("rubyBase")):
                    self._add_runs(base, paragraph)
            elif tag in _NOTES:
                self._call_note(_NOTES[tag], element, paragraph)
            elif tag == qualified("lastRenderedPageBreak") or (
                tag == qualified("br") and attribute(element, "type") == "page"
            ):
                self._break_page()
            elif tag in (qualified("br"), qualified("cr")):
                self._end_line()
            elif tag == qualified("sym"):
                self._add_text(symbol(element), paragraph, None)
            elif tag in (qualified("drawing"), qualified("pict")):
                self._add_pictures(element)
                self._add_word_art(element, paragraph)
            elif tag not in _SKIPPED:
                self._add_text(text_of(element), paragraph, run)

    def _add_word_art(self, drawing: Any, paragraph: Any) -> None:
        """Write the words of shapes that are made of letters, as watermarks are."""
        for each in drawing.iter("{*}textpath"):
            if not is_hidden_drawing(each, self._paper):
                self._add_text(f" {each.get('string', '')} ", paragraph, None)

    def _turn_field(self, mark: Any) -> None:
        """Go on into the code of a field, its result, or what follows it."""
        kind = attribute(mark, "fldCharType")
        if kind == "begin" and mark in self._closed:
            self._fields.append(True)
        elif kind == "separate" and self._fields:
            self._fields[-1] = False
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _add_text(self, text: str, paragraph: Any, run: Any, *, is_mark: bool = False) -> None:
        if not text:
            return
        look = self._styles.run(paragraph, run)
        is_raised = is_mark or look.is_superscript
        row, place = self._row, self._place()
        for index, part in enumerate(in_font(text, look.font).split()):
            last = row.words[-1] if row.words else None
            if index == 0 and row.is_open and last and not text[0].isspace() and last.is_superscript == is_raised:
                row.words[-1] = replace(last, text=last.text + part, box=place)
            else:
                faces = look.is_italic, look.is_bold, look.is_underlined
                row.words.append(Word(part, place, 1.0, is_raised, *faces))
            row.letters += len(part)
            row.bold += len(part) if look.is_bold else 0
            row.italic += len(part) if look.is_italic else 0
            row.underlined += len(part) if look.is_underlined else 0
            row.size_pt = look.size_pt
        row.is_open = not text[-1].isspace()

    def _call_note(self, kind: str, element: Any, paragraph: Any) -> None:
        note = self._notes[kind].get(attribute(element, "id"))
        if note is None:
            return
        if attribute(element, "customMarkFollows") in ("1", "true", "on"):
            self._called.append(("", note))
            return
        self._counts[kind] += 1
        self._called.append((str(self._counts[kind]), note))
        self._add_text(str(self._counts[kind]), paragraph, None, is_mark=True)

    def _place(self) -> Box:
        top = LINE_PT * (len(self._lines) + 1)
        return Box(self._left, top, self._left, top)

    def _end_line(self) -> None:
        row, self._row = self._row, _Row()
        if not row.words:
            return
        half = row.letters / 2
        style = (row.size_pt, row.bold > half, row.italic > half, row.underlined > half)
        if self._style:
            self.styles_used.append((len(self._pages) + 1, len(self._lines), self._style))
        self._lines.append(Line(tuple(row.words), row.words[0].box, *style))

    def _break_page(self) -> None:
        """Begin a page, in the middle of a paragraph or before it; breaks that Word remembers twice count once."""
        self._end_line()
        if self._lines:
            self._end_page()

    def _end_page(self, ocr_confidence: float | None = None) -> None:
        self._end_line()
        style, left, called = self._style, self._left, self._called
        self._called = []
        for self._mark, note in called:
            self.add_story(note, "Footnote")
        self._mark = ""
        self._style, self._left = style, left
        source = TextSource.TEXT_LAYER if self._lines else TextSource.NONE
        height = max(HEIGHT_PT, LINE_PT * (len(self._lines) + 2))
        number = len(self._pages) + 1
        self._pages.append(
            Page(number, WIDTH_PT, height, tuple(self._lines), source, ocr_confidence, left_out=self._left_out)
        )
        self._lines, self._left_out = [], 0


def _words_of(lines: Iterable[Line]) -> set[str]:
    return {word for line in lines for word in _LETTERS.findall(line.text.casefold())}


def _typed(text: str, place: Box) -> Line:
    return Line(tuple(Word(each, place) for each in text.split()), place)


def _closed_fields(root: Any) -> set[Any]:
    """The marks that begin a field which ends in the same text. Word shows what follows another one."""
    closed: set[Any] = set()
    begun: list[Any] = []
    for mark in root.iter(qualified("fldChar")):
        above = takewhile(lambda each: each is not root, mark.iterancestors())
        if any(each.tag in _SKIPPED for each in above):
            continue
        kind = attribute(mark, "fldCharType")
        if kind == "begin":
            begun.append(mark)
        elif kind == "end" and begun:
            closed.add(begun.pop())
    return closed


def _notes(part: Any, kind: str) -> dict[str, Any]:
    """The notes of one kind by their ids, out of their own part; separators, which are no notes, left out."""
    from docx.oxml import parse_xml

    for relation in part.rels.values():
        if relation.reltype.endswith(f"/{kind}") and not relation.is_external:
            return dict(_numbered(parse_xml(relation.target_part.blob)))
    return {}


def _numbered(root: Any) -> Iterator[tuple[str, Any]]:
    for note in root:
        if attribute(note, "type") in ("", "normal"):
            yield attribute(note, "id"), note
