"""All citations of one document: found passage by passage, their short forms resolved in reading order.

*Id.* means the authority cited last before it, unless a record cite or a heading stands between; a citation inside a
parenthesis (`(quoting …)`) is passed over, as the Bluebook has it. *Supra* and short forms are resolved by name, or by
volume and reporter, within the whole document, for a table of authorities may come behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from briefbank.law.citations.citation import (
    Authority,
    Citation,
    CitationKind,
    DocumentCitations,
    PassageText,
    weights,
)
from briefbank.law.citations.docketed import docket_mentions, dockets_of, has_dockets_between
from briefbank.law.citations.names import CaseName, case_names, party_key, short_names, without_signals
from briefbank.law.citations.patterns import PatternSet, RuleMention
from briefbank.law.citations.reporters import CaseMention, LawMention, reporter_mentions
from briefbank.law.legal_numbers import is_case_key, is_docketed_key
from briefbank.law.record_cites import RECORD_CITE
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_ID = re.compile(r"(?<![\w.])(?:(?:Id|Ibid|ibid)\b[.,]?(?=[\s,;)]|\Z)|id\.(?=,?\s+at\b|[,;)]|\s+§|\Z))")
_AT_PAGE = bounded(r",?\s+at\s+\*?\d")
_SUPRA = bounded(r"(?P<name>(?:[A-Z][\w'’.&-]*,?\s+(?:(?:v\.?|of|in|re)\s+)?){1,6})(?P<supra>\(?supra\b)", re.ASCII)
_BEFORE_CITE = bounded(
    r"(?:,?\s(?:Inc|Co|Corp|Ltd|LLC|LLP)\b)?+(?:\.(?=,))?+"  # what a name leaves off at its end: "Roe, Inc.,"
    r",?\s*+(?:\(?supra\)?,?\s*+)?(?:\(?(?:\d{1,2}(?:st|d|nd|rd|th)\s+Dist\.\s+[\w.]+\s+|Docket\s+)?(?:No|Nos)\.\s[^;()]{0,70})?,?\s*+"
    r"(?:at\s++\d++,\s*+)?(?:\((?:\d{4}\)\s++)?+)?\Z",
    re.IGNORECASE,
)
"""Between a name and its reporter. The year may stand there, as in California, or a bracket, as in New York."""
_CALLED = bounded(
    r"(?<!\w)(?P<name>[A-Z][\w'’-]{2,}(?:\s(?:of\s|the\s|&\s)?[A-Z][\w'’-]+){0,3})(?:,\s+(?:supra,?\s+)?|\s+supra,?\s+)\Z"
)
"""The name of a party in front of a short citation: "Strickland, 466 U.S. at 694"."""
_PARALLEL = bounded(
    r"(?:,?\s*+(?:at\s++)?\*?\d{1,12}+(?:\s?[-–]\s?\d{1,12}+)?+(?:\s?(?:n\.|nn\.|&)\s?\d{1,12}+)*+)*+(?:\s*+[,;])?+(?:\s*+=)?+\s*+\Z"
)
_NESTED = re.compile(
    r"\((?:[^()]*\W)?(?:quoting|citing|cited|discussing|relying|following|see|cf\.|applying|overruling)\b[^()]*\Z",
    re.IGNORECASE,
)
_SLIP = re.compile(r"[Ss]lip\s+[Oo]p\b")
_REACH = 90


@dataclass(slots=True)
class _Cluster:
    """An authority while its document is read."""

    label: str
    keys: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Found:
    """A citation as found: `target` is known at once, or `meant` says by what it will be looked up."""

    span: Span
    kind: CitationKind
    target: int | None = None
    meant: str = ""
    volume: str = ""
    page: int = 0
    called: str = ""
    is_nested: bool = False


def cite_document(
    passages: Sequence[PassageText], patterns: PatternSet, *, by_docket: bool = True
) -> DocumentCitations:
    """Find and resolve the citations of a document, given its passages in order; `by_docket` those also of cases that
    nothing but their docket tells.
    """
    reading = _Reading(patterns, by_docket=by_docket)
    found = [reading.found_in(passage) for passage in passages]
    resolved = reading.resolved(passages, found)
    authorities = tuple(
        Authority(tuple(dict.fromkeys(each.keys)), tuple(dict.fromkeys(each.names)), each.label)
        for each in reading.clusters
    )
    weighed = (
        weights(passage.text, passage.sentence_starts, each) for passage, each in zip(passages, resolved, strict=True)
    )
    return DocumentCitations(authorities, tuple(weighed))


class _Reading:
    def __init__(self, patterns: PatternSet, *, by_docket: bool) -> None:
        self._patterns = patterns
        self._by_docket = by_docket
        self.clusters: list[_Cluster] = []
        self._by_key: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        self._of_unknown_volume: dict[str, int] = {}

    def found_in(self, passage: PassageText) -> list[_Found]:
        """What a passage cites, in order; full citations make the authorities."""
        text = passage.text
        cases, laws = reporter_mentions(text)
        names = case_names(text)
        found = list(self._cases(text, cases, names))
        if self._by_docket:
            found += self._docketed(text, names, [each.span for each in found])
        found += self._rules(text, laws)
        taken = [each.span for each in found]
        found += [
            _Found(name.span, CitationKind.NAME, None, name.key) for name in names if not name.span.overlaps_any(taken)
        ]
        found += [each for each in _supras(text) if not each.span.overlaps_any(taken)]
        found += _slip_opinions(text, [each.span for each in found])
        found += [_Found(Span(*each.span()), CitationKind.ID) for each in _ID.finditer(text)]
        return sorted(found, key=lambda each: each.span)

    def _cases(self, text: str, cases: Sequence[CaseMention], names: Sequence[CaseName]) -> Iterator[_Found]:
        previous: tuple[CaseMention, int] | None = None
        for case in cases:
            name = _name_of(case, names, text)
            start = min(case.span.start, name.span.start) if name else case.span.start
            span = Span(start, case.span.end)
            is_nested = _is_nested(text, start)
            if case.is_short:
                yield _Found(
                    span,
                    CitationKind.SHORT,
                    None,
                    name.key if name else "",
                    f"{case.volume} {case.reporter}",
                    case.page,
                    "" if name else _called_before(text, start),
                    is_nested,
                )
                continue
            number = self._cluster(case.key, text[slice(*span)])
            if previous and not name and _is_parallel(previous[0], case, text):
                number = self._joined(previous[1], number)
            elif name:
                self._named_so(number, name)
            number = self._with_dockets(number, *dockets_of(text, name, case.span))
            yield _Found(span, CitationKind.FULL, number, is_nested=is_nested)
            previous = case, number

    def _docketed(self, text: str, names: Sequence[CaseName], taken: Sequence[Span]) -> Iterator[_Found]:
        for case in docket_mentions(text, names, taken):
            is_nested = _is_nested(text, case.span.start)
            if case.is_full:
                number = self._cluster(case.keys[0], text[slice(*case.span)])
                if case.name:
                    self._named_so(number, case.name)
                number = self._with_dockets(number, case.keys, case.shared)
                yield _Found(case.span, CitationKind.FULL, number, is_nested=is_nested)
            else:
                yield _Found(case.span, CitationKind.SHORT, None, case.keys[0], is_nested=is_nested)

    def _named_so(self, number: int, name: CaseName) -> None:
        self.clusters[number].names.append(name.key)
        self._by_name.setdefault(name.key, number)

    def _with_dockets(self, number: int, keys: Sequence[str], shared: Sequence[str]) -> int:
        """Give an authority its dockets; one that was cited by one of them alone becomes part of it."""
        for key in keys:
            number = self._joined(self._by_key.setdefault(key, number), number)
            self.clusters[number].keys.append(key)
        self.clusters[number].names += shared
        return number

    def _cluster(self, key: str, label: str) -> int:
        if key not in self._by_key:
            self._by_key[key] = len(self.clusters)
            self.clusters.append(_Cluster(_label(label), [key]))
        return self._by_key[key]

    def _joined(self, one: int, other: int) -> int:
        """Make one authority of two parallel citations; what was found of the other one keeps its number."""
        if one != other:
            for key in self.clusters[other].keys:
                self._by_key[key] = one
            self.clusters[one].keys += self.clusters[other].keys
            self.clusters[other].keys += self.clusters[one].keys
            self.clusters[one].names += self.clusters[other].names
            self.clusters[other].names += self.clusters[one].names
        return one

    def _rules(self, text: str, laws: Sequence[LawMention]) -> Iterator[_Found]:
        rules = self._patterns.mentions(text)
        spans = [rule.span for rule in rules]
        for rule in rules:
            is_nested = _is_nested(text, rule.span.start)
            if rule.family:
                yield _Found(
                    rule.span, CitationKind.FULL, self._rule_cluster(rule, text[slice(*rule.span)]), is_nested=is_nested
                )
            else:
                yield _Found(rule.span, CitationKind.SHORT, None, f"rule {rule.number}", is_nested=is_nested)
        for law in laws:
            if not law.span.overlaps_any(spans):
                yield _Found(
                    law.span,
                    CitationKind.FULL,
                    self._cluster(law.key, text[slice(*law.span)]),
                    is_nested=_is_nested(text, law.span.start),
                )

    def _rule_cluster(self, rule: RuleMention, label: str) -> int:
        number = self._cluster(rule.key, label)
        self.clusters[number].names.append(rule.number)
        return number

    def resolved(self, passages: Sequence[PassageText], found: Sequence[Sequence[_Found]]) -> list[list[Citation]]:
        """Give every citation its authority; what refers to nothing known is dropped."""
        last: int | None = None
        last_case: int | None = None
        section: object = None
        resolved = []
        for passage, mentions in zip(passages, found, strict=True):
            if passage.section != section:
                section, last, last_case = passage.section, None, None
            citations = []
            position = 0
            for mention in mentions:
                if mention.kind is CitationKind.ID and RECORD_CITE.search(passage.text, position, mention.span.start):
                    last = last_case = None
                if mention.kind is not CitationKind.ID:
                    target = self._joined_into(self._target(mention))
                else:  # only a case has pages to be cited at
                    target = last_case if last is not None and _AT_PAGE.match(passage.text, mention.span.end) else last
                if target is not None:
                    citations.append(Citation(mention.span, mention.kind, target, 0.0))
                if not mention.is_nested:
                    last = target
                    last_case = target if target is None or self._is_case(target) else last_case
                position = max(position, mention.span.end)
            if RECORD_CITE.search(passage.text, position):
                last = last_case = None
            resolved.append(citations)
        return resolved

    def _joined_into(self, number: int | None) -> int | None:
        """The authority that a parallel citation became part of, or itself."""
        keys = self.clusters[number].keys if number is not None else []
        return self._by_key[keys[0]] if keys else number

    def _is_case(self, number: int) -> bool:
        keys = self.clusters[number].keys
        return not keys or is_case_key(keys[0])

    def _target(self, mention: _Found) -> int | None:
        if mention.target is not None:
            return mention.target
        if mention.kind is CitationKind.NAME:
            return self._named(mention.meant)
        if mention.kind is CitationKind.SUPRA:
            return self._called(mention.meant)
        if is_docketed_key(mention.meant):
            return self._by_key.get(mention.meant)
        if mention.called and not mention.volume:
            return self._called(mention.called)
        if not mention.volume:
            return self._of_number(mention.meant.removeprefix("rule "))
        found = self._of_volume(mention)
        return self._in_another_reporter(mention) if found is None else found

    def _named(self, name: str) -> int:
        """The case of this name, or one known by its name only."""
        if name not in self._by_name:
            first, _, second = name.partition(" v ")
            words = second.split()
            for count in range(len(words), 0, -1):  # the guess may have run on into the sentence
                known = self._by_name.get(f"{first} v {' '.join(words[:count])}")
                if known is not None:
                    return known
            self._by_name[name] = len(self.clusters)
            self.clusters.append(_Cluster(name, [], [name]))
        return self._by_name[name]

    def _called(self, words: str) -> int | None:
        """The case that is called so after its first citation."""
        called = party_key(words)
        if " v " in called:
            return self._by_name.get(called)
        for number, cluster in enumerate(self.clusters):
            parties = [party for name in cluster.names for party in short_names(name) if cluster.keys]
            if any(party == called or called in party.split() for party in parties):
                return number
        return None

    def _of_volume(self, mention: _Found) -> int | None:
        """The case in this volume: the one named, else the last that begins at or before the page."""
        begins = []
        for number, cluster in enumerate(self.clusters):
            for key in cluster.keys:
                volume, _, page = key.rpartition(" ")
                if volume == mention.volume and page.isdigit():
                    is_named = any(party in mention.meant for name in cluster.names for party in short_names(name))
                    begins.append((bool(mention.meant) and is_named, int(page) <= mention.page, int(page), number))
        best = max(begins, default=None)
        return best[3] if best and (best[0] or best[1]) else None

    def _in_another_reporter(self, mention: _Found) -> int | None:
        """The one case of the name in front of a short citation whose own citations are all to other reporters; its
        volume means that case from there on.
        """
        if not (mention.meant or mention.called):
            return self._of_unknown_volume.get(mention.volume)
        reporter = mention.volume.partition(" ")[2]
        called = mention.meant or party_key(without_signals(mention.called))
        found = [
            number
            for number, cluster in enumerate(self.clusters)
            if cluster.keys
            and any(called == name or called in short_names(name) for name in cluster.names)
            and not any(key.split(" ")[1:-1] == [reporter] for key in cluster.keys)
        ]
        if len({self._joined_into(each) for each in found}) != 1:
            return None
        return self._of_unknown_volume.setdefault(mention.volume, found[0])

    def _of_number(self, number: str) -> int:
        """A rule by its number alone belongs to the one set of rules in which the document cites that rule."""
        base = number.partition("(")[0]
        families = {
            key.rpartition(" ")[0]
            for cluster in self.clusters
            for key in cluster.keys
            if key.rpartition(" ")[2].partition("(")[0] == base and " " in key and not key[0].isdigit()
        }
        families.discard("rule")
        family = families.pop() if len(families) == 1 else "rule"
        return self._rule_cluster(RuleMention(Span(0, 0), family, number), number)


def _name_of(case: CaseMention, names: Sequence[CaseName], text: str) -> CaseName | None:
    """The name that a citation carries in front of it."""
    before = [name for name in names if name.span.end <= case.span.start]
    if not before:
        return None
    name = before[-1]
    is_own = _BEFORE_CITE.fullmatch(text, name.span.end, case.span.start) or has_dockets_between(text, name, case.span)
    return name if is_own else None


def _called_before(text: str, start: int) -> str:
    """The words in front of a short citation that may be the name of a party; empty where there are none."""
    called = _CALLED.search(text, max(0, start - _REACH), start)
    return called["name"] if called else ""


ShortForm = tuple[Span, str, CaseMention]
"""A short citation of a case: the range with the name in front, the key of the case's name or of a party's (empty where
none stands there), and what is cited."""


def short_forms_in(text: str) -> Iterator[ShortForm]:
    """Yield the short citations of cases in a text."""
    names = case_names(text)
    for case in reporter_mentions(text)[0]:
        if not case.is_short:
            continue
        if name := _name_of(case, names, text):
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
    return len(gap) < _REACH and previous.reporter != case.reporter and bool(_PARALLEL.fullmatch(gap))


def _is_nested(text: str, start: int) -> bool:
    return bool(_NESTED.search(text, max(0, start - 3 * _REACH), start))


def _supras(text: str) -> Iterator[_Found]:
    for match in _SUPRA.finditer(text):
        yield _Found(
            Span(match.start(), match.end()), CitationKind.SUPRA, None, without_signals(match["name"]).strip(" ,")
        )


def _slip_opinions(text: str, taken: Sequence[Span]) -> Iterator[_Found]:
    """The repeated citations of cases that are in no reporter yet: "Roe, slip op. at 4"."""
    for match in _SLIP.finditer(text):
        called = without_signals(_called_before(text, match.start()))
        if called and not (span := Span(text.rindex(called, 0, match.start()), match.end())).overlaps_any(taken):
            yield _Found(span, CitationKind.SHORT, called=called)
