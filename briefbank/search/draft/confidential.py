"""What of a draft court rules keep out of public filings, and where it names another client of the office.

What is found is told to the person who asked; where they have it written into a file, it is masked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from briefbank.index.generation import Generation
from briefbank.law.citations import PatternSet
from briefbank.law.identifiers import (
    Client,
    IdentifierKind,
    Rule,
    clients_of,
    identifiers_in,
    masked,
    mentions_of,
    rule_of_court,
)
from briefbank.law.legal_numbers import folded
from briefbank.platform.progress import CancelToken, Progress, Reporter
from briefbank.search.draft.reading import DraftText
from briefbank.values.authorities import DraftPoint
from briefbank.values.findings import CheckPart, Compared, ComparedKind, DraftFinding, Weight
from briefbank.values.records import Document, DocumentKind, Span

_CAPITALISED = re.compile(r"[A-Z][\w'’-]+")


def confidential_part(
    text: DraftText, generation: Generation, points: Sequence[DraftPoint], patterns: PatternSet,
    reporter: Reporter, cancel: CancelToken,
) -> CheckPart:  # fmt: skip
    """Return the identifiers of a draft, and the clients of the bank's other briefs that it names outside citations.

    What is named by its own court's rule is to be mended, and so is all where no court is known; in a court whose rule
    is neither of the two it is to be looked at. What another rule alone names is told as such, for information; a child
    is to be looked at, whom other law of the court may protect. Raises CancelledError.
    """
    reporter(Progress("looking for identifiers"))
    found = list(_identifiers(text, cancel))
    reporter(Progress("looking for other clients"))
    found += _clients(text, generation, points, patterns, cancel)
    return CheckPart("identifiers", tuple(found))


def _identifiers(text: DraftText, cancel: CancelToken) -> Iterator[DraftFinding]:
    court = text.document.metadata.court
    own = rule_of_court(court.value) if court else None
    places: dict[tuple[IdentifierKind, str], list[Span]] = defaultdict(list)
    for each in identifiers_in(text.document.text, cancel.check):
        places[each.kind, _words(text, each.span)].append(each.span)
    for (kind, words), spans in places.items():
        rules, is_child = kind.rules, kind is IdentifierKind.MINOR
        compared = tuple(Compared(ComparedKind.RULE, rule) for rule in rules)
        if own is None or own in rules:
            fact = _named_by(kind, own)
            weight = Weight.LOOK if court and own is None else Weight.MEND
            found = _found(text, "identifier", "Confidential identifier", weight, spans, words, fact, compared)
        else:
            other = "may protect the child" if is_child else "may keep it out too"
            fact = f"{kind.with_article}: {rules[0]} names it, {own} does not; other law of the court {other}."
            title, weight = "Identifier that another court’s rule names", Weight.LOOK if is_child else Weight.KNOW
            found = _found(text, "other-identifier", title, weight, spans, words, fact, compared)
        yield replace(found, masked=masked(kind, words))


def _named_by(kind: IdentifierKind, own: Rule | None) -> str:
    """What the court's own rule says of a kind that it names; without such a rule, which others name it."""
    if own:
        condition = " if active" if kind in own.only_active else ""
        return f"{kind.with_article}, which {own} keeps out of public filings{condition}."
    named = " and ".join(f"{rule}{' (if active)' if kind in rule.only_active else ''}" for rule in kind.rules)
    verb = "names" if len(kind.rules) == 1 else "name"
    return f"{kind.with_article}, which {named} {verb}; which rule this court has is not known."


def _clients(
    text: DraftText, generation: Generation, points: Sequence[DraftPoint], patterns: PatternSet, cancel: CancelToken
) -> Iterator[DraftFinding]:
    """One finding for each client. Those of the briefs most like the draft's points are looked for more closely: it may
    have been written from them.
    """
    caption = text.document.metadata
    near = {hit.document.id for point in points for hit in point.nearest}
    others = [each for each in generation.documents if not _is_own(each, text, caption.dockets)]
    capitalised = _CAPITALISED.findall(folded(text.document.text))
    words = {*capitalised, *(each.title() for each in capitalised)}
    told: dict[Client, tuple[Document, list[Span]]] = {}
    for is_near in (True, False):
        known = _known((each for each in others if (each.id in near) is is_near), words, cancel)
        clients = [each for each in known if each not in told]
        for mention in mentions_of(text.document.text, clients, caption.title.value, patterns, is_near=is_near):
            cancel.check()
            told.setdefault(mention.client, (known[mention.client], []))[1].append(mention.span)
    for client, (document, spans) in told.items():
        title = document.metadata.title.value
        passage = next(iter(generation.passages_of(document.id)), None)
        compared = Compared(
            ComparedKind.PASSAGE, title, client.name, document.filed, passage_id=passage.id if passage else ""
        )
        fact = f"{client.name} is a party of another brief of the bank: {title}."
        name = "Name of another client"
        yield _found(text, "other-client", name, Weight.LOOK, spans, _words(text, spans[0]), fact, (compared,))


def _is_own(document: Document, text: DraftText, dockets: Collection[str]) -> bool:
    """Whether a brief of the bank is the draft, or of the same case."""
    is_same_case = not set(dockets).isdisjoint(document.metadata.dockets)
    is_brief = document.metadata.kind.value == DocumentKind.BRIEF
    return document.sha256 == text.sha256 or is_same_case or not is_brief


def _known(documents: Iterable[Document], words: set[str], cancel: CancelToken) -> dict[Client, Document]:
    """The people of captions of which the draft has any word, each with the newest brief."""
    known: dict[Client, Document] = {}
    for document in documents:
        cancel.check()
        title = document.metadata.title.value
        if words.isdisjoint(_CAPITALISED.findall(folded(title))):
            continue
        for client in clients_of(title):
            before = known.get(client)
            if before is None or (document.filed and (not before.filed or document.filed > before.filed)):
                known[client] = document
    return known


def _words(text: DraftText, span: Span) -> str:
    return " ".join(text.document.text[slice(*span)].split())


def _found(
    text: DraftText, kind: str, title: str, weight: Weight, spans: Iterable[Span], words: str, fact: str,
    compared: tuple[Compared, ...],
) -> DraftFinding:  # fmt: skip
    pages = sorted({text.page_at(each.start) for each in spans}) if text.document.has_pages else ()
    return DraftFinding(kind, title, weight, tuple(pages), words, fact, compared)
