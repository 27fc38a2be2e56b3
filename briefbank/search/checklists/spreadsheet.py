"""A checklist's report as a table for a spreadsheet: a row for each extract, and one for each item without any."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from briefbank.platform.files import new_file
from briefbank.platform.visible import table
from briefbank.search.checklists.word import NOT_FOUND
from briefbank.values import ChecklistReport

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
