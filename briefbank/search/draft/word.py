"""A draft's report as a Word document: every part of it, in the order in which a writer works it off.

What stands against the draft comes first: alerted and badly treated authorities, differing quotations, references that
lead nowhere, and what the other checks found, with identifiers masked. Then each point with what the bank has on it,
the table of authorities and the quotations that the bank does not have; last what could not be checked, and the lists
that the draft was held against. Nothing else is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from briefbank.platform.files import new_file
from briefbank.platform.word import add_leader, add_table, new_document, saved, shown
from briefbank.search.draft.findings import as_kept, hiding_of, others_of
from briefbank.values.authorities import AlteredQuotation, CitedAuthority, DraftPoint, DraftReport, MissingAuthority
from briefbank.values.cautions import cautions_of_hit
from briefbank.values.findings import ComparedKind, DraftFinding
from briefbank.values.records import Document, Hit

_NO_CITATOR = (
    "No citator was asked: check what you rely on. Nothing of the draft is kept but in this report, and in a record of "
    "the check where one is saved."
)
_COUNTED_PAGES = "Sheets are the pages of the draft's file, counted."


def export_draft_report(report: DraftReport, out: Path, day: date, *, may_replace: bool = False) -> None:
    """Write the report into a new Word document, dated `day`.

    Raises:
        UsageError: there is a file of that name, and it may not be replaced.
        NoSpaceError, AccessError: as their names say; nothing is left behind.
    """
    data = draft_report_document(report, day)
    with new_file(out, may_replace=may_replace) as temporary:
        temporary.write_bytes(data)


def draft_report_document(report: DraftReport, day: date) -> bytes:
    """Return the bytes of the document, the same for the same report and day."""
    return _Writing(report).data(day)


class _Writing:
    """One report while it is written."""

    def __init__(self, report: DraftReport) -> None:
        self._report = report
        self._document = new_document()

    def data(self, day: date) -> bytes:
        title = f"Draft check: {shown(self._report.title)}"
        self._document.add_paragraph(title, style="Title")
        self._line(f"{_NO_CITATOR} {_COUNTED_PAGES}" if self._report.has_pages else _NO_CITATOR)
        if self._report.unread_pages:
            self._line(f"Not read, for there is no text on them: {_sheets(self._report.unread_pages)} of the file.")
        for remark in self._report.remarks:
            self._line(remark)
        self._doubted()
        self._quotations()
        self._references()
        self._others()
        self._document.add_heading("Point by point", 1)
        for point in self._report.points:
            self._point(point)
        if not self._report.points:
            self._line("No point with text was found in the draft.")
        self._too_short()
        self._authorities()
        self._unknown()
        self._unchecked()
        return saved(self._document, title, day)

    def _line(self, text: str, *, style: str | None = None) -> Any:
        return self._document.add_paragraph(shown(text), style=style)

    def _doubted(self) -> None:
        self._document.add_heading("Authorities to look at again", 1)
        doubted = [each for each in self._report.authorities if each.alerts or each.treatments]
        for each in doubted:
            pages = f", {_sheets(each.pages)}" if self._report.has_pages else ""
            self._document.add_heading(shown(f"{each.authority}{pages}"), 2)
            self._against(each, style="List Bullet")
        if not doubted:
            self._line("Nothing is known against the authorities that the draft cites.")

    def _against(self, each: CitedAuthority | MissingAuthority, *, style: str) -> None:
        for alert in each.alerts:
            self._line(alert, style=style)
        for said in each.treatments:
            place = said.document.cited_pages(said.passage.page_first, said.passage.page_last)
            self._line(f"{said.label}: {said.text} ({_brief(said.document, place)})", style=style)

    def _quotations(self) -> None:
        report = self._report
        self._document.add_heading("Quotations that differ", 1)
        self._line(f"{report.told_of_quotations()}.")
        if report.quotations:
            heads = "Draft", "The bank", "Quotation and source"
            add_table(self._document, heads, map(self._quotation, report.quotations))

    def _quotation(self, each: AlteredQuotation) -> tuple[str, str, str]:
        page = f"sheet {each.page}: " if self._report.has_pages else ""
        place = each.document.cited_pages(each.passage.page_first, each.passage.page_last)
        return f"{page}“{each.here}”", f"“{each.there}”", f"“{each.text}” ({_brief(each.document, place)})"

    def _unknown(self) -> None:
        if self._report.unknown_quotations:
            self._document.add_heading("Quotations that the bank does not have", 1)
            self._line("Nothing was held against these. Check them where they come from.")
        for each in self._report.unknown_quotations:
            page = f"sheet {each.page}: " if self._report.has_pages else ""
            self._line(f"{page}“{each.text}”", style="List Bullet")
        if self._report.uncompared_quotations:
            self._document.add_heading("Quotations that were not compared", 1)
        for told in self._report.uncompared_quotations:
            page = f"sheet {told.page}: " if self._report.has_pages else ""
            self._line(f"{page}“{told.text}” {told.fault}", style="List Bullet")

    def _references(self) -> None:
        if self._report.contradicted:
            self._document.add_heading("Citations that cannot be as they are written", 1)
        for cited in self._report.contradicted:
            page = f"sheet {cited.page}: " if self._report.has_pages else ""
            self._line(f"{page}{cited.text}: {cited.fact}", style="List Bullet")
        self._document.add_heading("References that lead nowhere", 1)
        for each in self._report.references:
            page = f", sheet {each.page}" if self._report.has_pages else ""
            self._line(f"There is no {each.text} in the draft{page}.", style="List Bullet")
        if not self._report.references:
            self._line("None was found.")

    def _others(self) -> None:
        """What the other checks found, kind by kind, the weightiest first."""
        hide = hiding_of(self._report.findings)
        kinds: dict[str, list[DraftFinding]] = {}
        for each in others_of(self._report).findings:
            kinds.setdefault(each.title, []).append(as_kept(each, hide))
        for title, found in kinds.items():
            self._document.add_heading(shown(title), 1)
            add_table(self._document, ("Sheet", "The draft", "What was found, and where"), map(_row, found))

    def _unchecked(self) -> None:
        others, hide = others_of(self._report), hiding_of(self._report.findings)
        if others.unchecked:
            self._document.add_heading("What could not be checked", 1)
        for each in others.unchecked:
            self._line(hide(f"{each.what}: {each.why}"), style="List Bullet")
        if others.lists:
            self._document.add_heading("Lists and files that the draft was held against", 1)
        for used in others.lists:
            self._line(used.told, style="List Bullet")

    def _point(self, point: DraftPoint) -> None:
        self._document.add_heading(shown(" › ".join(point.path) or "Text"), 2)
        if self._report.has_pages:
            self._line(f"Draft, {_sheets(range(point.page_first, point.page_last + 1))}")
        self._document.add_heading("Cited on this point in the bank, nowhere in the draft", 3)
        for each in point.missing:
            briefs = f"{each.brief_count:,} brief{'' if each.brief_count == 1 else 's'}"
            self._line(
                f"{each.authority}: {briefs}, newest {_brief(each.newest)} [{each.passage_id}]", style="List Bullet"
            )
            self._against(each, style="List Bullet 2")
        if not point.missing:
            self._line("None was found.")
        self._document.add_heading("Most similar passages of the bank", 3)
        for hit in point.nearest:
            self._similar(hit)
        if not point.nearest:
            self._line("None was found.")

    def _too_short(self) -> None:
        if self._report.too_short:
            self._document.add_heading("Not checked: too short", 2)
        for point in self._report.too_short:
            pages = f", {_sheets(range(point.page_first, point.page_last + 1))}" if self._report.has_pages else ""
            self._line(f"{' › '.join(point.path) or 'Text without a heading'}{pages}", style="List Bullet")

    def _similar(self, hit: Hit) -> None:
        place = hit.document.cited_pages(hit.passage.page_first, hit.passage.page_last)
        self._line(f"{_brief(hit.document, place)} [{hit.passage.id}]", style="List Bullet")
        if hit.sentence:
            words = " ".join(hit.passage.text[slice(*hit.sentence)].split())
            self._line(" ".join([f"“{words}”", *(f"[{each}]" for each in cautions_of_hit(hit))]), style="List Continue")

    def _authorities(self) -> None:
        self._document.add_heading("Table of authorities", 1)
        for each in self._report.authorities:
            self._authority(each)
        for name in self._report.named_only:
            self._line(f"{name} (by name, nowhere in full)")

    def _authority(self, each: CitedAuthority) -> None:
        unknown = "" if each.is_known else " (no brief of the bank cites it)"
        paragraph = self._line(f"{each.authority}{unknown}")
        if self._report.has_pages:
            add_leader(paragraph)
            paragraph.add_run(f"\t{', '.join(map(str, each.pages))}")


def _row(each: DraftFinding) -> tuple[str, str, str]:
    there = (f"[{one.told}{f': “{one.words}”' if one.kind is ComparedKind.RECORD else ''}]" for one in each.compared)
    return ", ".join(map(str, each.pages)), f"“{each.words}”", "\n".join((each.fact, *there))


def _brief(document: Document, place: str = "") -> str:
    filed = document.filed.isoformat() if document.filed else "undated"
    return ", ".join(filter(None, (document.metadata.title.value, filed, place)))


def _sheets(pages: Iterable[int]) -> str:
    numbers = list(pages)
    if len(numbers) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"sheets {numbers[0]}–{numbers[-1]}"
    return f"sheet{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"
