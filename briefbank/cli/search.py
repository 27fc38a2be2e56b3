"""`briefbank search QUERY`: the best passages for a question, what is on point first and newest first within each."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.filters import add_filters, add_sort, filters_and_files, opened_files, with_full_names
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.visible import visible_name
from briefbank.values.bands import arranged, band_headings, order_notice
from briefbank.values.cautions import cautions_of_hit
from briefbank.values.defaults import RESULTS_SHOWN
from briefbank.values.records import Filters, Query, SortOrder

if TYPE_CHECKING:
    from briefbank.values.authorities import Addressed
    from briefbank.values.records import Hit, SearchResult, Span

_BRIEFS_SHOWN = 10
_ORDERS = {
    SortOrder.RECENCY: "newest first",
    SortOrder.RELEVANCE: "best match first",
    SortOrder.OUTCOME: "cases won first",
}


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "search",
        help="search the bank with a question or keywords",
        description="Show the passages that help most. Words, citations and rules are matched; so is meaning.",
    )
    parser.add_argument("query", metavar="QUERY", nargs="?", default="", help="a question, words, or pasted text")
    parser.add_argument("--like", metavar="PASSAGE_ID", default="", help="passages like this one, from other briefs")
    parser.add_argument(
        "--top-k", type=int, default=RESULTS_SHOWN, metavar="N", help="how many passages to show (%(default)s)"
    )
    add_sort(parser, SortOrder.RECENCY)
    add_filters(parser)
    parser.add_argument("--include-weak", action="store_true", help="show matches that are too weak too")
    parser.add_argument(
        "--refuse-hint", action="append", default=[], metavar="TEXT", help="words of the question that set no condition"
    )
    parser.add_argument("--as-typed", action="store_true", help="correct no misspelt word")
    parser.add_argument("--include-hidden", action="store_true", help="show tables and captions, lower no section")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Search and print."""
    filters, files = filters_and_files(args)
    query = Query(
        args.query,
        args.top_k,
        SortOrder(args.sort),
        filters,
        include_hidden=args.include_hidden,
        include_weak=args.include_weak,
        refused_hints=tuple(args.refuse_hint),
        like_passage=args.like,
        as_typed=args.as_typed,
    )
    with open_bank(args) as bank:
        searched = opened_files(bank, files) if files else bank
        if not args.json:
            query = replace(query, filters=with_full_names(filters, searched.facets))
        result = searched.search(query)
        addressed = None if files else bank.addressed(query)
    if args.json:
        from briefbank.cli.as_json import addressed_json, result_json

        output.out_json(result_json(result, is_of_files=bool(files)) | addressed_json(addressed))
        return ExitCode.OK
    if addressed:
        _print_addressed(addressed)
    print_result(result, is_of_files=bool(files))
    return ExitCode.OK


def print_result(result: SearchResult, *, is_of_files: bool = False) -> None:
    """Print a whole search result for people. Passages of files that are in no bank have no ids to be shown by."""
    _print_reading(result, is_of_files=is_of_files)
    if not result.hits and result.weak_count:
        output.out("Nothing answers this well. --include-weak shows what comes closest.")
        return
    if not result.hits:
        if result.query.filters == Filters():
            output.out("Nothing found. Try other words.")
        else:
            output.out(
                "Nothing found. Try other words, or fewer filters; `briefbank documents` shows how courts, authors"
            )
            output.out("and outcomes are written.")
        return
    hits = arranged(result.hits, result.query.sort)
    headings = band_headings(hits)
    has_bands = any(headings)
    if not result.has_exact:
        closest = "." if has_bands else "; closest in meaning:"
        output.out(f"No passage holds all these words{closest}\n")
    for heading, hit in zip(headings, hits, strict=True):
        if heading:
            output.out_styled([(heading, "bold")])
            output.out()
        _print_hit(hit, is_of_files=is_of_files)
    within = " within each" if has_bands else ""
    order = f"{_ORDERS[result.query.sort]}{within if result.query.sort is not SortOrder.RELEVANCE else ''}"
    if told := order_notice(result.hits, result.query.sort):
        output.out(f"{told}\n")
    left_out = f" · {result.hidden_count} in tables and captions not shown" if result.hidden_count else ""
    lowered = f" · {result.lowered_count} in facts and procedure ranked lower" if result.lowered_count else ""
    found = output.counted(result.found, "passage")
    weaker = f" · {output.counted(result.weak_count, 'weaker passage')} not shown" if result.weak_count else ""
    output.out(f"{len(result.hits)} of {found}, {order}, {result.took_ms:.0f} ms{weaker}{left_out}{lowered}")


def _print_addressed(addressed: Addressed) -> None:
    """Print how many briefs each condition leaves, and which are left in the end."""
    for step in addressed.steps:
        output.out(f"{visible_name(step.meaning)}: {output.counted(step.brief_count, 'brief')}")
    if addressed.hidden_count:
        output.out(f"{addressed.hidden_count:,} more in tables, captions and certificates alone (--include-hidden)")
    for each in addressed.briefs[:_BRIEFS_SHOWN]:
        passages = output.counted(each.passage_count, "passage")
        output.out(f"  {output.brief_line(each.document, passages, f'[{each.passage_id}]')}")
    if len(addressed.briefs) > _BRIEFS_SHOWN:
        output.out(f"  and {len(addressed.briefs) - _BRIEFS_SHOWN:,} more (--json has all)")
    output.out("")


def _print_reading(result: SearchResult, *, is_of_files: bool) -> None:
    """Print how the question was read, and what else answers it."""
    if result.explanation:
        output.out(f"{result.explanation}\n")
    if result.corrections:
        corrected = ", ".join(each.corrected for each in result.corrections)
        typed = ", ".join(each.typed for each in result.corrections)
        output.out(f"Searched for {corrected}. Search for {typed} instead with --as-typed.\n")
    for notice in result.notices:
        output.out(f"{notice}\n")
    if result.authority and not is_of_files:
        output.out(f"What briefs report of it: briefbank card {shlex.quote(result.authority)}\n")
    for hint in result.hints:
        output.out(f"“{hint.text}” is read as: {hint.meaning} (--refuse-hint '{hint.text}' reads it as words)\n")


def _print_hit(hit: Hit, *, is_of_files: bool) -> None:
    document, passage = hit.document, hit.passage

    def ident(passage_id: str) -> str:  # by an id of the bank a passage could be shown and judged
        return "" if is_of_files else f" · {passage_id}"

    filed = document.metadata.filed.value if document.metadata.filed else "undated"
    court = f" · {document.metadata.court.value}" if document.metadata.court else ""
    docket = f" · {document.metadata.docket.value}" if document.metadata.docket else ""
    output.out(visible_name(f"{filed}  {document.metadata.title.value}{court}{docket}"))
    pages = document.cited_pages(passage.page_first, passage.page_last)
    if place := " › ".join(filter(None, (*passage.section_path, pages))):
        output.out(f"  {visible_name(place)}")
    for line in _lines(passage.text, hit.matches):
        output.out_styled([("    ", ""), *line])
    for caution in cautions_of_hit(hit):
        output.out(f"  ! {visible_name(caution)}")
    ocr = f" · OCR, {passage.ocr_confidence:.0%} sure" if passage.ocr_confidence is not None else ""
    for sibling in hit.siblings:
        day = output.filed_day(sibling.filed)
        output.out(f"  nearly the same: {visible_name(sibling.title)}, {day}{ident(sibling.passage_id)}")
    told = " · ".join(filter(None, (f"best match {hit.rank}", hit.why)))
    output.out(f"  {told}{ocr}{ident(passage.id)}\n")


def _lines(text: str, matches: Sequence[Span]) -> Iterator[list[tuple[str, str]]]:
    """The lines of a passage, each in pieces with their styles: what matches is bold."""
    first = 0
    for line in text.splitlines(keepends=True):
        end = first + len(line.rstrip())
        pieces, done = [], first
        for match in matches:
            start, stop = max(match.start, first), min(match.end, end)
            if start < stop:
                pieces += [(text[done:start], ""), (text[start:stop], "bold")]
                done = stop
        yield [*pieces, (text[done:end], "")]
        first += len(line)
