"""Mentions of a case by the name of one of its parties alone, in briefs that cite it: “Carty”, “the Carty Court”.

Looked for when a card is asked for: in the index a name of one word would make a citation of every witness of that
name. So are left out facts and procedure, briefs that cite two cases of the name or whose own case bears it, and names
beside which other words of a person's or a place's name stand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import numpy as np

from briefbank.index.authorities import AuthorityPostings
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.selection import SECTION_KINDS, Mask
from briefbank.index.surface import surface_words
from briefbank.law.citations import CitationKind
from briefbank.law.citations.names import party_key, short_names
from briefbank.platform.regex import bounded
from briefbank.records import SectionKind, Span

_ARGUED = frozenset(
    {
        *(SectionKind.ARGUMENT, SectionKind.BODY, SectionKind.STANDARD, SectionKind.SUMMARY),
        *(SectionKind.PRELIMINARY, SectionKind.CONCLUSION),
    }
)
_NAME = re.compile(r"[^\W\d_][^\W\d_]*(?:['’-][^\W\d_]+)?(?: [^\W\d_]{3,})?(?<=...)")
"""Names of one or two words; initials and longer ones are seldom used alone."""
_STATES = frozenset(
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois "
    "indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri "
    "montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington "
    "wisconsin wyoming".split()
)
"""Parties that are named for themselves far more often than for their case."""
_BEFORE = bounded(r"(?P<word>[A-Z][\w’'-]*\.?|\bv\.?)[\s“\"(]*\Z")
_MAY_PRECEDE = frozenset(
    "a also although and applying as at because before both but by cf citing contrary court distinguishing even "
    "following for from given here however if in indeed like moreover neither no nor not on only or per rather see "
    "since so still such that the then there therefore this thus to under unlike until unless what when where "
    "whether which while with within yet".split()
)
_BEHIND = bounded(
    r"(?:[’']s)?\s+(?P<word>[A-Z][\w’'-]*|v\.?(?=\s)|(?:had\s+|then\s+|later\s+)?(?:testified|told|said|drove|walked|ran|shot|"
    r"arrived|pleaded|fled|replied|was\s+(?:arrested|driving|shot|charged))\b)"
)
_MAY_FOLLOW = frozenset(
    "court courts decision standard test rule factors panel majority and or but i the id see".split()
)
_FULL_READ = 50
"""Full citations in which it is looked up how the parties are written."""
_ADJACENT = 20
"""Characters to a longer form of the same citation, of which the name is a part: "Carty, 170 N.J. at 640"."""


def short_mentions(
    keys: Collection[str],
    known: Collection[tuple[int, Span, CitationKind]],
    generation: Generation,
    among: Mask | None = None,
) -> list[tuple[int, Span, CitationKind]]:
    """Return the mentions by name alone: row, range in the passage, form. `known` are those that the index has, `among`
    says by row where to look, without it everywhere.
    """
    postings, surface = generation.authorities, generation.surface
    if postings is None or surface is None:
        return []
    dense = generation.dense
    numbers = postings.numbers(keys)
    rows_of_known = np.array(sorted({row for row, _, _ in known}), dtype=np.int64)
    citing = np.unique(dense.columns.document[rows_of_known]).astype(np.int64)
    argued = np.array([kind in _ARGUED for kind in SECTION_KINDS])[dense.columns.section_kind]
    spans: dict[int, list[Span]] = {}
    for row, span, _ in known:
        spans.setdefault(row, []).append(span)
    found: set[tuple[int, Span]] = set()
    names = {short for each in postings.names_of(numbers) for short in short_names(each)} - _STATES
    for key, name in sorted(_as_written(names, known, generation)):
        first = surface_words(name)[0].word
        places = [surface.places(form) for form in (first, f"{first}'s")]
        rows = np.unique(surface.rows(np.concatenate(places)))
        rows = rows if among is None else rows[among[rows]]
        if not len(rows):
            continue
        documents = np.setdiff1d(citing, _others_of(key, numbers, citing, postings, generation))
        rows = rows[argued[rows] & np.isin(dense.columns.document[rows], documents)]
        for row, text in zip(rows.tolist(), dense.texts(rows), strict=True):
            found.update((row, span) for span in _places(name, text, spans.get(row, [])))
    return [(row, span, CitationKind.NAME) for row, span in sorted(found)]


def _as_written(
    names: Collection[str], known: Collection[tuple[int, Span, CitationKind]], generation: Generation
) -> set[tuple[str, str]]:
    """The names of parties, each with a form in which it may be written: the index leaves out hyphens and the like."""
    forms = {(each, each) for each in names if _NAME.fullmatch(each)}
    full = [(row, span) for row, span, kind in known if kind is CitationKind.FULL][:_FULL_READ]
    rows = np.array(sorted({row for row, _ in full}), dtype=np.int64)
    texts = dict(zip(rows.tolist(), generation.dense.texts(rows), strict=True))
    for row, span in full:
        named = " ".join(texts[row][slice(*span)].partition(",")[0].split())
        for party in re.split(r" v\.? ", named):
            if party_key(party) in names and _NAME.fullmatch(party.casefold()):
                forms.add((party_key(party), party))
    return forms


def _others_of(
    name: str, numbers: Collection[int], among: Rows, postings: AuthorityPostings, generation: Generation
) -> Rows:
    """The documents, by number, in which the name may mean another case; or `among` some of them, a party of their
    own.
    """
    others = postings.named(name)
    cited = [generation.dense.columns.document[postings.rows_of(each)] for each in others if each not in numbers]
    own = [
        number
        for number in among.tolist()
        if name in (title := generation.documents[number].metadata.title.value.casefold())
        and re.search(rf"\b{re.escape(name)}\b", title)
    ]
    return np.unique(np.concatenate([np.array(own, dtype=np.int64), *cited]).astype(np.int64))


def _places(name: str, text: str, known: Collection[Span]) -> Iterator[Span]:
    """Where a name stands for a case in a text, apart from longer forms that are known."""
    words = r"\s+".join(re.escape(word[0].upper() + word[1:]) for word in name.replace("’", "'").split())
    words = words.replace("'", "['’]")
    for match in re.finditer(rf"(?<![\w.’'-]){words}(?!\w|-)", text):
        span = Span(*match.span())
        if any(span.start < each.end and each.start - _ADJACENT < span.end for each in known if each.end > span.start):
            continue
        before, behind = _BEFORE.search(text, 0, span.start), _BEHIND.match(text, span.end)
        if before and before["word"].casefold() not in _MAY_PRECEDE:
            continue
        if behind and behind["word"].casefold() not in _MAY_FOLLOW:
            continue
        yield span
