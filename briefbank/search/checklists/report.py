"""A checklist's report as a Word document: which documents have an answer to what, then the answers word by word with
their places; and as a table for a spreadsheet. Nothing else is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from briefbank.platform.files import new_file
from briefbank.platform.visible import table
from briefbank.platform.word import add_table, new_document, saved, shown
from briefbank.values.checklists import ChecklistExtract, ChecklistReport, DocumentAnswers
from briefbank.values.printed_words import runs
from briefbank.values.records import Document, Span

NOT_FOUND = "Not found"
_WHAT_IS_SAID = (
    "All words stand in the documents as they stand here. “Not found” means that no passage looked like an answer: it "
    "is no proof that there is none."
)


def export_checklist(report: ChecklistReport, out: Path, day: date, *, may_replace: bool = False) -> None:
    """Write the report into a new Word document, dated `day`.

    Raises:
        UsageError: there is a file of that name, and it may not be replaced.
        NoSpaceError, AccessError: as their names say; nothing is left behind.
    """
    data = checklist_document(report, day)
    with new_file(out, may_replace=may_replace) as temporary:
        temporary.write_bytes(data)


def checklist_document(report: ChecklistReport, day: date) -> bytes:
    """Return the bytes of the document, the same for the same report and day."""
    document = new_document()
    title = f"Checklist: {shown(report.name)}"
    document.add_paragraph(title, style="Title")
    chosen = f" A language model ({report.model}) chose the sentences." if report.model else ""
    for line in (_WHAT_IS_SAID + chosen, *report.notices):
        document.add_paragraph(shown(line))
    if len(report.documents) > 1:
        add_table(document, ("Document", "Found", "Not found"), map(_overview, report.documents))
    for each in report.documents:
        _write(document, each)
    return saved(document, title, day)


def _overview(each: DocumentAnswers) -> tuple[str, str, str]:
    found = [answer.item for answer in each.answers if answer.extracts]
    missing = [answer.item for answer in each.answers if not answer.extracts]
    return brief_named(each.document), ", ".join(found), ", ".join(missing)


def _write(document: Any, each: DocumentAnswers) -> None:
    document.add_heading(shown(brief_named(each.document)), 1)
    for answer in each.answers:
        document.add_heading(shown(answer.item), 2)
        if answer.note:
            document.add_paragraph(shown(answer.note))
        if not answer.extracts:
            document.add_paragraph(NOT_FOUND)
        for extract in answer.extracts:
            _write_extract(document, each.document, extract)


def _write_extract(document: Any, source: Document, extract: ChecklistExtract) -> None:
    text, told = extract.passage.text, extract.told
    for match in re.finditer(r"\S.*", extract.text):
        line = Span(*(extract.span.start + at for at in match.span()))
        paragraph = document.add_paragraph(style="Quote")
        for piece, printed in runs(line, (), (told,) if extract.sentence else ()):
            paragraph.add_run(shown(text[slice(*piece)])).bold = printed.is_bold or None
    lines = [f"— {place_of(source, extract) or 'no page'}", *(f"[{each}]" for each in extract.cautions)]
    document.add_paragraph(shown(" ".join(lines)))


def brief_named(document: Document) -> str:
    """Return a document by its title and day."""
    filed = document.filed.isoformat() if document.filed else "undated"
    return f"{document.metadata.title.value}, {filed}"


def place_of(document: Document, extract: ChecklistExtract) -> str:
    """Return where an extract stands: its headings and pages; empty where it has neither."""
    passage = extract.passage
    return " › ".join(
        filter(None, (*passage.section_path, document.cited_pages(passage.page_first, passage.page_last)))
    )


_COLUMNS = ("document", "filed", "source_path", "item", "found", "section", "pages", "text", "cautions")


def export_table(report: ChecklistReport, out: Path, *, may_replace: bool = False) -> None:
    """Write the report into a new CSV file, in which no cell is a formula.

    Raises:
        UsageError: there is a file of that name, and it may not be replaced.
        NoSpaceError, AccessError: as their names say; nothing is left behind.
    """
    with new_file(out, may_replace=may_replace) as temporary:
        temporary.write_text(table([_COLUMNS, *_rows(report)]), encoding="utf-8-sig", newline="")


def _rows(report: ChecklistReport) -> Iterator[tuple[object, ...]]:
    for each in report.documents:
        document = each.document
        filed = document.filed.isoformat() if document.filed else "undated"
        named = (document.metadata.title.value, filed, document.source_path)
        for answer in each.answers:
            if not answer.extracts:
                yield *named, answer.item, NOT_FOUND, "", "", "", ""
            for extract in answer.extracts:
                passage = extract.passage
                pages = document.cited_pages(passage.page_first, passage.page_last)
                section = " › ".join(passage.section_path)
                yield *named, answer.item, "found", section, pages, extract.text, "; ".join(extract.cautions)
