"""What is known against each of many authorities: the alerts, directives and bad treatments of its card, without what
else a card tells. A draft has a hundred authorities, some of which thousands of passages cite.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

import numpy as np

from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.law.behind_citation import BAD, Saying
from briefbank.law.treatment import Severity
from briefbank.law.treatment_verbs import VERBS, any_form_of, stem_of
from briefbank.platform.progress import CancelToken
from briefbank.search.alerts import Alert, AlertsByAuthority
from briefbank.search.card import mentions_of, passages_by_row, reported, told
from briefbank.search.directives import is_directive, said_in
from briefbank.search.reading_together import Lookup, read_together
from briefbank.search.short_mentions import CaseNames
from briefbank.values import ReportedSaying

Keys = frozenset[str]
"""The keys that one authority is known by."""
Known = tuple[tuple[str, ...], tuple[ReportedSaying, ...]]
"""The alerts of an authority, and what directives and briefs say that is bad, newest first."""


class KnownAgainst:
    """Looks up authorities by their keys, all that are asked for side by side."""

    def __init__(self, generation: Generation, alerts: Sequence[Alert]) -> None:
        """Take the office's alerts."""
        self._generation = generation
        self._alerts = AlertsByAuthority(alerts, generation.authorities)
        self._is_directive = is_directive(generation)
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
        documents = {each.id: each for each in self._generation.documents}
        rows = {row for keys in authorities for row, _ in self._found[keys]}
        passages = passages_by_row(rows, self._generation, with_boxes=False)
        known = {}
        for keys in authorities:
            said = told(reported(saying, passages[row], documents) for row, saying in self._found[keys])
            known[keys] = self._alerts.said_of(keys), tuple(sorted(said, key=lambda each: not each.is_of_directive))
        return known

    def _said(self, keys: Keys) -> Lookup[list[tuple[int, Saying]]]:
        """Look up what briefs and directives say that is bad of an authority, each with its row."""
        mentions = yield from mentions_of(keys, self._generation, self._names, self._treating)
        texts = yield np.unique(np.array([row for row, _, _ in mentions], dtype=np.int64))
        is_listed = bool(self._alerts.said_of(keys))
        return [
            (row, said)
            for row, span, _ in mentions
            for said in said_in(texts[row], span, is_directive=not is_listed and bool(self._is_directive[row]))
            if said.severity in BAD
        ]

    @cached_property
    def _treating(self) -> Mask:
        """By row whether a passage may say anything bad of an authority, by the index of words alone: a brief by fewer
        verbs than a directive.
        """
        surface, count = self._generation.surface, len(self._generation.dense)
        if surface is None:
            return np.ones(count, dtype=bool)
        rows = np.zeros(count, dtype=bool)
        for verb, severity in VERBS.items():
            if severity is Severity.NEUTRAL:
                continue
            first, *rest = verb.split()
            form = re.compile(f"(?:{any_form_of([first])})(?:'.*)?")
            found = surface.rows(surface.places_of_phrase(stem_of(verb), form, rest))
            rows[found if severity in BAD else found[self._is_directive[found]]] = True
        return rows
