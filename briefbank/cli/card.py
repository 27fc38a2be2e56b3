"""`briefbank card AUTHORITY`: what the bank knows of one case, rule or statute."""

from __future__ import annotations

import argparse
from typing import Any

from briefbank.cli import output
from briefbank.cli.as_json import brief_json, day_json
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.visible import visible_name
from briefbank.values.authorities import AuthorityCard, ReportedSaying

_SHOWN = 10
_MARKS = {"stop": "!!", "warning": "! ", "caution": "? ", "neutral": "  ", "": "  "}


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "card",
        help="what the bank knows of one case, rule or statute",
        description="Who cites the authority, what briefs say it holds and how they report its treatment, verbatim and "
        "newest first, and the office's alerts. Of a treatment, !! says that it stopped being law, "
        "! that it was weakened, ? that it deserves a look. No citator is asked: check what you rely on.",
    )
    parser.add_argument("authority", nargs="+", metavar="AUTHORITY", help="a citation, a rule, or the name of a case")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the card."""
    with open_bank(args) as bank:
        card = bank.card(" ".join(args.authority))
    if args.json:
        output.out_json(_card_json(card))
        return ExitCode.OK
    output.out_styled([(visible_name(card.names[0]), "bold")])
    for alert in card.alerts:
        output.out(f"! {visible_name(alert)}")
    if not card.briefs:
        output.out("No brief of this bank cites it.")
        return ExitCode.OK
    if card.is_read_by_ocr:
        output.out("All that is known of it was read by OCR: check the citation against a page.")
    passages = output.counted(card.passage_count, "passage")
    briefs, times = output.counted(len(card.briefs), "document"), output.counted(card.mentions, "time")
    output.out(f"cited {times} in {passages} of {briefs}, {card.full_mentions:,} in full")
    output.out(f"newest: {output.brief_line(card.briefs[0])}")
    if len(card.briefs) > 1:
        oldest = next((each for each in reversed(card.briefs) if each.filed), card.briefs[-1])
        output.out(f"oldest: {output.brief_line(oldest)}")
    if len(card.briefs) > 2:
        output.out(f"and {len(card.briefs) - 2:,} more (--json has all)")
    _print_sayings("What directives say (no statement of the law)", card.directives, len(card.directives))
    _print_sayings("How briefs report its treatment", card.treatments)
    _print_sayings("What briefs say it holds", card.holdings)
    if card.last_cited:
        output.out(f"Nothing here is newer than {card.last_cited.isoformat()}, and BriefBank checked nothing itself.")
    else:
        output.out("BriefBank checked nothing itself, and no document here is dated.")
    return ExitCode.OK


def _print_sayings(title: str, sayings: tuple[ReportedSaying, ...], shown: int = _SHOWN) -> None:
    if not sayings:
        return
    output.out(f"{title}:")
    for each in sayings[:shown]:
        output.out(f"  {_MARKS[each.severity]} {visible_name(each.text)}")
        output.out(f"       {_saying_line(each)}")
    if len(sayings) > shown:
        output.out(f"     and {len(sayings) - shown:,} more (--json has all)")


def _saying_line(saying: ReportedSaying) -> str:
    cited = saying.document.cited_pages(saying.passage.page_first, saying.passage.page_last)
    return output.brief_line(saying.document, cited, f"[{saying.passage.id}]")


def _card_json(card: AuthorityCard) -> dict[str, Any]:
    return {
        "names": list(card.names),
        "mentions": card.mentions,
        "full_mentions": card.full_mentions,
        "passages": card.passage_count,
        "read_by_ocr": card.is_read_by_ocr,
        "briefs": [brief_json(each) for each in card.briefs],
        "holdings": [_saying_json(each) for each in card.holdings],
        "treatments": [_saying_json(each) for each in card.treatments],
        "alerts": list(card.alerts),
        "directives": [_saying_json(each) for each in card.directives],
        "not_checked_after": day_json(card.last_cited),
    }


def _saying_json(saying: ReportedSaying) -> dict[str, Any]:
    return {
        "text": saying.text,
        "kind": saying.kind,
        "severity": saying.severity or None,
        "passage_id": saying.passage.id,
        "page_first": saying.passage.page_first if saying.document.has_pages else None,
        "page_label": saying.document.printed_pages(saying.passage.page_first, saying.passage.page_first),
        **brief_json(saying.document),
    }
