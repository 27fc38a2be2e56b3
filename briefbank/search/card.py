"""The card of one authority: who cites it, how often, what briefs say it holds and how they report its treatment.

Everything on it stands in a brief, verbatim, or in the office's list of alerts. Whether an authority is good law is for
a person with a citator; a card says after which day nothing here was checked.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.authorities import CASE_NAME, AuthorityPostings
from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.law.behind_citation import Saying
from briefbank.law.citations import CitationKind
from briefbank.law.treatment import Severity
from briefbank.search.alerts import Alert, AlertsByAuthority, is_directive
from briefbank.search.asked_authority import NamedAuthority, authorities_in, cases_of_party
from briefbank.search.directives import said_in
from briefbank.search.short_mentions import CaseNames, Lookup, read_together
from briefbank.values.authorities import AuthorityCard, CitingBrief, ReportedSaying
from briefbank.values.records import Document, Passage, SectionKind, Span

_ADVICE = "Give a citation (170 N.J. 632), a rule or statute (N.J.R.E. 404(b)), or a case that the bank cites by name."
_PARALLEL_GAP = 40
"""Characters between two citations of one authority that are one mention: ", 635-36, " and the name of a reporter."""
_MOST_CASES = 10
"""Cases that are named where several bear a name; there may be hundreds of a common one."""
_SUPRA_GAP = 4
"""Characters between "Carty, supra" and "170 N.J. at 640", which are one mention."""
_FULL = (CitationKind.FULL,)
_LISTS = (SectionKind.CONTENTS, SectionKind.AUTHORITIES, SectionKind.TABLE)
"""Parts that a citation leads on from."""
Mention = tuple[int, Span, CitationKind]


def authority_card(text: str, generation: Generation, alerts: Sequence[Alert]) -> AuthorityCard:
    """Return the card of the authority that `text` names.

    Raises:
        UsageError: the text names no authority or several, or several cases bear the name, which are named.
    """
    keys, name = _named(text, generation)
    return card_of(keys, name, generation, alerts)


def card_of(keys: set[str], name: str, generation: Generation, alerts: Sequence[Alert]) -> AuthorityCard:
    """Return the card of the authority that these keys stand for; `name` is how whoever asks writes it."""
    said = AlertsByAuthority(alerts, generation.authorities).said_of(keys)
    if generation.authorities is None:
        return AuthorityCard((name,), alerts=said)
    (mentions,) = read_together([mentions_of(keys, generation, CaseNames(generation))], generation.dense)
    rows = np.unique(np.array([row for row, _, _ in mentions], dtype=np.int64))
    passages = passages_by_row(rows.tolist(), generation)
    documents = {each.id: each for each in generation.documents}
    in_directive = is_directive(generation)
    sayings_of = [
        reported(each, passages[row], documents)
        for row, span, _ in mentions
        for each in said_in(passages[row].text, span, is_directive=not said and bool(in_directive[row]))
    ]
    written = (" ".join(passages[row].text[slice(*span)].split()) for row, span, kind in mentions if kind in _FULL)
    # Of a list ("amends. V, XIV") the later ones stand there by their numbers alone.
    labels = generation.authorities.labels(keys)
    found = Counter(next((label for label in labels if label.endswith(each)), each) for each in written)
    # Last what begins with a number, which in lists and tables of authorities is none of the name's.
    names = sorted((each for each, _ in found.most_common()), key=lambda each: each[:1].isdigit())
    return AuthorityCard(
        names=tuple(names or [name]),
        citing=tuple(
            sorted(
                _citing(mentions, passages, documents),
                key=lambda each: (-(each.document.filed or date.min).toordinal(), each.document.id),
            )
        ),
        passage_count=len(rows),
        mentions=len(mentions),
        full_mentions=sum(kind in _FULL for _, _, kind in mentions),
        holdings=newest_once(each for each in sayings_of if not each.severity),
        treatments=newest_once(each for each in sayings_of if each.severity and not each.is_of_directive),
        alerts=said,
        directives=worst_first(newest_once(each for each in sayings_of if each.is_of_directive)),
        is_read_by_ocr=are_read_by_ocr(passages.values()),
    )


def mentions_of(
    keys: Collection[str], generation: Generation, names: CaseNames, among: Mask | None = None
) -> Lookup[list[Mention]]:
    """Look up every mention of an authority, in order: those that the index has, and those by the name of a party
    alone; where rows are given, in these.
    """
    if generation.authorities is None:
        return []
    cited = generation.authorities.mentions(keys, among)
    by_name = yield from names.mentions(keys, cited, among)
    return _once(sorted([*cited, *by_name]))


def passages_by_row(rows: Iterable[int], generation: Generation, *, with_boxes: bool = True) -> dict[int, Passage]:
    """Read the passages of some rows, each once."""
    wanted = np.unique(np.array(list(rows), dtype=np.int64))
    return dict(zip(wanted.tolist(), generation.dense.passages(wanted, with_boxes=with_boxes), strict=True))


def are_read_by_ocr(passages: Collection[Passage]) -> bool:
    """Whether all of these passages were read by OCR, so that what they cite may be misread."""
    return bool(passages) and all(each.ocr_confidence is not None for each in passages)


def _named(text: str, generation: Generation) -> tuple[set[str], str]:
    """The keys of the one authority that a text names, or is itself a key of, and the words that name it."""
    authorities = generation.authorities
    if authorities and (numbers := authorities.numbers([text])):
        found = [NamedAuthority(frozenset({text, *authorities.known(text)}), authorities.label(numbers[0]))]
    else:
        found = authorities_in(text, authorities)
    if not found and authorities and (cases := cases_of_party(text, authorities)):
        return _only(cases, f"“{text}” is a party of several cases", authorities)
    if not found:
        raise UsageError(f"“{text}” names no authority that is known here.", _ADVICE)
    if len(found) > 1:
        names = "; ".join(each.words for each in found)
        raise UsageError(f"This names several authorities: {names}.", "Ask for one at a time.")
    if authorities and len(cases := _cases_of_name(found[0].keys, authorities)) > 1:
        return _only(cases, "Several cases bear this name", authorities)
    return set(found[0].keys), found[0].words


def _only(cases: Sequence[int], otherwise: str, authorities: AuthorityPostings) -> tuple[set[str], str]:
    """The keys and the label of the only one of some cases, given by number. Raises UsageError that names them all."""
    if len(cases) == 1:
        return {authorities.terms_of(cases)[cases[0]]}, authorities.label(cases[0])
    ordered = sorted(cases, key=lambda each: (-authorities.passage_count(each), authorities.label(each)))[:_MOST_CASES]
    more = f"; and {len(cases) - _MOST_CASES:,} more" if len(cases) > _MOST_CASES else ""
    names = "; ".join(map(authorities.label, ordered))
    calls = "\n".join(f"  briefbank card {shlex.quote(_asked_by(each, authorities))}" for each in ordered)
    raise UsageError(f"{otherwise}: {names}{more}.", f"Ask for one by its citation:\n{calls}")


def _asked_by(case: int, authorities: AuthorityPostings) -> str:
    """Words that ask for one case alone: its citation as people write it, else as the index keeps it."""
    label = authorities.label(case)
    asked = [each for named in authorities_in(label, authorities) for each in authorities.numbers(named.keys)]
    return label if asked == [case] else authorities.terms_of([case])[case]


def _cases_of_name(keys: Iterable[str], authorities: AuthorityPostings) -> list[int]:
    """The cases, by number, that the bank cites under a name, where the keys are one; what one of them became, no other
    did.
    """
    if not all(map(CASE_NAME.search, keys)):
        return []
    return [each for each in authorities.numbers(keys) if not authorities.is_bare_name(each)]


def _once(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions, each followed by parallel citations of the same place as one that reaches to the last of them."""
    merged: list[Mention] = []
    for row, span, kind in mentions:
        before = merged[-1] if merged else None
        is_parallel = before is not None and before[0] == row and _is_one(before, span, kind)
        if is_parallel and before is not None:
            merged[-1] = row, Span(before[1].start, span.end), kind
        else:
            merged.append((row, span, kind))
    return merged


def _is_one(before: Mention, span: Span, kind: CitationKind) -> bool:
    """Whether a mention goes on with the one before it in its passage: in another reporter, or "Carty, supra" with the
    pages behind it.
    """
    gap = span.start - before[1].end
    if kind is CitationKind.SHORT and before[2] is CitationKind.SUPRA:
        return gap <= _SUPRA_GAP
    return kind in _FULL and before[2] in _FULL and gap <= _PARALLEL_GAP


def reported(saying: Saying, passage: Passage, documents: Mapping[str, Document]) -> ReportedSaying:
    """What a passage says of an authority, with where; `documents` are those of the bank, by id."""
    words = " ".join(passage.text[slice(*saying.span)].split())
    severity = saying.severity.value if saying.severity else ""
    return ReportedSaying(words, saying.kind, severity, passage, documents[passage.document_id])


def newest_once(found: Iterable[ReportedSaying]) -> tuple[ReportedSaying, ...]:
    """Newest first; what several briefs say in the same words once, from the newest of them, and not from its table of
    authorities where the brief says it elsewhere too.
    """

    def place(each: ReportedSaying) -> tuple[int, str, bool, str]:
        day = (each.document.filed or date.min).toordinal()
        return -day, each.document.id, each.passage.section_kind in _LISTS, each.passage.id

    ordered = sorted(found, key=place)
    said = {each.text.casefold(): each for each in reversed(ordered)}
    return tuple(each for each in ordered if said[each.text.casefold()] is each)


def worst_first(said: Iterable[ReportedSaying]) -> tuple[ReportedSaying, ...]:
    """What directives say before what briefs do, and of each the worst first: a newer paper takes nothing from it."""
    order = [severity.value for severity in Severity]
    return tuple(sorted(said, key=lambda each: (not each.is_of_directive, order.index(each.severity))))


def _citing(
    mentions: Iterable[Mention], passages: dict[int, Passage], documents: dict[str, Document]
) -> Iterable[CitingBrief]:
    """The briefs, each with where it first cites the authority outside of its tables; mentions are in order."""
    for document_id, group in groupby(mentions, key=lambda each: passages[each[0]].document_id):
        cited = list(group)
        argued = (row for row, _, _ in cited if passages[row].section_kind not in _LISTS)
        shown = next(argued, cited[0][0])
        places = tuple(span for row, span, _ in cited if row == shown)
        first = passages[shown]
        yield CitingBrief(documents[document_id], len(cited), first.id, first.page_first, first.page_last, places)
