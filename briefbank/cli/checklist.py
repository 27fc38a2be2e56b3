"""`briefbank checklist …`: questions put to one document after the other, answered with the documents' own words."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.filters import opened_files
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_bank, add_json, ids_and_files, open_bank, require_word_name
from briefbank.cli.spans import register_spans, settings_of
from briefbank.errors import ExitCode, UsageError
from briefbank.platform.files import require_new
from briefbank.platform.visible import visible_name
from briefbank.search.checklists.report import NOT_FOUND, brief_named, place_of

if TYPE_CHECKING:
    from briefbank.bank.local import Bank
    from briefbank.search.checklists.checklist import Checklist
    from briefbank.values.checklists import ChecklistExtract, ChecklistReport, DocumentAnswers, ItemAnswer


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "checklist",
        help="go through briefs with a list of questions",
        description="Each item of a list is answered with a document's own words, with section and page, or with "
        "“Not found”: which is no proof that there is nothing.",
        epilog="Every action takes --json and --help.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    found = actions.add_parser("list", help="the lists that come with the program")
    add_json(found)
    found.set_defaults(run=_list)
    found = actions.add_parser("show", help="what a list looks for")
    _add_list(found)
    add_json(found)
    found.set_defaults(run=_show)
    _register_run(actions.add_parser("run", help="answer a list for documents"))
    found = actions.add_parser("fit", help="make a list whose thresholds are fitted to annotated clauses")
    found.add_argument("folder", type=Path, metavar="FOLDER", help="the documents")
    register_spans(found, measures=False)
    found.add_argument("--out", type=Path, metavar="FILE", required=True, help="the list, a new TOML file")
    found.add_argument(
        "--cache", type=Path, metavar="DIR", help="keep the index of the documents here for the next time"
    )
    found.add_argument("--settings", type=Path, metavar="FILE", help="a bank.toml with the settings to index with")
    add_json(found)
    found.set_defaults(run=_fit)


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("list", metavar="LIST", help="the name of a list that comes with the program, or a TOML file")


def _register_run(parser: argparse.ArgumentParser) -> None:
    _add_list(parser)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--document",
        action="append",
        default=[],
        metavar="ID|FILE",
        help="this document; or a file that is in no bank, of which nothing is kept",
    )
    which.add_argument("--all", action="store_true", help="every document of the bank, newest first")
    parser.add_argument("--with-model", action="store_true", help="have the language model choose the sentences")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a table of all answers too")
    parser.add_argument("--word", type=Path, metavar="FILE", help="write a Word document too")
    add_bank(parser)
    parser.set_defaults(run=_run)


def _list(args: argparse.Namespace) -> ExitCode:
    from briefbank.search.checklists.checklist import bundled

    lists = bundled()
    if args.json:
        told = [_list_json(name, each) | {"items": len(each.items)} for name, each in lists.items()]
        output.out_json({"checklists": told})
        return ExitCode.OK
    for name, each in lists.items():
        output.out(f"{name}  ({output.counted(len(each.items), 'item')})  {each.description}")
    return ExitCode.OK


def _show(args: argparse.Namespace) -> ExitCode:
    from briefbank.search.checklists.checklist import named

    shown = named(args.list)
    if args.json:
        items = [
            {
                "name": each.name,
                "question": each.question,
                "definition": each.definition,
                "keywords": [str(keyword) for keyword in each.keywords],
                "sections": [kind.value for kind in each.sections],
                "profile": each.profile or None,
                "is_fitted": each.evidence is not None,
            }
            for each in shown.items
        ]
        output.out_json(_list_json(args.list, shown) | {"items": items})
        return ExitCode.OK
    output.out_styled([(visible_name(shown.name), "bold")])
    if shown.description:
        output.out(f"{shown.description}\n")
    for each in shown.items:
        output.out_styled([(each.name, "bold")])
        for line in filter(None, (each.question, each.definition)):
            output.out(f"  {line}")
        if each.keywords:
            output.out(f"  keywords: {', '.join(map(str, each.keywords))}")
        if each.profile:
            output.out(f"  profile: {each.profile}")
    return ExitCode.OK


def _fit(args: argparse.Namespace) -> ExitCode:
    from briefbank.judgements.evaluate.spans.fit import fit_checklist

    if not args.spans:
        raise UsageError("A list is fitted to annotated clauses.", "Name their file with --spans.")
    with long_work("category") as work:
        fitted = fit_checklist(
            args.spans,
            args.folder,
            args.out,
            settings_of(args),
            categories=args.categories,
            cache_folder=args.cache,
            **work,
        )
    unfitted = [each.name for each in fitted.items if each.evidence is None]
    if args.json:
        output.out_json({"file": str(args.out), "items": len(fitted.items), "unfitted": unfitted})
        return ExitCode.OK
    output.out(visible_name(f"{args.out}: {output.counted(len(fitted.items), 'item')}"))
    for name in unfitted:
        output.out(visible_name(f"  {name}: in too few documents to be fitted"))
    return ExitCode.OK


def _list_json(name: str, checklist: Checklist) -> dict[str, Any]:
    return {"list": name, "title": checklist.name, "description": checklist.description}


def _run(args: argparse.Namespace) -> ExitCode:
    from briefbank.search.checklists.checklist import named

    checklist = named(args.list)
    written = [each for each in (args.csv, args.word) if each]
    if args.csv:
        require_new(args.csv)
    if args.word:
        require_word_name(args.word)
    if len(written) > len(set(written)):
        raise UsageError("Table and Word document cannot be one file.", "Give them two names.")
    with open_bank(args) as bank:
        report = _report(bank, checklist, args)
    if args.csv:
        from briefbank.search.checklists.report import export_table

        export_table(report, args.csv)
    if args.word:
        from briefbank.search.checklists.report import export_checklist

        export_checklist(report, args.word, datetime.now(UTC).astimezone().date())
    if args.json:
        output.out_json(_report_json(report))
    else:
        _print_report(report)
        for each in written:
            output.out(f"Written: {visible_name(each)}")
    return ExitCode.OK


def _report(bank: Bank, checklist: Checklist, args: argparse.Namespace) -> ChecklistReport:
    ids, files = ids_and_files(args.document)
    if ids and files:
        advice = "Go through the files and what is in the bank one after the other."
        raise UsageError("A checklist is run on files or on documents of the bank, not on both.", advice)
    opened = opened_files(bank, files) if files else None
    for line in opened.notices if opened else ():
        output.warn(visible_name(line))
    wanted = None if args.all else (opened or ids)
    with long_work("item", after_s=2.0) as work:
        return bank.run_checklist(checklist, wanted, with_model=args.with_model, **work)


def _print_report(report: ChecklistReport) -> None:
    for notice in report.notices:
        output.out(f"{notice}\n")
    if report.model:
        output.out(f"A language model ({visible_name(report.model)}) chose the sentences.\n")
    for each in report.documents:
        output.out_styled([(visible_name(brief_named(each.document)), "bold")])
        for answer in each.answers:
            _print_answer(each, answer, is_short=len(report.documents) > 1)
        output.out()


def _print_answer(each: DocumentAnswers, answer: ItemAnswer, *, is_short: bool) -> None:
    """An answer in full; of several documents only where it stands, so that they can be compared."""
    if is_short:
        places = "; ".join(dict.fromkeys(_pages(each, extract) for extract in answer.extracts))
        output.out(visible_name(f"  {answer.item}: {places or NOT_FOUND}"))
        return
    output.out_styled(
        [("  ", ""), (visible_name(answer.item), "bold"), ("" if answer.extracts else f"  {NOT_FOUND}", "")]
    )
    if answer.note:
        output.out(f"    ({answer.note})")
    for extract in answer.extracts:
        for line in extract.text.split("\n"):
            output.out(f"    {line.rstrip()}" if line.strip() else "")
        output.out(f"    — {visible_name(place_of(each.document, extract)) or 'no page'}")
        for caution in extract.cautions:
            output.out(f"    ! {visible_name(caution)}")
        output.out()


def _pages(each: DocumentAnswers, extract: ChecklistExtract) -> str:
    passage = extract.passage
    pages = each.document.cited_pages(passage.page_first, passage.page_last)
    return pages or (passage.section_path[-1] if passage.section_path else "found")


def _report_json(report: ChecklistReport) -> dict[str, Any]:
    return {
        "checklist": report.name,
        "model": report.model or None,
        "notices": list(report.notices),
        "documents": [_document_json(each, is_of_files=report.is_of_files) for each in report.documents],
    }


def _document_json(each: DocumentAnswers, *, is_of_files: bool) -> dict[str, Any]:
    from briefbank.cli.as_json import brief_json, passage_json

    no_ids = {"passage_id": None, "document_id": None} if is_of_files else {}
    answers = [
        {
            "item": answer.item,
            "found": bool(answer.extracts),
            "probability": round(answer.probability, 4),
            "by_model": answer.by_model,
            "note": answer.note,
            "extracts": [
                passage_json(extract.passage, each.document, extract.cautions)
                | {"text": extract.text, "span": [extract.passage.span.start + at for at in extract.span]}
                | no_ids
                for extract in answer.extracts
            ],
        }
        for answer in each.answers
    ]
    named = brief_json(each.document) | {"source_path": each.document.source_path}
    return named | ({"document_id": None} if is_of_files else {}) | {"answers": answers}
