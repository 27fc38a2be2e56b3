"""The names that lawyers give the parts of a brief; knows words only, not where they stand."""

from __future__ import annotations

import re
from functools import lru_cache

from briefbank.platform.regex import bounded
from briefbank.values.records import SectionKind

# The patterns below would match within whole sentences; the longest name that filed briefs give a part is shorter.
_LONGEST_NAME = 90
"""Characters of a heading above which it names no part."""

_PATTERNS: dict[SectionKind, tuple[str, ...]] = {
    SectionKind.CONTENTS: (r"(table of )?contents( page)?|(subject )?index( continued)?|(table|list) of headings",),
    SectionKind.AUTHORITIES: (
        r"(table|index|list) of (legal |cited )?(authorities|citations|cases|judgments|orders|rulings).{0,60}",
        r"table of transcripts",
        r"((legal )?authorities|citations|cases)( cited)?",
    ),
    SectionKind.PARTIES: (
        (
            r"((identity|identification|identities|names?|list|statement|notice) of )?(all |the |interested )*"
            r"(parties|persons|counsel)"
            r"( (interested|and|to|of|the|case|their|counsel|trial|judge|parties|attorneys|names))*"
        ),
        r"(names? of )?(the )?parties (to|at) .{0,40}|certificate of interested (parties|persons)",
    ),
    SectionKind.JURISDICTION: (r"(statement (of|regarding|on|concerning) )?(the )?(appellate )?jurisdiction.*",),
    SectionKind.ORAL_ARGUMENT: (
        (
            r"((no )?(statement|request|waiver|note)s? (regarding|of|for|on|concerning|as to) )?(the )?(request for )?"
            r"oral arguments?( statement| request(ed)?| waived| not requested)?"
        ),
    ),
    SectionKind.PRELIMINARY: (
        r"(preliminary|introductory|opening) statement|introduction|overview|executive summary",
        r"(statement|notes?|table|abbreviations?|designations?|references?) .{0,20}(to the record|record references)",
    ),
    SectionKind.QUESTIONS: (
        (
            r"(statement of )?(the )?((legal |appellate )?(issues?|questions?|points?|grounds?)( and points?)?"
            r"( of error| for review)?)"
            r"( (presented|for review|for appeal|of error|on appeal|raised|restated|nos?|and|involved|to be|decided))*"
        ),
    ),
    SectionKind.PROCEDURE: (
        r"(statement of )?(the )?(relevant )?procedural (history|background|posture|statement).*",
        r"((statement of )?(the )?nature of |statement of )?(the )?cases?( and (procedural history|jurisdiction))?",
        r"course of proceedings.*",
    ),
    SectionKind.FACTS: (
        (
            r"((concise |brief )?(statement|summary|recitation) of )?(the )?"
            r"(relevant |material |pertinent |undisputed )*"
            r"(facts?|factual (background|history|statement|summary).*|evidence at trial|background( facts)?)"
            r"( .{0,30})?"
        ),
    ),
    SectionKind.SUMMARY: (
        r"(statement and )?summary of (the |appellants? |defendants? )*(legal )?arguments?.*|argument summary|summary",
    ),
    SectionKind.STANDARD: (r"(the )?(applicable )?(standards?|scope)( of appellate| of)? review.*",),
    SectionKind.ARGUMENT: (
        r"(the )?(legal )?(arguments?|discussion|analysis)( .{1,60})?|points? (of error )?relied.*",
        r"(appellants|defendants) ((sole|only|first) )?(points?|issues?|grounds?)( of error)?( restated)?",
    ),
    SectionKind.CONCLUSION: (r"(the )?(conclusions?|prayer).*|relief (requested|sought).*|request for relief.*",),
    SectionKind.CERTIFICATE: (
        r"(combined |rule .{0,30}|automated )?certificates?( .{0,60})?",
        r"(rule .{0,30})?certifications?( (as|by|in|of|pursuant|regarding|under) .{0,60})?",
        r"(proof|affidavit) of service.*|declaration of .*",
    ),
    SectionKind.APPENDIX: (
        r"(table of |index to |list of )?(the )?(appendix|appendices|exhibits?|attachments?)( .{0,40})?",
    ),
}
_COMPILED = tuple((kind, bounded("|".join(patterns))) for kind, patterns in _PATTERNS.items())
_NUMBER = re.compile(r"^(?:[ivxlc]{1,5}|[a-z]|\d{1,2})[.)]\s+")
_NOISE = re.compile(r"[^a-z0-9& ]+")


_VOCABULARY = frozenset(re.findall(r"[a-z]{5,}", " ".join(pattern.pattern for _, pattern in _COMPILED))) | {
    "authorities", "appendices", "certificate", "argument", "arguments", "issues", "points", "questions", "standard",
}  # fmt: skip
_BY_GAP = {(word[:i], word[i + 1 :]): word for word in sorted(_VOCABULARY) for i in range(len(word))}


def kind_named(heading: str) -> SectionKind | None:
    """The kind of section that a heading names, whatever its number, case and punctuation; None if it names none.

    One misread letter in each longer word is forgiven, as OCR leaves them.
    """
    if len(heading) > _LONGEST_NAME:
        return None
    return _kind_of(heading.strip().lower())


@lru_cache(maxsize=4096)
def _kind_of(heading: str) -> SectionKind | None:
    name = _NUMBER.sub("", heading)
    words = _NOISE.sub("", name.replace("’", "").replace("-", " ").replace("/", " ")).split()
    name = " ".join(words)
    for kind, pattern in _COMPILED:
        if pattern.fullmatch(name):
            return kind
    mended = " ".join(map(_mended, words))
    return _kind_of(mended) if mended != name else None


def _mended(word: str) -> str:
    """The word of a section's name that differs from this one in one letter; the word itself if there is none."""
    if len(word) < 5 or word in _VOCABULARY:
        return word
    return next((_BY_GAP[gap] for i in range(len(word)) if (gap := (word[:i], word[i + 1 :])) in _BY_GAP), word)
