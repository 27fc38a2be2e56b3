"""What is known against each of many authorities: the alerts, proposals and bad treatments of its card, without what
else a card tells. A draft has a hundred authorities, some of which thousands of passages cite.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from briefbank.index.authorities import AuthorityPostings
from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.law.behind_citation import BAD, BAD_VERBS, Saying, sayings
from briefbank.law.treatment_verbs import any_form_of, stem_of
from briefbank.platform.progress import CancelToken
from briefbank.search.alerts import Alert
from briefbank.search.card import alerts_of, known_keys, mentions_of, passages_by_row, proposals_of, reported, told
from briefbank.search.directive_alerts import ProposedAlert, proposed_alerts
from briefbank.search.reading_together import Lookup, read_together
from briefbank.search.short_mentions import CaseNames
from briefbank.values import ReportedSaying
from briefbank.values.records import DocumentKind

T = TypeVar("T", Alert, ProposedAlert)
Keys = frozenset[str]
"""The keys that one authority is known by."""
Known = tuple[tuple[str, ...], tuple[ReportedSaying, ...]]
"""The alerts of an authority, and what directives and briefs say that is bad, newest first."""


class KnownAgainst:
    """Looks up authorities by their keys, all that are asked for side by side."""

    def __init__(self, generation: Generation, alerts: Sequence[Alert]) -> None:
        """Take the office's alerts."""
        self._generation = generation
        self._alerts = alerts
        self._names = CaseNames(generation)
        self._found: dict[frozenset[str], list[tuple[int, Saying]]] = {}

    def look_up(self, authorities: Iterable[Keys], cancel: CancelToken) -> None:
        """Look up what briefs say of authorities that `of_each` will be asked for, each once.

        Raises:
            CancelledError: asked to stop.
        """
        new = [each for each in dict.fromkeys(authorities) if each not in self._found]
        said = read_together(map(self._said, new), self._generation.dense, cancel)
        self._found.update(zip(new, said, strict=True))

    def of_each(self, authorities: Collection[Keys], cancel: CancelToken) -> dict[Keys, Known]:
        """Return what is known against each of some authorities; raises as `look_up`."""
        self.look_up(authorities, cancel)
        generation = self._generation
        alerts = _ByAuthority(self._alerts, generation)
        directives = _ByAuthority(self._proposed({key for keys in authorities for key in keys}), generation)
        documents = {each.id: each for each in generation.documents}
        proposed = {keys: directives.of(keys) for keys in authorities}
        rows = {row for keys in authorities for row, _ in self._found[keys]}
        passages = passages_by_row(
            {*rows, *(each.row for listed in proposed.values() for each in listed)}, generation, with_boxes=False
        )
        known = {}
        for keys in authorities:
            proposals = proposals_of(keys, proposed[keys], generation, passages)
            treatments = told(reported(saying, passages[row], documents) for row, saying in self._found[keys])
            known[keys] = alerts_of(keys, generation, alerts.of(keys)), (*proposals, *treatments)
        return known

    def _proposed(self, keys: Collection[str]) -> tuple[ProposedAlert, ...]:
        """What directives of the bank say where they cite any of these authorities, read once for all of them."""
        postings = self._generation.authorities
        rows, _ = postings.rows(keys) if postings else (np.array([], dtype=np.int64), None)
        dense = self._generation.dense
        is_directive = np.array([each.metadata.kind.value == DocumentKind.DIRECTIVE for each in dense.documents])
        in_directives = rows[is_directive[dense.columns.document[rows]]]
        return proposed_alerts(self._generation, self._alerts, in_directives)

    def _said(self, keys: Collection[str]) -> Lookup[list[tuple[int, Saying]]]:
        """Look up what briefs say that is bad of an authority, each with its row."""
        mentions = yield from mentions_of(keys, self._generation, self._names, self._treating)
        texts = yield np.unique(np.array([row for row, _, _ in mentions], dtype=np.int64))
        return [(row, said) for row, span, _ in mentions for said in sayings(texts[row], span) if said.severity in BAD]

    @cached_property
    def _treating(self) -> Mask:
        """By row whether a passage may say anything bad of an authority, by the index of words alone."""
        surface, count = self._generation.surface, len(self._generation.dense)
        if surface is None:
            return np.ones(count, dtype=bool)
        rows = np.zeros(count, dtype=bool)
        for verb in BAD_VERBS:
            first, *rest = verb.split()
            form = re.compile(f"(?:{any_form_of([first])})(?:'.*)?")
            rows[surface.rows(surface.places_of_phrase(stem_of(verb), form, rest))] = True
        return rows


class _ByAuthority(Generic[T]):
    """Alerts or proposals, found by what they may be of: each authority is held against few of them."""

    def __init__(self, listed: Sequence[T], generation: Generation) -> None:
        self._listed: Sequence[T] = listed
        self._postings: AuthorityPostings | None = generation.authorities
        self._places: dict[str | int, set[int]] = defaultdict(set)
        for place, each in enumerate(listed):
            known: set[str] = known_keys(each.keys, self._postings)
            for key in (*known, *(self._postings.numbers(known) if self._postings else ())):
                self._places[key].add(place)

    def of(self, keys: Collection[str]) -> list[T]:
        """Those that may be of the authority of these keys, in their order."""
        wanted = (*keys, *(self._postings.numbers(keys) if self._postings else ()))
        return [self._listed[place] for place in sorted(set().union(*(self._places.get(key, ()) for key in wanted)))]
