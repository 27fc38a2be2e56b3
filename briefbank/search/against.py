"""What is known against each of many authorities: the alerts, proposals and bad treatments of its card, without what
else a card tells. A draft has a hundred authorities, some of which thousands of passages cite.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from briefbank.index.authorities import AuthorityPostings
from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.law.behind_citation import BAD, BAD_VERBS, Saying, sayings
from briefbank.law.treatment_verbs import any_form_of, stem_of
from briefbank.platform.progress import CancelToken
from briefbank.reports import ReportedSaying
from briefbank.search.alerts import Alert
from briefbank.search.card import alerts_of, known_keys, mentions_of, passages_by_row, proposals_of, reported, told
from briefbank.search.directive_alerts import ProposedAlert
from briefbank.search.reading_together import Lookup, read_together
from briefbank.search.short_mentions import CaseNames

T = TypeVar("T", Alert, ProposedAlert)
Known = tuple[tuple[str, ...], tuple[ReportedSaying, ...]]
"""The alerts of an authority, and what directives and briefs say that is bad, newest first."""


class KnownAgainst:
    """Looks up authorities by their keys, all that are asked for side by side."""

    def __init__(self, generation: Generation, alerts: Sequence[Alert], proposed: Sequence[ProposedAlert]) -> None:
        """Take the office's alerts and what directives say, of any authorities."""
        self._generation = generation
        self._alerts, self._proposed = _ByAuthority(alerts, generation), _ByAuthority(proposed, generation)
        self._names = CaseNames(generation)
        self._documents = {each.id: each for each in generation.documents}

    def of_each(self, authorities: Sequence[Collection[str]], cancel: CancelToken) -> list[Known]:
        """Return what is known against each of some authorities, given by their keys.

        Raises:
            CancelledError: asked to stop.
        """
        generation = self._generation
        found = read_together(map(self._said, authorities), generation.dense, cancel)
        proposed = [self._proposed.of(keys) for keys in authorities]
        rows = {*(row for said in found for row, _ in said), *(one.row for each in proposed for one in each)}
        passages = passages_by_row(rows, generation, with_boxes=False)
        known = []
        for keys, said, by_directives in zip(map(set, authorities), found, proposed, strict=True):
            alerts = alerts_of(keys, generation, self._alerts.of(keys))
            proposals = proposals_of(keys, by_directives, generation, passages)
            treatments = told(reported(saying, passages[row], self._documents) for row, saying in said)
            known.append((alerts, (*proposals, *treatments)))
        return known

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
