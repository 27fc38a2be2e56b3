"""The verbs that say, beside a citation or in a list of cases, what became of a decision, each with how much it takes.

Whole sentences are read by `treatment.toml`; here are the words of subsequent history ("overruled by", "limiting").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from briefbank.law.treatment import Severity

_HOLDINGS = {
    Severity.STOP: (
        *("overruled", "overturned", "abrogated", "superseded", "disapproved", "disavowed", "repudiated"),
        *("receded from", "withdrawn", "repealed", "no longer good law", "not good law"),
    ),
    Severity.WARNING: ("declined to follow", "refused to follow"),
    Severity.CAUTION: ("limited", "narrowed", "questioned", "criticized", "drawn criticism", "amended"),
    Severity.NEUTRAL: ("distinguished", "followed"),
}
_JUDGMENTS = {
    Severity.STOP: ("reversed", "rev'd", "vacated", "quashed"),
    Severity.CAUTION: ("modified",),
    Severity.NEUTRAL: ("affirmed", "aff'd"),
}


def _by_verb(verbs: Mapping[Severity, Iterable[str]]) -> dict[str, Severity]:
    return {verb: severity for severity, each in verbs.items() for verb in each}


OF_HOLDINGS: Mapping[str, Severity] = _by_verb(_HOLDINGS)
"""What courts do to what another decision held, by the past participle."""
OF_JUDGMENTS: Mapping[str, Severity] = _by_verb(_JUDGMENTS)
"""What a court does to a judgment under review: that of the decision, or in the decision that of a court below."""
VERBS: Mapping[str, Severity] = {**OF_HOLDINGS, **OF_JUDGMENTS}


def any_of(words: Iterable[str]) -> str:
    """A pattern that finds each of some words as written, with either apostrophe and over the end of a line."""
    return "|".join(re.escape(each).replace(r"\ ", r"\s+").replace("'", "['’]") for each in words)


def any_form_of(participles: Iterable[str]) -> str:
    """A pattern that finds each of some participles in its other forms too: "limited", "limits", "limiting"."""
    return "|".join(map(_forms, participles))


def stem_of(participle: str) -> str:
    """How every form of the first word of a participle begins."""
    verb = participle.split(maxsplit=1)[0]
    return verb.removesuffix("ed").removesuffix("i") if verb.endswith("ed") else verb


def _forms(participle: str) -> str:
    verb, *rest = participle.split()
    if not verb.endswith("ed"):
        return any_of([participle])
    return r"\s+".join((stem_of(participle) + "(?:i?e[sd]|s|y?ing)?", *rest))
