"""Fit what tells the short name of a case from a person's to the marked passages that may be read.

Run by hand after passages were added: writes `briefbank/law/anonymise/mentions.tsv`, which is kept in the project. All
is taken that is marked and one word: people's names, and short forms of citations. Passages that are scored only are
left out. The regularisation and the features kept were chosen by leaving out one writer's passages at a time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from briefbank.law import anonymise
from briefbank.law.anonymise.analysed_text import words_of
from briefbank.law.anonymise.mentions import BIAS, WEIGHTS, features

HERE = Path(__file__).parent
TO_READ = ("build", "held_out", "more", "rare", "office", "states")
SEEN_LEAST = 3
REGULARISATION = 0.3
WEIGHT_LEAST = 0.05


def main() -> None:
    fitted = fit(list(mentions()))
    kept = {feature: weight for feature, weight in fitted.items() if abs(weight) >= WEIGHT_LEAST}
    lines = [f"{weight:.2f}\t{feature}\n" for feature, weight in sorted(kept.items(), key=lambda each: -abs(each[1]))]
    Path(anonymise.__file__).with_name(WEIGHTS).write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} weights")


def fit(examples: list[tuple[set[str], bool]]) -> dict[str, float]:
    """The weight of each feature that is seen often enough; positive ones speak for a case."""
    seen = Counter(feature for found, _ in examples for feature in found)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(
        [{feature: 1.0 for feature in found if seen[feature] >= SEEN_LEAST} for found, _ in examples]
    )
    model = LogisticRegression(C=REGULARISATION, max_iter=3000)
    model.fit(matrix, [is_case for _, is_case in examples])
    weights = dict(zip(vectorizer.get_feature_names_out(), map(float, model.coef_[0]), strict=True))
    weights[BIAS] += float(model.intercept_[0])
    return weights


def mentions() -> Iterator[tuple[set[str], bool]]:
    """What each marked name of one word is judged by, and whether it is a case's."""
    for name in TO_READ:
        for line in (HERE / f"marked_{name}.jsonl").read_text(encoding="utf-8").splitlines():
            passage: dict[str, Any] = json.loads(line)
            words = words_of(passage["text"])
            at = {word.span.start: place for place, word in enumerate(words)}
            for side, kind, is_case in (("remove", "person", False), ("keep", "citation", True)):
                for marked in passage[side]:
                    place = at.get(marked["start"]) if marked["kind"] == kind else None
                    if place is not None and words[place].span.end == marked["end"] and words[place].is_capital:
                        yield features(words, place), is_case


if __name__ == "__main__":
    main()
