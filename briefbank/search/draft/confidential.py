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
    clients_of,
    identifiers_in,
    masked,
    mentions_of,
    rule_of_court,
)
from briefbank.search.draft.reading import DraftText
from briefbank.values.authorities import DraftPoint
from briefbank.values.findings import CheckPart, Compared, ComparedKind, DraftFinding, Weight
from briefbank.values.records import Document, DocumentKind, Span

_CAPITALISED = re.compile(r"[A-Z][\w'’-]+")


def confidential_part(
    text: DraftText, generation: Generation, points: Sequence[DraftPoint], patterns: PatternSet
) -> CheckPart:
    """Return the identifiers of a draft, and the clients of the bank's other briefs that it names outside citations.

    What is named by its own court's rule is to be mended, and so is all where no court is known; in a court whose rule
    is neither of the two it is to be looked at. What another rule alone names is told as such, for information.
    """
    return CheckPart("identifiers", (*_identifiers(text), *_clients(text, generation, points, patterns)))


def _identifiers(text: DraftText) -> Iterator[DraftFinding]:
    court = text.document.metadata.court
    own = rule_of_court(court.value) if court else None
    places: dict[tuple[IdentifierKind, str], list[Span]] = defaultdict(list)
    for each in identifiers_in(text.document.text):
        places[each.kind, _words(text, each.span)].append(each.span)
    for (kind, words), spans in places.items():
        rules = kind.rules
        compared = tuple(Compared(ComparedKind.RULE, rule) for rule in rules)
        if own is None or own in rules:
            named = " and ".join([own] if own else rules)
            keep = "keeps" if own or len(rules) == 1 else "keep"
            fact = f"{kind.with_article}, which {named} {keep} out of public filings."
            weight = Weight.LOOK if court and own is None else Weight.MEND
            found = _found(text, "identifier", "Confidential identifier", weight, spans, words, fact, compared)
        else:
            fact = f"{kind.with_article}: {rules[0]} names it, {own} does not."
            title = "Identifier that another court’s rule names"
            found = _found(text, "other-identifier", title, Weight.KNOW, spans, words, fact, compared)
        yield replace(found, masked=masked(kind, words))


def _clients(
    text: DraftText, generation: Generation, points: Sequence[DraftPoint], patterns: PatternSet
) -> Iterator[DraftFinding]:
    """One finding for each client. Those of the briefs most like the draft's points are looked for more closely: it may
    have been written from them.
    """
    caption = text.document.metadata
    near = {hit.document.id for point in points for hit in point.nearest}
    others = [each for each in generation.documents if not _is_own(each, text, caption.dockets)]
    words = set(_CAPITALISED.findall(text.document.text)) | {
        each.title() for each in _CAPITALISED.findall(text.document.text)
    }
    told: dict[Client, tuple[Document, list[Span]]] = {}
    for is_near in (True, False):
        known = _known((each for each in others if (each.id in near) is is_near), words)
        clients = [each for each in known if each not in told]
        for mention in mentions_of(text.document.text, clients, caption.title.value, patterns, is_near=is_near):
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


def _known(documents: Iterable[Document], words: set[str]) -> dict[Client, Document]:
    """The people of captions of which the draft has any word, each with the newest brief."""
    known: dict[Client, Document] = {}
    for document in documents:
        title = document.metadata.title.value
        if words.isdisjoint(_CAPITALISED.findall(title)):
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
