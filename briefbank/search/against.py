"""What is known against one authority after the other: the alerts, proposals and bad treatments of its card, without
what else a card tells. A draft has a hundred authorities, some of which thousands of passages cite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from briefbank.index.authorities import AuthorityPostings
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.law.behind_citation import ANY_BAD, BAD, BAD_ROOTS, sayings
from briefbank.reports import ReportedSaying
from briefbank.search.alerts import Alert
from briefbank.search.card import alerts_of, known_keys, mentions_of, proposals_of, reported, told
from briefbank.search.directive_alerts import ProposedAlert
from briefbank.search.short_mentions import CaseNames

T = TypeVar("T", Alert, ProposedAlert)


class KnownAgainst:
    """Looks up authorities by their keys; a passage that cites several is read once."""

    def __init__(self, generation: Generation, alerts: Sequence[Alert], proposed: Sequence[ProposedAlert]) -> None:
        """Take the office's alerts and what directives say, of any authorities."""
        self._generation = generation
        self._alerts, self._proposed = _ByAuthority(alerts, generation), _ByAuthority(proposed, generation)
        self._names = CaseNames(generation)
        self._texts: dict[int, str] = {}
        self._documents = {each.id: each for each in generation.documents}

    def of(self, keys: Collection[str]) -> tuple[tuple[str, ...], tuple[ReportedSaying, ...]]:
        """Return the alerts of an authority, and what directives and briefs say that is bad, newest first."""
        wanted, generation = set(keys), self._generation
        alerts = alerts_of(wanted, generation, self._alerts.of(wanted))
        mentions = mentions_of(wanted, generation, self._names, self._treating)
        texts = self._read(np.unique(np.array([row for row, _, _ in mentions], dtype=np.int64)))
        found = [
            (row, said)
            for row, span, _ in mentions
            if texts[row]
            for said in sayings(texts[row], span)
            if said.severity in BAD
        ]
        rows = np.unique(np.array([row for row, _ in found], dtype=np.int64))
        passages = dict(zip(rows.tolist(), generation.dense.passages(rows, with_boxes=False), strict=True))
        treatments = (reported(said, passages[row], self._documents) for row, said in found)
        return alerts, (
            *proposals_of(wanted, self._proposed.of(wanted), generation, self._documents),
            *told(treatments),
        )

    @cached_property
    def _treating(self) -> Mask:
        """By row whether a passage may say anything bad of an authority, by the index of words alone."""
        surface, count = self._generation.surface, len(self._generation.dense)
        if surface is None:
            return np.ones(count, dtype=bool)
        rows = np.zeros(count, dtype=bool)
        for root in BAD_ROOTS:
            rows[surface.rows(surface.places_of_root(root))] = True
        return rows

    def _read(self, rows: Rows) -> dict[int, str]:
        """The texts of rows, empty where they say nothing bad of any authority."""
        new = np.array([row for row in rows.tolist() if row not in self._texts], dtype=np.int64)
        for row, text in zip(new.tolist(), self._generation.dense.texts(new), strict=True):
            self._texts[row] = text if ANY_BAD.search(text) else ""
        return self._texts


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
