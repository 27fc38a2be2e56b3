"""Whether a passage argues law or recites the record, by its manner of writing alone. Knows no query and no index.

A defender looks for argument and authority. Testimony and narration repeat the words of a question without answering
it, also where they stand in the middle of an argument, which the kind of the section cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# References to transcripts and appendices as the states print them, and testimony set out as question and answer. Every
# branch begins with a letter, which `re` looks for first: several times as fast as a word boundary.
_RECORD = re.compile(
    r"R(?<![A-Za-z.]R)\.?R\.?(?=[\s:)\d])|C(?<!\wC)\.?R\.?\s(?:at\s)?\d|T(?<=\dT)\s?\d|T(?<!\wT)r\.\s?(?:at\s)?\d"
    r"|N(?<!\wN)\.?T\.\s?(?:at\s)?\d|R(?<!\wR)P\s\d|[DP](?<!\w[DP])c?a\s?\d|[AR](?<!\w[AR])a\s?\d"
    r"|Q(?<!\wQ)[.:]\s|A(?<=[?.] A)[.:]\s|THE (?:COURT|WITNESS|DEFENDANT|STATE):|M[RS]S?\. [A-Z]{2,}:"
)
_REASONING = frozenset(
    """court courts held hold holds holding rule rules ruling standard test doctrine exception statute statutes law
    require requires required requirement must may whether unless therefore thus however because although under see cf
    review reviewed appellate""".split()
)
_RECORD_FULL = 0.02
"""References to the record per word at which a passage is all record."""
_REASONING_FULL = 0.08
"""Share of words of reasoning at which a passage argues as a brief does."""
_REASONING_MOST = 1.5
"""Where more reasoning adds nothing. What the bonus is worth: docs/evaluation.md, “How a search ranks”."""


def argument_style(text: str, surfaces: Sequence[str]) -> float:
    """From −1 (all record) to 1.5 (dense with legal reasoning); `surfaces` are the folded words of the text."""
    if not surfaces:
        return 0.0
    record = len(_RECORD.findall(text)) / len(surfaces)
    reasoning = sum(map(_REASONING.__contains__, surfaces)) / len(surfaces)
    return min(reasoning / _REASONING_FULL, _REASONING_MOST) - min(record / _RECORD_FULL, 1.0)
