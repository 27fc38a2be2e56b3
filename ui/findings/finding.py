"""What a card or a draft's check found, line by line: words, where they stand, and what is copied of them.

Knows values and how they read; no widget and no engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from briefbank.values.authorities import ReportedSaying
from briefbank.values.cautions import cautions_of, in_brackets
from briefbank.values.reading import PassageInContext
from briefbank.values.records import Document, Passage, Span
from ui.matters.collecting import Collected
from ui.wording import copy_text, day

_TONES = {"stop": "bad", "warning": "warning", "caution": "warning"}
_GAP = " … "
"""Stands between words that are told as one and stand apart in their passage."""


class Source(NamedTuple):
    """Words of a brief and where they stand in it."""

    words: str
    document: Document
    page_first: int
    page_last: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A line: `text`, below it in small `below`, and the colour of the text by its name in the scheme.

    `passage_id` is what opens beside it, with `places` of that passage marked, or the words `looked_for` in it; a line
    without one opens the card of `authority`, if it names any, or stands for the document of `document_id`. `source` is
    copied instead of the text, with `cautions`. `tip` is its tool tip, where that is not all of its words.
    """

    text: str
    below: str = ""
    tone: str = "text"
    passage_id: str = ""
    places: tuple[Span, ...] = ()
    looked_for: str = ""
    authority: str = ""
    document_id: str = ""
    source: Source | None = None
    cautions: tuple[str, ...] = ()
    children: tuple[Finding, ...] = ()
    is_folded: bool = False
    is_bold: bool = False
    tip: str = ""
    key: str = ""
    """Of what a draft's check found, which a person decides on."""


def section(
    title: str, findings: Sequence[Finding], *, of_them: int = 0, tone: str = "text", is_folded: bool = False
) -> list[Finding]:
    """Return a heading over these lines with their number, or `of_them`; nothing where there are none."""
    if not findings:
        return []
    heading = f"{title} ({of_them or len(findings):,})"
    return [Finding(heading, tone=tone, children=tuple(findings), is_folded=is_folded)]


def where(document: Document, page_first: int, page_last: int) -> str:
    """Return in which brief, of when and on which pages something stands."""
    said = [document.metadata.title.value, day(document.filed), document.cited_pages(page_first, page_last)]
    return " · ".join(filter(None, said))


def of_saying(saying: ReportedSaying, warnings: Iterable[str] = ()) -> Finding:
    """Return the line of what a brief says of an authority; `warnings` are what else is to be known of that one."""
    passage, document = saying.passage, saying.document
    stands = where(document, passage.page_first, passage.page_last)
    is_grave = saying.severity in ("stop", "warning")
    return Finding(
        f"⚠ {saying.text}" if is_grave else saying.text,
        f"{saying.label} · {stands}" if saying.severity else stands,
        _TONES.get(saying.severity, "text"),
        passage.id,
        looked_for=saying.text,
        source=Source(saying.text, document, passage.page_first, passage.page_last),
        cautions=cautions_of(passage, warnings),
    )


def copied(finding: Finding) -> str:
    """Return what a line is copied as: words of a brief with their source and what must stay with them, or its text
    with the lines below it.
    """
    if finding.source:
        words, document, page_first, page_last = finding.source
        return copy_text(words, document, page_first, page_last, finding.cautions)
    said = [f"{finding.text}\n", f"{finding.below}\n" if finding.below else "", in_brackets(finding.cautions)]
    return "".join(said) + "".join(f"\n{copied(each)}" for each in finding.children)


def collected_of(finding: Finding, found: PassageInContext) -> Collected | None:
    """Return what is kept of a line in a matter: its passage, or the part of it that the line holds; None where the
    passage holds these words no more.
    """
    passage = found.passage
    if not finding.source or finding.source.document.id != found.document.id:
        return None
    words, _, page_first, page_last = finding.source
    if words == passage.text:
        return Collected(passage, found.document, finding.cautions)
    if " ".join(words.split()) not in " ".join(passage.text.split()):
        return None
    return Collected(passage, found.document, finding.cautions, words, (page_first, page_last))


def marked(finding: Finding, passage: Passage) -> tuple[Span, ...]:
    """Return what of its passage a line is about: its places, or else where the words looked for stand."""
    if finding.places:
        return tuple(each for each in finding.places if each.end <= len(passage.text))
    found = []
    for piece in finding.looked_for.split(_GAP):
        words = r"\s+".join(map(re.escape, piece.split()))
        if match := re.search(words, passage.text) if words else None:
            found.append(Span(*match.span()))
    return tuple(sorted(found))
