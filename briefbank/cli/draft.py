"""`briefbank draft FILE`: a draft held against the bank."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from msgspec import to_builtins

from briefbank.cli import output
from briefbank.cli.as_json import brief_json
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_bank, open_bank, require_word_name
from briefbank.errors import ExitCode, UsageError
from briefbank.matters.check_record import (
    Change,
    CheckRecord,
    DecidedFinding,
    Decision,
    EarlierRecord,
    RecordWish,
    carried_over,
)
from briefbank.platform.files import require_new
from briefbank.platform.visible import visible_name
from briefbank.values.authorities import CitedAuthority, DraftPoint, DraftReport, MissingAuthority
from briefbank.values.findings import ComparedKind
from briefbank.values.record import CaseRecord

if TYPE_CHECKING:
    from briefbank.bank.local import Bank
    from briefbank.matters.state import Matter


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "draft",
        help="hold a draft against the bank",
        description="For each point of a draft: the most similar passages of the bank, and the authorities that briefs "
        "cite there and the draft does not. Of the whole draft: alerted and badly treated authorities, quotations that "
        "differ from the bank's text of them or are not in it, references that lead nowhere, a table of authorities. "
        "Nothing of the draft is kept but in a report or a record that you ask for.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the draft: Word, PDF, RTF, text; yours or another's")
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FOLDER",
        help="hold the draft's cites of the record against the transcripts and appendices in a folder",
    )
    parser.add_argument(
        "--volume",
        action="append",
        default=[],
        type=_volume,
        metavar="NAME=FILE",
        help="the file of the record that the draft calls so (3T=june5.pdf), where nothing tells; may be repeated",
    )
    parser.add_argument("--out", type=Path, metavar="REPORT", help="write all of it into a new Word document (.docx)")
    parser.add_argument("--date", type=date.fromisoformat, metavar="DATE", help="that document's date (today)")
    _add_record(parser)
    add_bank(parser)
    parser.set_defaults(run=run)


def _add_record(parser: argparse.ArgumentParser) -> None:
    record = parser.add_argument_group("the record of the check, kept only where it is asked for")
    record.add_argument("--save-record", type=Path, metavar="OUT", help="write it into a new .docx or .json")
    record.add_argument("--earlier", type=Path, metavar="RECORD", help="take the decisions of an earlier record over")
    record.add_argument(
        "--decide", nargs="+", action="append", default=[], metavar="KEY",
        help="what was decided on a finding: its key (--json has it), open, mended or reviewed, and a note",
    )  # fmt: skip
    record.add_argument("--initials", default="", metavar="ABC", help="of who decided that")
    record.add_argument("--matter", metavar="NAME", help="the matter that the draft belongs to")
    record.add_argument("--statement", default="", metavar="NAME", help="which statement on AI (the office's first)")


def run(args: argparse.Namespace) -> ExitCode:
    """Check the draft and print what was found, or write it into a Word document."""
    if args.out:
        require_word_name(args.out)
    is_recorded = bool(args.save_record or args.earlier or args.decide)
    _require_use(args, is_recorded=is_recorded)
    asked = _Recording.begun(args) if is_recorded else None
    with open_bank(args) as bank, long_work("point") as work:
        report = bank.check_draft(args.file, _case(args), **work)
        record = asked.record(bank, report) if asked else None
    if args.out:
        from briefbank.search.draft.word import export_draft_report

        export_draft_report(report, args.out, _day(args))
    if record and args.save_record:
        from briefbank.matters.record_file import write_check_record

        write_check_record(record, args.save_record)
    if args.json:
        output.out_json(_report_json(report) | ({"record": to_builtins(record)} if record else {}))
        return ExitCode.OK
    if record:
        _print_record(record)
    if written := [each for each in (args.out, args.save_record) if each]:
        for each in written:
            output.out(f"Wrote {visible_name(str(each))}.")
        return ExitCode.OK
    output.out_styled([(visible_name(report.title), "bold")])
    if report.unread_pages:
        output.warn(f"Not read, for there is no text on them: {_sheets(report.unread_pages)} of the file.")
    for remark in report.remarks:
        output.warn(remark)
    _print_faults(report)
    for point in report.points:
        _print_point(point, has_pages=report.has_pages)
    for point in report.too_short:
        pages = f", {_sheets(range(point.page_first, point.page_last + 1))}" if report.has_pages else ""
        output.out(visible_name(f"Not checked, too short: {' › '.join(point.path) or 'text without a heading'}{pages}"))
    _print_other_findings(report)
    _print_authorities(report)
    _print_unknown(report)
    return ExitCode.OK


def _day(args: argparse.Namespace) -> date:
    day: date = args.date or datetime.now().astimezone().date()
    return day


@dataclass(frozen=True, slots=True)
class _Recording:
    """What a call says for the record, read and refused before the draft is: that takes a while."""

    args: argparse.Namespace
    earlier: EarlierRecord
    decisions: Mapping[str, tuple[Decision, str]]
    matter: Matter | None

    @classmethod
    def begun(cls, args: argparse.Namespace) -> Self:
        from briefbank.matters.record_file import read_check_record, require_record_name

        decisions = _decisions(args)
        if args.save_record:
            require_record_name(args.save_record)
            require_new(args.save_record)
        earlier = read_check_record(args.earlier) if args.earlier else EarlierRecord(None, "")
        return cls(args, earlier, decisions, _matter(args.matter) if args.matter else None)

    def record(self, bank: Bank, report: DraftReport) -> CheckRecord:
        from briefbank.judgements.feedback.log import default_log

        known = self.earlier.record
        before, sha256 = ((*known.findings, *known.gone), known.sha256) if known else (None, "")
        decided, gone = carried_over(report.findings, report.sha256, before, sha256, report.could_find)
        if unknown := self.decisions.keys() - {each.finding.key for each in decided}:
            raise UsageError(f"This draft has no finding {min(unknown)}.", "`briefbank draft --json` names their keys.")
        matter = self.matter
        wish = RecordWish(
            findings=tuple(map(self._decided, decided)),
            checked=_day(self.args),
            log=default_log(),
            gone=gone,
            earlier=self.earlier.sha256,
            notices=self.earlier.told(report.title),
            statement=self.args.statement,
            matter=matter.name if matter else "",
            since=datetime.fromisoformat(matter.made_at).astimezone().date() if matter else None,
        )
        return bank.check_record(report, wish)

    def _decided(self, each: DecidedFinding) -> DecidedFinding:
        if each.finding.key not in self.decisions:
            return each
        decision, note = self.decisions[each.finding.key]
        initials: str = self.args.initials
        if not initials and decision is each.decision:
            initials = each.initials
        elif not initials and each.initials and decision is not Decision.OPEN:
            raise UsageError(f"{each.initials} decided otherwise on {each.finding.key}.", "Say who with --initials.")
        return replace(each, decision=decision, initials=initials, note=note or each.note)


def _require_use(args: argparse.Namespace, *, is_recorded: bool) -> None:
    """Refuse what would be dropped unsaid: what is said for a record where there is none, and initials of no decision.

    Raises UsageError.
    """
    for option in ("matter", "statement"):
        if getattr(args, option) and not is_recorded:
            raise UsageError(f"--{option} is said for a record of the check.", "Name one with --save-record.")
    if args.initials and not args.decide:
        raise UsageError("--initials say who decided, and nothing is decided.", "Name a finding with --decide.")
    if args.decide and not (args.save_record or args.json):
        raise UsageError("A decision is kept in a record of the check alone.", "Name one with --save-record.")


def _decisions(args: argparse.Namespace) -> dict[str, tuple[Decision, str]]:
    decisions: dict[str, tuple[Decision, str]] = {}
    for key, *said in args.decide:
        decision, note = said[0] if said else "", " ".join(said[1:]).strip()
        if decision not in set(Decision):
            told = f"“{decision}” is no decision" if said else "No decision is said"
            raise UsageError(f"{told} on {key}.", f"Say --decide KEY with one of: {', '.join(Decision)}.")
        if key in decisions:
            raise UsageError(f"{key} is decided twice.", "Say --decide once for each finding.")
        decisions[key] = Decision(decision), note
    return decisions


def _matter(named: str) -> Matter:
    from briefbank.matters.exchange import find_matter
    from briefbank.matters.log import default_log, matters_in

    return find_matter(matters_in(default_log()), named)


def _print_record(record: CheckRecord) -> None:
    from briefbank.matters.record_file import told_of_decisions

    for notice in record.notices:
        output.warn(visible_name(notice))
    output.out_styled([(f"Findings: {told_of_decisions(record)}", "bold")])
    for each in (*record.findings, *record.gone):
        if each.change and each.change is not Change.KEPT:
            output.out(visible_name(f"    {each.change}: {each.finding.words} ({each.finding.fact}) [{each.decision}]"))


def _print_faults(report: DraftReport) -> None:
    """What stands against the draft: authorities warned of, altered quotations, references that lead nowhere."""
    warned = [each for each in report.authorities if each.alerts or each.treatments]
    if warned:
        output.out_styled([("Authorities to look at again", "bold")])
    for each in warned:
        pages = f", {_sheets(each.pages)}" if report.has_pages else ""
        output.out(visible_name(f"    {each.authority}{pages}"))
        _print_against(each)
    output.out_styled([(report.told_of_quotations(), "bold")])
    for altered in report.quotations:
        page = f"sheet {altered.page}: " if report.has_pages else ""
        output.out(visible_name(f"    {page}“{altered.text}”"))
        output.out(visible_name(f"      here “{altered.here}”, there “{altered.there}”"))
        output.out(f"      {output.brief_line(altered.document, f'[{altered.passage.id}]')}")
    for cited in report.contradicted:
        page = f"sheet {cited.page}: " if report.has_pages else ""
        output.out(visible_name(f"{page}{cited.text}: {cited.fact}"))
    for reference in report.references:
        page = f", sheet {reference.page}" if report.has_pages else ""
        output.out(visible_name(f"There is no {reference.text} in this draft{page}."))


def _print_other_findings(report: DraftReport) -> None:
    """What the checks found that have no part of their own in the report, and what they could not check."""
    from briefbank.search.draft.findings import others_of

    others = others_of(report)
    for title, group in groupby(sorted(others.findings, key=attrgetter("title")), attrgetter("title")):
        output.out_styled([(title, "bold")])
        for each in group:
            pages = f"{_sheets(each.pages)}: " if each.pages else ""
            output.out(visible_name(f"    {pages}{each.words}"))
            output.out(visible_name(f"      {each.fact}"))
            for there in (there for there in each.compared if there.kind is ComparedKind.RECORD):
                output.out(visible_name(f"      {there.name}, {there.place}: {there.words}"))
    for missed in others.unchecked:
        output.out(visible_name(f"Not checked: {missed.what}: {missed.why}"))
    for used in others.lists:
        output.out(visible_name(f"Held against: {used.told}"))


def _volume(text: str) -> tuple[str, str]:
    name, _, file = text.partition("=")
    if not name or not file:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FILE")
    return name, file


def _case(args: argparse.Namespace) -> CaseRecord | None:
    if args.volume and not args.record:
        raise UsageError("--volume names a file of a record.", "Name the folder of the record with --record.")
    return CaseRecord(args.record, dict(args.volume)) if args.record else None


def _print_against(each: CitedAuthority | MissingAuthority) -> None:
    for line in (*each.alerts, *(f"{said.label}: {said.text}" for said in each.treatments)):
        output.out(visible_name(f"      ! {line}"))


def _print_point(point: DraftPoint, *, has_pages: bool) -> None:
    output.out_styled([(visible_name(" › ".join(point.path) or "Text"), "bold")])
    if has_pages:
        output.out(f"    your {_sheets(range(point.page_first, point.page_last + 1))}")
    output.out("    most similar passages:")
    for hit in point.nearest:
        cited = hit.document.cited_pages(hit.passage.page_first, hit.passage.page_last)
        output.out(f"      {output.brief_line(hit.document, cited, f'[{hit.passage.id}]')}")
    if point.missing:
        output.out("    cited there, and nowhere in this draft:")
    for each in point.missing:
        briefs = output.counted(each.brief_count, "brief")
        newest = output.filed_day(each.newest.filed)
        ocr = ", read by OCR" if each.is_read_by_ocr else ""
        output.out(visible_name(f"      {each.authority} ({briefs}, newest {newest}{ocr})  [{each.passage_id}]"))
        _print_against(each)


def _print_authorities(report: DraftReport) -> None:
    output.out_styled([("Table of authorities", "bold")])
    for each in report.authorities:
        pages = f", {_sheets(each.pages)}" if report.has_pages else ""
        known = "" if each.is_known else "  (no brief of the bank cites it)"
        output.out(visible_name(f"    {each.authority}{pages}{known}"))
    for name in report.named_only:
        output.out(visible_name(f"    {name}: cited by name, nowhere in full"))


def _print_unknown(report: DraftReport) -> None:
    if report.unknown_quotations:
        output.out_styled([("Quotations that the bank does not have: check them where they come from", "bold")])
    for each in report.unknown_quotations:
        page = f"sheet {each.page}: " if report.has_pages else ""
        output.out(visible_name(f"    {page}“{each.text}”"))
    if report.uncompared_quotations:
        output.out_styled([("Quotations that were not compared", "bold")])
    for told in report.uncompared_quotations:
        page = f"sheet {told.page}: " if report.has_pages else ""
        output.out(visible_name(f"    {page}“{told.text}” {told.fault}"))


def _sheets(pages: Iterable[int]) -> str:
    """Pages of the draft's file: what is printed on them is not read, and may be another number."""
    numbers = list(pages)
    return f"{'sheet' if len(numbers) == 1 else 'sheets'} {', '.join(map(str, numbers))}"


def _against_json(each: CitedAuthority | MissingAuthority) -> dict[str, Any]:
    treatments = [
        {"text": said.text, "kind": said.kind, "severity": said.severity, "passage_id": said.passage.id}
        for said in each.treatments
    ]
    return {"alerts": list(each.alerts), "treatments": treatments}


def _authority_json(each: CitedAuthority) -> dict[str, Any]:
    return {
        "authority": each.authority,
        "pages": list(each.pages),
        "in_bank": each.is_known,
        **_against_json(each),
    }


def _report_json(report: DraftReport) -> dict[str, Any]:
    return {
        "title": report.title,
        "has_pages": report.has_pages,
        "points": [
            {
                "section_path": list(point.path),
                "page_first": point.page_first,
                "page_last": point.page_last,
                "nearest": [{"passage_id": hit.passage.id, **brief_json(hit.document)} for hit in point.nearest],
                "missing": [
                    {
                        "authority": each.authority,
                        "briefs": each.brief_count,
                        "passage_id": each.passage_id,
                        "read_by_ocr": each.is_read_by_ocr,
                        **_against_json(each),
                        **brief_json(each.newest),
                    }
                    for each in point.missing
                ],
                "missing_count": point.missing_count,
            }
            for point in report.points
        ],
        "too_short": [
            {"section_path": list(point.path), "page_first": point.page_first, "page_last": point.page_last}
            for point in report.too_short
        ],
        "authorities": [_authority_json(each) for each in report.authorities],
        "named_only": list(report.named_only),
        "quotations": [
            {
                "text": each.text,
                "page": each.page,
                "here": each.here,
                "there": each.there,
                "passage_id": each.passage.id,
                **brief_json(each.document),
            }
            for each in report.quotations
        ],
        "quotation_count": report.quotation_count,
        "uncompared_quotations": [
            {"text": each.text, "page": each.page, "fault": each.fault} for each in report.uncompared_quotations
        ],
        "unknown_quotations": [{"text": each.text, "page": each.page} for each in report.unknown_quotations],
        "unread_pages": list(report.unread_pages),
        "remarks": list(report.remarks),
        "contradicted_citations": [
            {"text": each.text, "page": each.page, "fact": each.fact} for each in report.contradicted
        ],
        "dead_references": [{"text": each.text, "page": each.page} for each in report.references],
        "findings": to_builtins(report.findings),
        "unchecked": to_builtins(report.unchecked),
        "lists": to_builtins(report.lists),
    }
