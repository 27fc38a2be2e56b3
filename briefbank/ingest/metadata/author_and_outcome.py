"""Finds who wrote a document, and how its case ended where the document itself says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from briefbank.ingest.metadata.front import Front, title_case
from briefbank.law.courts import names_judge
from briefbank.platform.regex import bounded
from briefbank.values.records import Fact, Reading, Section

_NAME = bounded(
    r"(?:[A-Z][\w’'.-]*|[A-Z]\.)(?:\s+(?:[A-Z][\w’'-]*\.?|de|la|van|von|del)){1,4}(?:,?\s+(?:Jr|Sr|II|III|IV)\.?)?"
)
_NOT_A_NAME = re.compile(
    r"\b(?:attorney|counsel|public|defender|office|street|suite|court|texas|jersey|state|county|bar|law|firm|pllc|llp|p\.?c|"
    r"brief|appell|respect|submitted|assistant|deputy|chief|section|box|road|drive|avenue|blvd|division|district|no|by|"
    r"floor|square|service|certif|page|date|tel|fax|email|phone|lead|designated|of|on|the|for|and)\b",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"/s/?\s*[/_]*\s*(?P<name>[A-Z].{3,50})$", re.IGNORECASE)
_FROM = re.compile(r"^(?:from|author|prepared\s+by|written\s+by|issued\s+by)\s*:\s*(?P<name>.+)$", re.IGNORECASE)
_TITLED = re.compile(r",(?!\s*(?:Jr|Sr|II|III|IV)\b)")
"""A comma behind a name, with the writer's post behind it."""
_ON_BRIEF = re.compile(r"\bon\s+the\s+(?:letter[\s-]*)?brief\b|\bof\s+counsel\s+and\b", re.IGNORECASE)
_BAR = re.compile(r"\b(?:state\s+bar|texas\s+bar|bar\s+(?:no|number|card)|sbn|tbn|attorney\s+id)\b", re.IGNORECASE)
_SUBMITTED = re.compile(r"respectfully\s+submitted", re.IGNORECASE)

_RESULT = (
    r"(?P<result>revers\w+|affirm\w+|vacat\w+|remand\w+|dismiss\w+|grant\w+|den(?:y|ied|ying)|acquitt\w+|modif\w+)"
)
_OUTCOME_LABEL = bounded(
    r"^\W*(?:outcome|disposition|result|status)\s*:\s*(?P<text>.{3,200})$", re.IGNORECASE | re.MULTILINE
)
_OUTCOME_SECTION = re.compile(
    r"\b(?:addendum|postscript|cover note|note to file|subsequent history|disposition)\b", re.IGNORECASE
)
_OUTCOME_SENTENCE = bounded(
    r"[^.]{0,160}\b(?:Appellate Division|Supreme Court|(?:trial )?court|panel)\b"
    rf"[^.]{{0,80}}?\b{_RESULT}\b[^.]{{0,160}}\.",
    re.IGNORECASE,
)
_STEMS = {
    "revers": "reversed", "affirm": "affirmed", "vacat": "vacated", "remand": "remanded", "dismiss": "dismissed",
    "grant": "granted", "den": "denied", "acquitt": "acquitted", "modif": "modified",
}  # fmt: skip


def find_author(front: Front, reading: Reading) -> Fact | None:
    """Who signs: the memo's "From", the name "on the brief", the signature, or the name over the bar number."""
    for line in front.cover:
        from_line = _FROM.match(line)
        if from_line and (name := _name_in(_TITLED.split(from_line["name"])[0])):
            return Fact(name, "head of page 1")
    return _on_the_brief(front) or _signed(reading) or _submitted(reading) or _over_bar_number(front)


def _on_the_brief(front: Front) -> Fact | None:
    for lines in front.pages:
        for number, line in enumerate(lines):
            if not _ON_BRIEF.search(line):
                continue
            for near in (line, *reversed(lines[max(0, number - 3) : number])):
                if name := _name_in(near):
                    return Fact(name, "cover, counsel on the brief")
    return None


def _signed(reading: Reading) -> Fact | None:
    for page in reading.pages:
        for line in page.lines:
            signed = _SIGNED.search(line.text)
            if signed and (name := _name_in(signed["name"])):
                return Fact(name, f"signature, page {page.number}")
    return None


def _submitted(reading: Reading) -> Fact | None:
    for page in reading.pages:
        lines = [line.text for line in page.lines]
        for number, line in enumerate(lines):
            if not _SUBMITTED.search(line):
                continue
            for near in lines[number + 1 : number + 8]:
                if name := _name_in(near):
                    return Fact(name, f"signature, page {page.number}")
    return None


def _over_bar_number(front: Front) -> Fact | None:
    for number, line in enumerate(front.cover):
        if _BAR.search(line):
            for near in reversed(front.cover[max(0, number - 6) : number]):
                if name := _name_in(near):
                    return Fact(name, "cover, over the bar number")
    return None


def _name_in(text: str) -> str:
    """The name that a line is, in ordinary case, or nothing where it is something else: a judge signs no brief."""
    line = re.sub(r"^(?:by|attorney)\s*:?\s+", "", title_case(text.strip(" _,;:–—-")), flags=re.IGNORECASE)
    if names_judge(line):
        return ""
    line = re.split(r",\s*(?=Esq|Attorney|Assistant|Deputy|Public|First|Designated|A\.?D\.?P)|\s{3,}|\(", line)[
        0
    ].strip(" ,")
    return line if _NAME.fullmatch(line) and not _NOT_A_NAME.search(line) else ""


def find_outcome(text: str, sections: Sequence[Section]) -> Fact | None:
    """How the case ended, only where the document says so of itself: a labelled line, or a note added to it."""
    label = _OUTCOME_LABEL.search(text)
    if label and (value := _results(label["text"])):
        return Fact(value, "labelled line")
    for section in sections:
        if section.path and _OUTCOME_SECTION.search(section.path[-1]):
            sentence = _OUTCOME_SENTENCE.search(text, section.span.start, section.span.end)
            if sentence and (value := _results(sentence[0])):
                return Fact(value, f"section “{section.path[-1][:60]}”")
    return None


def _results(text: str) -> str:
    """The results that a sentence names, in one form each: `reversed, remanded`."""
    found = [_STEMS[stem] for word in re.findall(r"[a-z]+", text.lower()) for stem in _STEMS if word.startswith(stem)]
    return ", ".join(dict.fromkeys(found))
