"""How likely a passage answers an item, and with it a document: what is known of the passage, weighed by a logistic
regression. Knows one index at a time, and nothing of how answers are shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.term_index import TermScores
from briefbank.search.profiles.keywords import Places, places_of
from briefbank.search.profiles.ranking import PreparedProfile
from briefbank.search.scope import Scores
from briefbank.values.records import Span

SIGNALS = ("meaning", "words", "keywords")
"""What is weighed of a passage: its cosine to the nearest central sample, the share that its words reach of the most
that they could, and what keywords it holds. Samples and question are mixed as in a profile."""
_HALF_HELD = 5.0
"""Keywords of so much worth together count half of what any number could: one telling keyword decides, more of them
only confirm. On the development contracts this won 1.4 points of F1 over the share of all keywords."""
MOST_SHOWN = 10
"""Passages of one answer at most: as many as [AG] gives to its language model."""
# On the development contracts (docs/evaluation.md, “Checklists”) an answer has 4.1 passages in the mean with these two,
# and macro F1 is 0.75; with all ten passages it is 0.78, and nobody would read them.
_SHARE_OF_BEST, _SHARE_OF_THRESHOLD = 0.05, 0.25
"""What a passage's probability must be of that of the document's best, and of the threshold, to be shown beside it."""
Signals = npt.NDArray[np.float64]
"""Shape (passages, len(SIGNALS))."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What each signal weighs in log-odds that a passage answers, and from which probability of its best passage on a
    document counts as having an answer.
    """

    constant: float
    meaning: float
    words: float
    keywords: float
    threshold: float

    def probabilities(self, signals: Signals) -> Scores:
        """The probability of each passage, shape (passages,), 0 to 1."""
        odds = self.constant + signals @ np.array([self.meaning, self.words, self.keywords])
        probabilities: Scores = 1 / (1 + np.exp(-odds))
        return probabilities


# What holds where nothing was fitted to the item itself, by what the item has. Fitted on 23 November 2026 on the
# passages of 183 annotated contracts, nine provisions together; in brackets the macro F1 over clauses where each
# provision is left out of the fit that answers it (docs/evaluation.md, “Checklists”). Cosines added nothing to it, so
# that it holds for every encoder. Questions and keywords were written by hand; samples, with the keywords mined from
# them, were of other contracts than were searched.
_SAMPLES_AND_KEYWORDS = Evidence(constant=-6.31, meaning=0.0, words=13.11, keywords=3.84, threshold=0.06)  # 0.80
_SAMPLES_ALONE = Evidence(constant=-6.19, meaning=0.0, words=19.75, keywords=0.0, threshold=0.04)  # 0.78
_QUESTION_AND_KEYWORDS = Evidence(constant=-6.12, meaning=0.0, words=3.70, keywords=6.06, threshold=0.06)  # 0.80
_KEYWORDS_ALONE = Evidence(constant=-5.82, meaning=0.0, words=0.0, keywords=7.34, threshold=0.08)
_QUESTION_ALONE = Evidence(constant=-5.54, meaning=0.0, words=8.78, keywords=0.0, threshold=0.02)


def unfitted(profile: PreparedProfile) -> Evidence:
    """Return what holds for an item to which nothing was fitted."""
    if profile.words:
        return _SAMPLES_AND_KEYWORDS if profile.keywords else _SAMPLES_ALONE
    if profile.keywords:
        return _QUESTION_AND_KEYWORDS if profile.question else _KEYWORDS_ALONE
    return _QUESTION_ALONE


def best_places(probabilities: Scores) -> list[int]:
    """Return the places of a document's best passages, best first; `probabilities` has shape (passages,)."""
    order = np.lexsort((np.arange(len(probabilities)), -probabilities))
    places: list[int] = order[:MOST_SHOWN].tolist()
    return places


def shown_places(probabilities: Scores, threshold: float) -> list[int]:
    """Return the places of the passages that answer an item, in document order: the best, and those that are likely
    enough beside it; none where even the best is below the threshold.
    """
    best = float(probabilities.max(initial=0.0))
    if not len(probabilities) or best < threshold:
        return []
    least = max(_SHARE_OF_BEST * best, _SHARE_OF_THRESHOLD * threshold)
    return sorted(place for place in best_places(probabilities) if probabilities[place] >= least)


class ItemSignals:
    """The signals of one item in one index; made once for all of its documents."""

    def __init__(self, profile: PreparedProfile, generation: Generation) -> None:
        """Score the words of all passages at once."""
        self._profile = profile
        index, share = generation.lexical, profile.question_share
        rarity = {term: index.most([term]) for term in profile.question.terms} if profile.question else {}
        whole = sum(rarity.values()) or 1.0
        self._telling = defaultdict(float, {term: (1 - share) * weight for term, weight in profile.words.items()})
        """What each term that is looked for counts of all; they add up to 1."""
        for term, weight in rarity.items():
            self._telling[term] += share * weight / whole
        self._words: list[tuple[TermScores, float]] = []
        if profile.words:
            most = sum(weight * index.most([term]) for term, weight in profile.words.items())
            self._words.append((index.weighted_scores(profile.words), (1 - share) / most))
        if profile.question is not None and share and (most := index.most(profile.question.terms)):
            self._words.append((index.scores(profile.question.terms), share / most))

    def signals(self, rows: Rows, vectors: Vector, places: Sequence[Places]) -> Signals:
        """The signals of some passages, given their rows, their vectors, shape (passages, dimension), and the places of
        their terms.
        """
        profile, share = self._profile, self._profile.question_share
        meaning = np.zeros(len(rows))
        if len(profile.centres):
            meaning += (1 - share) * (vectors @ profile.centres.T).max(axis=1)
        if profile.question_vector is not None:
            meaning += share * (vectors @ profile.question_vector)
        held = np.array([self._held(text) for text in places])
        words = sum((share * scores.at(rows).astype(np.float64) for scores, share in self._words), np.zeros(len(rows)))
        return np.column_stack([meaning, words, held])

    def telling(self, text: str, sentences: Sequence[Span]) -> Span | None:
        """Return the sentence that holds most of what is looked for, the first of several that hold as much; None where
        none holds anything.
        """

        def told(sentence: Span) -> float:
            places = places_of(text[slice(*sentence)])
            return sum(self._telling.get(term, 0.0) for term in places) + self._held(places)

        best = max(sentences, key=lambda each: (told(each), -each.start), default=None)
        return best if best and told(best) > 0 else None

    def _held(self, places: Places) -> float:
        """What the keywords count that stand at these places."""
        held = sum(each.boost for each in self._profile.keywords if each.is_in(places))
        return held / (held + _HALF_HELD)
