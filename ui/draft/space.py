"""The space in which a draft is held against the bank: what was found at the left, the bank's page at the right.

Pages of the draft are called "your", for those beside the list are the bank's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from briefbank.values.authorities import AlteredQuotation, CitedAuthority, DraftPoint, DraftReport, MissingAuthority
from briefbank.values.cautions import cautions_of_hit
from briefbank.values.records import Hit
from ui.bottom_bar import BottomBar
from ui.dialogs.asking import ask_where
from ui.engine import EngineClient
from ui.findings.actions import FindingActions
from ui.findings.checking import Checking, CheckTexts
from ui.findings.finding import Finding, Source, of_saying, section, where
from ui.findings.tree import FindingsTree
from ui.flow import column_of
from ui.headings import sentence_case
from ui.reading.list_and_page import ListAndPage, LoadWhenSeen, status_label
from ui.shortcuts import WITH_A_DRAFT
from ui.wording import count, day, heading

_NO_FAULTS = "No warning, no altered quotation and no reference to a point that is not there was found."
_UNKNOWN = "Quotations that the bank does not have: nothing was held against these"
_TEXTS = CheckTexts(
    choose="Check a &draft …",
    export="Save as &Word …",
    close="&Close the draft",
    dialog="Check a draft",
    kind="Drafts",
    stopped="Stopped. Nothing was kept of the draft.",
    bar="How far the check is",
    progress=lambda each: f"Looking up point {each.files_done + 1:,} of {each.files_total:,} …",
)
_FIRST = (
    "Choose a draft, or drop its file here: yours, the other side’s, or an old one.\n"
    "Word, PDF, RTF or text. It is read into memory; nothing of it is kept."
)
_RENEWED = "The index was renewed since: check the draft again."
_Yours = Callable[[Iterable[int]], str]
"""Says on which pages of the draft something stands."""


class DraftSpace(QWidget):
    """One draft at a time."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        super().__init__()
        self._engine, self._bottom = engine, bottom
        self.tree = FindingsTree("What the check found")
        self.status = status_label()
        self.checking = Checking(engine, bottom, self, self.tree, self.status, _TEXTS, WITH_A_DRAFT)
        left = QWidget()
        checking = self.checking
        column_of(checking.row(), checking.title, self.status, checking.bar, (self.tree, 1), within=left)
        self.splitter = self.checking.reading = ListAndPage(engine, bottom, left, self.tree, name="draft")
        self.page, self.empty = self.splitter.page, self.splitter.empty
        column_of(self.splitter, within=self)
        self.findings = FindingActions(engine, bottom, self.tree, self.splitter)
        self.checking.file_chosen.connect(self.check)
        self.checking.reported.connect(self._on_reported)
        self.checking.stop_requested.connect(lambda: self.checking.end(_TEXTS.stopped))
        self.checking.export_requested.connect(self._ask_where)
        self.checking.close_requested.connect(lambda: self.checking.end(_FIRST))
        self.setFocusProxy(self.checking.choose)
        self.checking.end(_FIRST)
        self._loading = LoadWhenSeen(engine, self, self.status, self.load)

    def load(self) -> None:
        """Say of what is shown that it is of an earlier index."""
        self.status.setText(_RENEWED if self.checking.report else "")

    def check(self, file: Path) -> None:
        """Hold a file against the bank, in the place of what was checked before."""
        self.checking.end(_FIRST)
        run = self._engine.bank.check_draft(file, reporter=self.checking.on_progress)
        self.checking.begin(file.name, run, "Reading the draft …")

    def write(self, out: Path, *, may_replace: bool = False) -> None:
        """Write what was found into a Word document, in place of one of that name where that was agreed to."""
        today = date.today()  # noqa: DTZ011 - the day on the wall
        report = self.checking.report
        written = self._engine.bank.write_draft_report(report, out, today, may_replace=may_replace)
        self.checking.say_written(written, out)

    def _ask_where(self) -> None:
        if self.checking.report and (
            place := ask_where(self, "Save as Word", "Draft check", ".docx", "Word documents (*.docx)")
        ):
            self.write(place[0], may_replace=place[1])

    def _on_reported(self, report: DraftReport) -> None:
        self.status.setText(summary_of(report))
        self.tree.show_findings(findings_of(report))
        self._bottom.announce(f"The draft is checked. {self.status.text()}")


def findings_of(report: DraftReport) -> tuple[Finding, ...]:
    """Return the lines of a report."""
    yours = partial(_your_pages, has_pages=report.has_pages)
    warned = [
        Finding(each.authority, yours(each.pages), authority=each.authority, children=_against(each))
        for each in report.authorities
        if each.alerts or each.treatments
    ]
    dead = [
        Finding(f"{each.text}: there is no such point", yours([each.page]), tone="bad") for each in report.references
    ]
    contradicted = [
        Finding(f"{each.text}: {each.fact}", yours([each.page]), tone="bad") for each in report.contradicted
    ]
    unknown = [Finding(f"“{each.text}”", yours([each.page])) for each in report.unknown_quotations]
    uncompared = [Finding(f"“{each.text}” {each.fault}", yours([each.page])) for each in report.uncompared_quotations]
    faults = [
        *section("Authorities that are warned of", warned, tone="bad"),
        *section("Citations that cannot be as they are written", contradicted),
        *section("Quotations whose words differ in the bank", [_altered(each, yours) for each in report.quotations]),
        *section("References that lead nowhere", dead),
    ]
    authorities = [_authority(each, yours) for each in report.authorities]
    named = [Finding(each, "cited by name, nowhere in full") for each in report.named_only]
    return (
        *_unread(report),
        *(faults or [Finding(_NO_FAULTS, tone="good")]),
        *(_point(each, yours) for each in report.points),
        *section("Not checked: too short", [_short(each, yours) for each in report.too_short]),
        *section("Table of authorities", [*authorities, *named], is_folded=True),
        *section(_UNKNOWN, unknown, is_folded=True),
        *section("Quotations that were not compared", uncompared, is_folded=True),
    )


def summary_of(report: DraftReport) -> str:
    """Return what was looked at, in a line."""
    parts = (
        count(len(report.points), "point"),
        count(len(report.authorities), "authority", "authorities"),
        report.told_of_quotations(),
    )
    return " · ".join(parts)


def _your_pages(pages: Iterable[int], *, has_pages: bool) -> str:
    """Pages of the draft; nothing where its file has none."""
    numbers = list(pages)
    return f"your {sheets(numbers)}" if has_pages and numbers else ""


def sheets(pages: Sequence[int]) -> str:
    """Return "sheet 3", or "sheets 3–5, 9": pages of a file in order, those that follow each other as one."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1][1:] = [page]
        else:
            runs.append([page])
    return f"{'sheet' if len(pages) == 1 else 'sheets'} {', '.join('–'.join(map(str, run)) for run in runs)}"


def _unread(report: DraftReport) -> list[Finding]:
    told = [f"Not read, for there is no text on them: {sheets(report.unread_pages)}"] if report.unread_pages else []
    return [
        Finding(f"⚠ {each}", "Nothing of what follows holds for it", tone="warning")
        for each in (*told, *report.remarks)
    ]


def _against(authority: CitedAuthority | MissingAuthority) -> tuple[Finding, ...]:
    alerts = (Finding(f"⚠ {each}", "your office’s list", tone="warning") for each in authority.alerts)
    return (*alerts, *(of_saying(each) for each in authority.treatments))


def _altered(quotation: AlteredQuotation, yours: _Yours) -> Finding:
    passage, document = quotation.passage, quotation.document
    stands = where(document, passage.page_first, passage.page_last)
    source = Source(quotation.there, document, passage.page_first, passage.page_last)
    there = Finding(
        f"There: {quotation.there}",
        stands,
        tone="good",
        passage_id=passage.id,
        looked_for=quotation.there,
        source=source,
    )
    here = Finding(f"Here: {quotation.here}", yours([quotation.page]), "bad", passage.id, looked_for=quotation.there)
    return Finding(
        f"“{quotation.text}”",
        yours([quotation.page]),
        passage_id=passage.id,
        looked_for=quotation.there,
        children=(here, there),
    )


def _point(point: DraftPoint, yours: _Yours) -> Finding:
    nearest = section("Most similar passages of the bank", [_near(each) for each in point.nearest])
    # Behind a heading a number alone reads as a count, also where more are known than are named.
    first = ", the first of these" if point.missing_count > len(point.missing) else ""
    cited = f"Cited there by briefs, and nowhere in this draft{first}"
    missing = section(cited, [_missing(each) for each in point.missing])
    pages = yours(range(point.page_first, point.page_last + 1))
    own, *above = _headings(point)
    return Finding(
        own,
        " · ".join(filter(None, (pages, point.told_of_missing(), *above))),
        passage_id=point.nearest[0].passage.id if point.nearest else "",
        children=(*missing, *nearest),
        is_folded=True,
    )


def _short(point: DraftPoint, yours: _Yours) -> Finding:
    own, *above = _headings(point)
    return Finding(own, " · ".join(filter(None, (yours(range(point.page_first, point.page_last + 1)), *above))))


def _headings(point: DraftPoint) -> list[str]:
    """The headings of a point, its own first."""
    return [sentence_case(each) for each in reversed(point.path or ("Text without a heading",))]


def _near(hit: Hit) -> Finding:
    passage, document = hit.passage, hit.document
    return Finding(
        heading(passage),
        where(document, passage.page_first, passage.page_last),
        passage_id=passage.id,
        source=Source(passage.text, document, passage.page_first, passage.page_last),
        cautions=cautions_of_hit(hit),
    )


def _missing(missing: MissingAuthority) -> Finding:
    briefs = count(missing.brief_count, "brief")
    ocr = " · read by OCR: its number may be misread" if missing.is_read_by_ocr else ""
    below = f"in {briefs}, newest {day(missing.newest.filed)}: {missing.newest.metadata.title.value}{ocr}"
    against = _against(missing)
    tone = "bad" if against else "text"
    passage_id, looked_for = missing.passage_id, missing.authority
    return Finding(missing.authority, below, tone, passage_id, looked_for=looked_for, children=against)


def _authority(cited: CitedAuthority, yours: _Yours) -> Finding:
    known = "" if cited.is_known else "no brief of the bank cites it"
    warned = "warned of" if cited.alerts or cited.treatments else ""
    return Finding(
        cited.authority,
        " · ".join(filter(None, (yours(cited.pages), known, warned))),
        tone="bad" if warned else "text",
        authority=cited.authority if cited.is_known or warned else "",
    )
