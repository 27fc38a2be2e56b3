"""All citations of one document, with what stands between them: read in one pass, then resolved in reading order.

*Id.* means what was cited last before it: an authority, or a place of the record, of which nothing is kept; a heading
ends its reach. A citation inside a parenthesis (`(quoting …)`) is passed over, as the Bluebook has it. *Supra* and
short forms are resolved by name, or by volume and reporter, within the whole document, for a table of authorities may
come behind. A section by its number alone belongs to the code that was cited before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal

from briefbank.law.citations.citation import (
    Authority,
    AuthorityKind,
    Citation,
    CitationKind,
    DocumentCitations,
    PassageText,
    Taken,
    is_in_passing,
    weights,
)
from briefbank.law.citations.docketed import docket_mentions, dockets_of
from briefbank.law.citations.full_cases import name_of
from briefbank.law.citations.names import CaseName, case_names, party_key, short_names, without_signals
from briefbank.law.citations.patterns import LawMention, PatternSet
from briefbank.law.citations.reporters import CaseMention, case_mentions
from briefbank.law.legal_numbers import folded
from briefbank.law.record_cites import ID, record_cites
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_AT_PAGE = bounded(r",?\s+at\s+\*?\d")
_AT_SECTION = bounded(
    r",?\s+(?:at\s+)?§+\s*(?P<number>\d{1,4}[A-Za-z]{0,2}(?:[-.:]\d+[A-Za-z]?)*(?:\s?\([A-Za-z\d]{1,4}\))*)"
)
_SUPRA = bounded(r"(?P<name>(?:[A-Z][\w'’.&-]*,?\s+(?:(?:v\.?|of|in|re)\s+)?){1,6})(?P<supra>\(?supra\b)", re.ASCII)
_CALLED = bounded(
    r"(?<!\w)(?P<name>[A-Z][\w'’-]{2,}(?:\s(?:of\s|the\s|&\s)?[A-Z][\w'’-]+){0,3})(?:,\s+(?:supra,?\s+)?|\s+supra,?\s+)\Z"
)
"""The name of a party in front of a short citation: "Strickland, 466 U.S. at 694"."""
_PARALLEL = bounded(
    r"(?:,?\s*+(?:at\s++|¶++\s?)?\*?\d{1,12}+(?:\s?[-–]\s?\d{1,12}+)?+(?:\s?(?:n\.|nn\.|&)\s?\d{1,12}+)*+)*+(?:\s*+[,;])?+(?:\s*+=)?+\s*+\Z"
)
_HISTORY = bounded(
    r"(?:\b(?:cert(?:if)?(?:ication|iorari)?\.?\s(?:denied|granted)|(?:aff|rev)['’]d|affirmed|reversed|vacated|appeal\s(?:denied|dismissed)|"
    r"pet(?:ition)?\.?\s(?:denied|granted|ref['’]d)|modified|reh['’]g\sdenied)(?:\s(?:in\spart|on\sother\sgrounds|per\scuriam|sub\snom\.))?,?\s)\Z"
)
"""In front of what became of a case, which *Id.* does not mean: "certif. denied, 174 N.J. 351"."""
_NESTING = bounded(
    r"(?:[^()]*\W)?(?:quoting|citing|cited|discussing|relying|following|applying|overruling|(?<=[^(]\W)(?:see|cf\.))(?!\w)",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"[()]|\n\s{0,9}\n")
_CALLED_AT = bounded(
    r"(?<!\w)(?P<name>[A-Z][\w'’-]{2,}(?:\s(?:of\s|the\s|&\s)?[A-Z][\w'’-]+){0,3})(?:,?\s+supra)?,?\s+\Z"
)
_AT = bounded(r"\bat\s{1,3}\*?\d{1,4}(?:-\d{1,4})?(?=\s?(?:[.;)\]]|\(|\Z))")
"""Behind the name of a party, with nothing between: "Roe, at 45-46.", "Roe at 45."."""
_PAGE_HEAD = bounded(
    r"(?:Cite\s+as:\s+\d{1,4}\s+U\.\s?S\.\s+_{2,9}\s+\(\d{4}\)(?:\s+\d{1,3}\b)?|\d{1,3}\s+[A-Z][A-Z.,&'\s-]{2,80}\sv\.\s+[A-Z][A-Z.,&'\s-]{2,80})"
    r"\s+(?:Opinion\s+of\s+(?:the\s+Court|[A-Z]{3,20},\s(?:C\.\s)?J\.)|Syllabus|Per\s+Curiam"
    r"|[A-Z]{3,20}\s*,\s(?:C\.\s)?J\.,\s(?:dissenting|concurring)(?:\sin\s(?:part|(?:the\s)?judgment))?)"
)
"""The head of a page of a slip opinion, in which nothing is cited."""
_SLIP = re.compile(r"[Ss]lip\s+[Oo]p\b")
_LOOKED_BACK = 90
"""Characters in front of a citation in which its party, its parallel citation, or what became of its case may stand."""
_CITES_LOOKED_BACK = 14
"""Characters in front of a law in which `_CITES` is looked for."""
_CITES = bounded(r"(?:\A|[.;,(\[]['\"”]?|[Ss]ee|e\.g\.,?|Under|cf\.|[Cc]f\.|&|and)\s*\Z")
"""In front of a citation, not of a mention within a sentence."""
_DIGITS = re.compile(r"\d+")
_ARTICLE = re.compile(r"\bart", re.IGNORECASE)
_OF_SESSION = re.compile(r"(?:Stat\.|L\.(?:\s?Nos?\.)?|Laws|Reg\.)\s*\Z")
"""In front of the pages of laws as they were passed, which number no sections."""
_WELL_KNOWN = frozenset({"1981", "1983", "1985", "1988", "2241", "2254", "2255"})
"""Sections of federal codes that are named without them."""
_NEAR = 50
"""Cases of one volume, or of one name, among which that of a short form is looked for."""
_UNKNOWN_RULES = "rule"
"""Family of a rule that no code can be found for; those of one number count as one authority."""
_LEAST_SHAPED = 3
"""Digits of a section without a full stop, colon or letter for it to be taken for one of the code cited before."""
_Likeness = tuple[Literal["rule of number", "statute of number", "the Act", "article like", "section like"], str]
"""By what a number alone is known to be of the code of a law cited before, with the number or its shape ("9c:9-9" for
2C:39-4); with nothing for "the Act", of which it may be any."""


@dataclass(slots=True)
class _Cluster:
    """An authority while its document is read; `joined` is the number of the one that it turned out to be."""

    label: str
    kind: AuthorityKind
    keys: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    joined: int | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """A citation as found: `target` is known at once; all else is looked up, by what of the rest its kind has: a key; a
    name as it is printed, where it may be a party's; a volume. A full one has a volume where its page is blank. Without
    a `kind` it cites the record.
    """

    span: Span
    kind: CitationKind | None = None
    target: int | None = None
    name_key: str = ""
    docket_key: str = ""
    printed_name: str = ""
    volume_and_reporter: str = ""
    page: int = 0
    law: LawMention | None = None
    is_passed_over: bool = False


def cite_document(
    passages: Sequence[PassageText], patterns: PatternSet, *, by_docket: bool = True
) -> DocumentCitations:
    """Find and resolve the citations of a document, given its passages in order; `by_docket` those also of cases that
    nothing but their docket tells.
    """
    reading = _Reading(patterns, by_docket=by_docket)
    found = [reading.found_in(passage.text) for passage in passages]
    resolved = reading.resolved(passages, found)
    authorities, numbers = reading.authorities()
    numbered = [[replace(each, authority=numbers[each.authority]) for each in cited] for cited in resolved]
    weighed = []
    for passage, citations in zip(passages, numbered, strict=True):
        # What a sentence only speaks of takes no weight from what it cites.
        groups: tuple[list[Citation], list[Citation]] = [], []
        for each in citations:
            groups[is_in_passing(each, authorities[each.authority])].append(each)
        weighted = (weights(passage.text, passage.sentence_starts, group) for group in groups)
        weighed.append(tuple(sorted(chain(*weighted), key=lambda each: each.span)))
    return DocumentCitations(authorities, tuple(weighed))


class _Reading:
    """Finds citations text by text (`found_in`), then gives each its authority (`resolved`)."""

    def __init__(self, patterns: PatternSet, *, by_docket: bool) -> None:
        self._patterns = patterns
        self._by_docket = by_docket
        self._clusters: list[_Cluster] = []
        self._by_key: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        self._laws_by_base: dict[str, set[str]] = defaultdict(set)

    def found_in(self, text: str) -> list[_Found]:
        """What a text cites, in order; full citations make the authorities."""
        plain = _PAGE_HEAD.sub(lambda head: " " * len(head[0]), folded(text))
        nested = Taken(_nested(plain))
        names = case_names(plain)
        cases = case_mentions(plain, with_blanks=True)
        laws = [_of_law(law, plain) for law in self._patterns.mentions(text)]
        in_laws = Taken(each.span for each in _apart(laws))
        found = _apart([*laws, *self._cases(text, plain, cases, names, in_laws)])
        if self._by_docket:
            found += self._docketed(text, plain, names, [each.span for each in found])
        taken = Taken(each.span for each in found)
        loose = [_Found(name.span, CitationKind.NAME, name_key=name.key) for name in names]
        loose += [*map(_Found, record_cites(plain)), *_supras(plain), *_by_party(plain)]
        loose += [_Found(Span(*each.span()), CitationKind.ID) for each in ID.finditer(plain)]
        found += _apart(each for each in loose if taken.is_free(each.span))
        found = [each if nested.is_free(each.span) else replace(each, is_passed_over=True) for each in found]
        for law in (each.law for each in found if each.law and each.law.family):
            self._law_cluster(law)
        return sorted(found, key=lambda each: each.span)

    def _cases(
        self, text: str, plain: str, cases: Sequence[CaseMention], names: Sequence[CaseName], in_laws: Taken
    ) -> Iterator[_Found]:
        previous: tuple[CaseMention, int] | None = None
        ends = [name.span.end for name in names]
        for case in cases:
            name = name_of(case, names, ends, plain)
            start = min(case.span.start, name.span.start) if name else case.span.start
            # What was taken for a name may begin within the law before it: "art. 44.02. 6 Roe v. State".
            span = Span(start, case.span.end) if in_laws.is_free(Span(start, case.span.end)) else case.span
            if case.is_short:
                yield _Found(
                    span,
                    CitationKind.SHORT,
                    name_key=name.key if name else "",
                    printed_name="" if name else _called_before(plain, start),
                    volume_and_reporter=f"{case.volume} {case.reporter}",
                    page=case.page,
                )
                continue
            if not case.page:
                if name:
                    volume = f"{case.volume} {case.reporter}"
                    yield _Found(span, CitationKind.FULL, name_key=name.key, volume_and_reporter=volume)
                continue
            kind = AuthorityKind.TREATISE if case.is_commentary else AuthorityKind.CASE
            number = self._cluster(case.key, text[slice(*span)], kind)
            if previous and not name and _is_parallel(previous[0], case, plain):
                number = self._joined(previous[1], number)
            elif name:
                self._named_so(number, name)
            number = self._with_dockets(number, *dockets_of(plain, name, case.span))
            is_history = name is None and bool(_HISTORY.search(plain, max(0, start - _LOOKED_BACK), start))
            yield _Found(span, CitationKind.FULL, number, is_passed_over=is_history)
            previous = case, number

    def _docketed(self, text: str, plain: str, names: Sequence[CaseName], taken: Sequence[Span]) -> Iterator[_Found]:
        for case in docket_mentions(plain, names, taken):
            if case.is_full:
                number = self._cluster(case.keys[0], text[slice(*case.span)], AuthorityKind.CASE)
                if case.name:
                    self._named_so(number, case.name)
                number = self._with_dockets(number, case.keys, case.shared)
                yield _Found(case.span, CitationKind.FULL, number)
            else:
                yield _Found(case.span, CitationKind.SHORT, docket_key=case.keys[0])

    def _named_so(self, number: int, name: CaseName) -> None:
        self._clusters[number].names.append(name.key)
        self._by_name.setdefault(name.key, number)

    def _with_dockets(self, number: int, keys: Sequence[str], shared: Sequence[str]) -> int:
        """Give an authority its dockets; one that was cited by one of them alone becomes part of it."""
        for key in keys:
            number = self._joined(self._by_key.setdefault(key, number), number)
            self._clusters[number].keys.append(key)
        self._clusters[number].names += shared
        return number

    def _cluster(self, key: str, label: str, kind: AuthorityKind) -> int:
        if key not in self._by_key:
            self._by_key[key] = len(self._clusters)
            self._clusters.append(_Cluster(_label(label), kind, [key]))
        return self._by_key[key]

    def _law_cluster(self, law: LawMention) -> int:
        number = self._cluster(law.key, law.label, law.kind)
        self._clusters[number].names.append(law.number)
        if law.kind is not AuthorityKind.TREATISE:
            self._laws_by_base[law.base].add(law.family)
        return number

    def _joined(self, one: int, other: int) -> int:
        """Make one authority of two parallel citations."""
        one, other = self._root(one), self._root(other)
        if one != other:
            self._clusters[other].joined = one
        return one

    def _root(self, number: int) -> int:
        """The authority that a citation became part of, or its own."""
        root = number
        while (joined := self._clusters[root].joined) is not None:
            root = joined
        while (joined := self._clusters[number].joined) is not None:
            self._clusters[number].joined, number = root, joined
        return root

    def authorities(self) -> tuple[tuple[Authority, ...], list[int]]:
        """The authorities in the order of their first citation, and which of them each cluster belongs to."""
        roots = [self._root(number) for number in range(len(self._clusters))]
        places = {root: place for place, root in enumerate(dict.fromkeys(roots))}
        keys: list[list[str]] = [[] for _ in places]
        names: list[list[str]] = [[] for _ in places]
        # That of the root first: it was cited first.
        for number in sorted(range(len(roots)), key=lambda each: (roots[each] != each, each)):
            keys[places[roots[number]]] += self._clusters[number].keys
            names[places[roots[number]]] += self._clusters[number].names
        authorities = (
            Authority(
                tuple(dict.fromkeys(keys[place])),
                tuple(dict.fromkeys(names[place])),
                self._clusters[root].label,
                self._clusters[root].kind,
            )
            for root, place in places.items()
        )
        return tuple(authorities), [places[root] for root in roots]

    def resolved(self, passages: Sequence[PassageText], found: Sequence[Sequence[_Found]]) -> list[list[Citation]]:
        """Give every citation its cluster; what refers to nothing known is dropped."""
        context = _Context(self._clusters, self._root)
        section: object = None
        resolved = []
        for passage, mentions in zip(passages, found, strict=True):
            if passage.section != section:
                section = passage.section
                context.forget()
            citations = []
            for mention in mentions:
                target, law = self._target(mention, context, passage.text)
                if target is not None and mention.kind:
                    target = self._root(target)
                    citations.append(Citation(mention.span, mention.kind, target, 0.0))
                context.note(mention, target, law)
            resolved.append(citations)
        return resolved

    def _target(self, found: _Found, context: _Context, text: str) -> tuple[int | None, LawMention | None]:
        """What a citation means, and the law, if it is one."""
        if found.law:
            law = found.law if found.law.family else context.of_code(found.law, self._laws_by_base)
            return (self._law_cluster(law), law) if law else (None, None)
        match found.kind:
            case None:
                return None, None
            case CitationKind.ID:
                return self._target_of_id(found.span.end, context, text)
            case CitationKind.NAME:
                return self._named(found.name_key), None
            case CitationKind.SUPRA:
                return context.called(found.printed_name), None
            case CitationKind.FULL:
                return (self._named(found.name_key) if found.target is None else found.target), None
            case CitationKind.SHORT:
                return self._target_of_short(found, context), None

    def _target_of_id(self, end: int, context: _Context, text: str) -> tuple[int | None, LawMention | None]:
        """What *Id.* means: with a section the code cited last, with a page the case (a law has none); else either."""
        if context.law and (at := _AT_SECTION.match(text, end)):
            law = context.law.numbered(at["number"])
            return self._law_cluster(law), law
        is_case = context.last is not None and _AT_PAGE.match(text, end)
        return (context.last_case if is_case else context.last), None

    def _target_of_short(self, found: _Found, context: _Context) -> int | None:
        """The case of a short form, by what says most of those that it has: its docket, its volume, a party's name."""
        if found.docket_key:
            return self._by_key.get(found.docket_key)
        if found.volume_and_reporter:
            return context.of_volume(found)
        return context.called(found.printed_name) if found.printed_name else None

    def _named(self, name: str) -> int:
        """The case of this name, or one known by its name only."""
        if name not in self._by_name:
            first, _, second = name.partition(" v ")
            words = second.split()
            for count in range(len(words), 0, -1):  # the guess may have run on into the sentence
                known = self._by_name.get(f"{first} v {' '.join(words[:count])}")
                if known is not None:
                    return known
            self._by_name[name] = len(self._clusters)
            self._clusters.append(_Cluster(name, AuthorityKind.CASE, [], [name]))
        return self._by_name[name]


class _Context:
    """What was cited so far while a document is resolved, by what later citations call it. `last` is what *Id.* means,
    `last_case` what it means with a page, `law` what it means with a section; None of each behind the record.
    """

    def __init__(self, clusters: Sequence[_Cluster], root_of: Callable[[int], int]) -> None:
        self._clusters = clusters
        self.last: int | None = None
        self.last_case: int | None = None
        self.law: LawMention | None = None
        self._last_law: LawMention | None = None  # cited or spoken of, whatever stood behind it
        self._last_law_by_likeness: dict[_Likeness, LawMention] = {}
        # Parties and each word of their names; of several cases that share one, the first and the last cited so far.
        self._short_names_by_root: dict[int, set[str]] = defaultdict(set)
        self._first_cited_by_short_name: dict[str, int] = {}
        self._last_cited_by_short_name: dict[str, int] = {}
        # All cases of a name ("state v roe") or of a party.
        self._roots_by_name: dict[str, set[int]] = defaultdict(set)
        # The first pages of cases in a volume ("466 us"), ascending, each with its case; and the reporters of a case.
        self._pages_by_volume: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._reporters_by_root: dict[int, set[str]] = defaultdict(set)
        # What a volume, with and without a name, was taken to mean in which no full citation gives a page.
        self._root_by_uncited_volume: dict[tuple[str, str], int] = {}
        for number, cluster in enumerate(clusters):
            root = root_of(number)
            for name in cluster.names if cluster.keys else ():
                parties = short_names(name)
                self._short_names_by_root[root].update(parties, *(party.split() for party in parties))
                for each in (name, *parties):
                    self._roots_by_name[each].add(root)
            for key in cluster.keys:
                volume, _, page = key.rpartition(" ")
                if page.isdigit():
                    self._pages_by_volume[volume].append((int(page), root))
                    self._reporters_by_root[root].add(volume.partition(" ")[2])
        for root in sorted(self._short_names_by_root):
            for word in self._short_names_by_root[root]:
                self._first_cited_by_short_name.setdefault(word, root)
        for begins in self._pages_by_volume.values():
            begins.sort()

    def forget(self) -> None:
        """Begin a section: *Id.* reaches over no heading."""
        self.last = self.last_case = self.law = self._last_law = None

    def note(self, found: _Found, target: int | None, law: LawMention | None) -> None:
        """Take the next citation, with what it means."""
        if target is not None and found.kind is CitationKind.FULL and found.volume_and_reporter:
            names = short_names(found.name_key)
            self._short_names_by_root[target].update(names)
            volumes = ((found.volume_and_reporter, each) for each in ("", found.name_key, *names))
            self._root_by_uncited_volume.update(dict.fromkeys(volumes, target))
        if target is not None and found.kind is not CitationKind.ID:
            self._last_cited_by_short_name.update(dict.fromkeys(self._short_names_by_root.get(target, ()), target))
        if law and law.kind is not AuthorityKind.TREATISE:
            self._last_law_by_likeness.update(dict.fromkeys(_likenesses(law), law))
            self._last_law = law
        if found.is_passed_over:
            return
        self.last = target
        if law or target is None or found.kind is not CitationKind.ID:
            self.law = law
        if target is None or self._clusters[target].kind in (AuthorityKind.CASE, AuthorityKind.TREATISE):
            self.last_case = target

    def of_code(self, law: LawMention, by_base: Mapping[str, set[str]]) -> LawMention | None:
        """A law by its number alone, of the code cited before it; a rule of the only one whose rule of this number the
        document cites anywhere, or of none.
        """
        if law.number.startswith("("):
            return self._last_law.subdivided(law) if self._last_law else None
        for likeness in _likenesses(law):
            if code := self._last_law_by_likeness.get(likeness):
                return law.of_code(code)
        families = by_base.get(law.base, set()) - {_UNKNOWN_RULES}
        if law.kind is AuthorityKind.RULE:
            families = {each for each in families if not each[0].isdigit()}
            return replace(law, family=families.pop() if len(families) == 1 else _UNKNOWN_RULES)
        return replace(law, family=families.pop()) if len(families) == 1 else None

    def called(self, words: str) -> int | None:
        """The case that is called so after its first citation, the last one cited of several."""
        called = party_key(words)
        if " v " in called:
            return next(iter(self._roots_by_name.get(called, ())), None)
        return self._last_cited_by_short_name.get(called, self._first_cited_by_short_name.get(called))

    def of_volume(self, found: _Found) -> int | None:
        """The case in this volume: the one named, else the last that begins at or before the page; else the one case of
        that name whose own citations are all to other reporters: the volume means it from there on.
        """
        volume = found.volume_and_reporter
        called = found.name_key or party_key(without_signals(found.printed_name))
        bearing = self._roots_by_name.get(called, set())
        begins = self._pages_by_volume.get(volume, [])
        place = bisect_right(begins, (found.page, len(self._clusters)))
        near = [*reversed(begins[max(place - _NEAR, 0) : place]), *begins[place : place + _NEAR]]
        best = next((number for _, number in near if number in bearing), near[0][1] if place else None)
        if best is not None:
            return best
        known = self._root_by_uncited_volume.get((volume, called))
        if known is not None or not called or len(bearing) >= _NEAR:
            return known
        reporter = volume.partition(" ")[2]
        others = [each for each in bearing if reporter not in self._reporters_by_root[each]]
        if len(others) != 1:
            return None
        self._root_by_uncited_volume.update(dict.fromkeys([(volume, called), (volume, "")], others[0]))
        return others[0]


def _likenesses(law: LawMention) -> list[_Likeness]:
    """By what a later number alone is known to be of the same code: its own number, or one built alike."""
    is_rule = law.kind is AuthorityKind.RULE
    likenesses: list[_Likeness] = [("rule of number" if is_rule else "statute of number", law.base)]
    if law.head[:4].lower() == "the " or law.family:
        likenesses.append(("the Act", ""))
    if not is_rule and not _OF_SESSION.search(law.head):
        shape = _DIGITS.sub("9", law.base.rstrip("abcdefghijklmnopqrstuvwxyz"))
        if shape != "9" or (len(law.base) >= _LEAST_SHAPED and law.base not in _WELL_KNOWN):
            likenesses.append(("article like" if _ARTICLE.search(law.head) else "section like", shape))
    elif is_rule and not law.head:  # "924(c)"
        likenesses.append(("statute of number", law.base))
    return likenesses


def _of_law(law: LawMention, text: str) -> _Found:
    """A law as found; one that a sentence only speaks of by its number ("as Article 39.14 requires") is no citation
    that *Id.* could mean.
    """
    if law.is_in_words:
        return _Found(law.span, CitationKind.NAME, law=law, is_passed_over=True)
    if law.family:
        return _Found(law.span, CitationKind.FULL, law=law)
    is_cited = not law.number.startswith("(") and _CITES.search(
        text, max(0, law.span.start - _CITES_LOOKED_BACK), law.span.start
    )
    return _Found(law.span, CitationKind.SHORT, law=law, is_passed_over=not is_cited)


def _apart(found: Iterable[_Found]) -> list[_Found]:
    """Those that do not overlap, of others the first and longest; "Roe, supra, slip op. at 4" is a *supra*."""
    kept: list[_Found] = []
    for each in sorted(found, key=lambda each: (each.span.start, each.kind is CitationKind.SHORT, -each.span.end)):
        if not kept or each.span.start >= kept[-1].span.end:
            kept.append(each)
    return kept


def _called_before(text: str, start: int, of_party: re.Pattern[str] = _CALLED) -> str:
    """The words in front of a short citation that may be the name of a party; empty where there are none."""
    called = of_party.search(text, max(0, start - _LOOKED_BACK), start)
    return called["name"] if called else ""


ShortForm = tuple[Span, str, CaseMention]
"""A short citation of a case: the range with the name in front, the key of the case's name or of a party's (empty where
none stands there), and what is cited."""


def short_forms_in(text: str) -> Iterator[ShortForm]:
    """Yield the short citations of cases in a text."""
    text = folded(text)
    names = case_names(text)
    ends = [name.span.end for name in names]
    for case in case_mentions(text):
        if not case.is_short:
            continue
        if name := name_of(case, names, ends, text):
            yield Span(min(case.span.start, name.span.start), case.span.end), name.key, case
        elif called := without_signals(_called_before(text, case.span.start)):
            yield Span(text.rindex(called, 0, case.span.start), case.span.end), party_key(called), case
        else:
            yield case.span, "", case


def _label(cited: str) -> str:
    """A citation in one line; of one in brackets, as in New York, without the bracket: "People v Roe (31 NY3d 110"."""
    label = " ".join(cited.split())
    return label if label.count("(") <= label.count(")") else ", ".join(label.rsplit(" (", 1))


def _is_parallel(previous: CaseMention, case: CaseMention, text: str) -> bool:
    gap = text[previous.span.end : case.span.start]
    return len(gap) < _LOOKED_BACK and previous.reporter != case.reporter and bool(_PARALLEL.fullmatch(gap))


def _nested(text: str) -> Iterator[Span]:
    """The parentheses in which something else is cited than outside of them, from the word that says so."""
    depth, inner = 0, (0, 0)
    for bracket in _BRACKET.finditer(text):
        if bracket[0] == "(":
            depth += 1
            if not inner[0] and (nesting := _NESTING.match(text, bracket.end())):
                inner = depth, nesting.end()
            continue
        is_paragraph = bracket[0] != ")"
        if inner[0] and (is_paragraph or depth == inner[0]):
            yield Span(inner[1], bracket.start())
            inner = 0, 0
        depth = 0 if is_paragraph else max(depth - 1, 0)
    if inner[0]:
        yield Span(inner[1], len(text))


def _supras(text: str) -> Iterator[_Found]:
    for match in _SUPRA.finditer(text):
        yield _Found(Span(*match.span()), CitationKind.SUPRA, printed_name=without_signals(match["name"]).strip(" ,"))


def _by_party(text: str) -> Iterator[_Found]:
    """The repeated citations of cases by a party and the page alone: "Roe, slip op. at 4", "Roe, at 4"."""
    found = [(match, _called_before(text, match.start())) for match in _SLIP.finditer(text)]
    found += [(match, _called_before(text, match.start(), _CALLED_AT)) for match in _AT.finditer(text)]
    for match, words in found:
        if called := without_signals(words):
            span = Span(text.rindex(called, 0, match.start()), match.end())
            yield _Found(span, CitationKind.SHORT, printed_name=called)
