"""Words of criminal law that stand for one another, out of a file that anybody can read and mend. Knows no index."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from briefbank.index.tokens import index_terms


@cache
def thesaurus() -> Mapping[str, tuple[str, ...]]:
    """The equivalents of each term that has any, in alphabetical order."""
    text = files("briefbank.search").joinpath("thesaurus.txt").read_text(encoding="utf-8")
    equivalents: dict[str, set[str]] = {}
    for line in text.splitlines():
        group = set() if line.startswith("#") else {index_terms(word)[0] for word in line.split(",") if word.strip()}
        for term in group:
            equivalents.setdefault(term, set()).update(group - {term})
    return {term: tuple(sorted(others)) for term, others in equivalents.items()}
