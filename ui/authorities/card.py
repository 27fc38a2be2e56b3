"""The card of an authority as the window shows it: in lines, newest first, and a sentence or two above them.

Everything on it stands in a brief or in the office's list. Knows no widget.
"""

from __future__ import annotations

from briefbank.values import AuthorityCard, CitingBrief
from ui.findings.marks import Finding, of_saying, section
from ui.wording import count, day

_MOST_WARNINGS = 3
"""How many treatments stay with words that are copied from a card; the gravest are told first."""
_READ_BY_OCR = "All that is known of it was read by OCR: compare its names and numbers with the page"
_SHOWN_BRIEFS = 25
"""Briefs listed at once; of a leading case there may be hundreds, the rest of which folds."""


def findings_of(card: AuthorityCard) -> tuple[Finding, ...]:
    """Return the lines of a card: what is against the authority first, then what it holds, then who cites it."""
    warnings = warnings_of(card)
    alerts = [Finding(f"⚠ {each}", tone="warning") for each in card.alerts]
    ocr = [Finding(f"⚠ {_READ_BY_OCR}", tone="warning")] if card.is_read_by_ocr else []
    return (
        *ocr,
        *section("Your office warns", alerts, tone="warning"),
        *section("What directives say (no statement of the law)", [of_saying(each) for each in card.directives]),
        *section("How briefs report its treatment", [of_saying(each) for each in card.treatments]),
        *section("What briefs say it holds", [of_saying(each, warnings) for each in card.holdings]),
        *_briefs(card),
    )


def summary_of(card: AuthorityCard) -> str:
    """Return how often an authority is cited, and in which years."""
    if not card.citing:
        return "No brief of this bank cites it."
    times, briefs = count(card.mentions, "time"), count(len(card.citing), "brief")
    cited = f"Cited {times} in {briefs}, {card.full_mentions:,} of these times in full"
    dated = [each.filed for each in card.briefs if each.filed]
    if not dated:
        return f"{cited}."
    oldest = f", oldest {day(min(dated))}" if len(dated) > 1 else ""
    return f"{cited}; newest {day(max(dated))}{oldest}."


def unchecked(card: AuthorityCard) -> str:
    """Return after which day nothing here was checked."""
    if card.last_cited is None:
        return "No brief here is dated. BriefBank checked nothing itself: check what you rely on."
    return (
        f"Nothing here is newer than {day(card.last_cited)}. BriefBank checked nothing itself: check what you rely on."
    )


def warnings_of(card: AuthorityCard) -> tuple[str, ...]:
    """Return what must stay with words that are copied about an authority."""
    grave = [each for gravity in ("stop", "warning") for each in card.treatments if each.severity == gravity]
    reported = (f"A brief says of it: {each.text} ({day(each.document.filed)})" for each in grave[:_MOST_WARNINGS])
    listed = (f"cites {each}" for each in card.alerts)
    return (*listed, *reported, *([_READ_BY_OCR] if card.is_read_by_ocr else ()), unchecked(card))


def _briefs(card: AuthorityCard) -> list[Finding]:
    lines = [_brief(each) for each in card.citing]
    listed, rest = lines[:_SHOWN_BRIEFS], lines[_SHOWN_BRIEFS:]
    if rest:
        listed.append(Finding(f"{len(rest):,} older ones", children=tuple(rest), is_folded=True))
    return section("Briefs that cite it", listed, of_them=len(lines))


def _brief(citing: CitingBrief) -> Finding:
    document, first, last = citing.document, citing.page_first, citing.page_last
    title = document.metadata.title.value
    below = " · ".join(filter(None, (day(document.filed), document.cited_pages(first, last))))
    often = f" · {count(citing.mentions, 'time')}" if citing.mentions > 1 else ""
    return Finding(title, below + often, passage_id=citing.passage_id, places=citing.places)
