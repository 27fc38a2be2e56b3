"""Citations of the record of a case: transcripts, clerks' papers, appendices, exhibits, pleadings, briefs. Their forms
are those of `record_cites.toml`. Pure functions over text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from briefbank.law.catalogue import Catalogue
from briefbank.law.legal_numbers import folded
from briefbank.values.records import Span

FORMS = Catalogue("record_cites.toml")
_PLACE = re.compile(r"\(?\d{0,3}(?:S?C\.?R|R\.?R)\.?[\d:.,;–()-]{0,40}")
"""A whole word that is a place of a Texan record, as columns of notes have it: `RR5:86`, `CR`, `2RR`."""
_BESIDE_PLACE = re.compile(r"[\d:.,;–()-]{1,40}|[Ii]d\.,?|[Ss]ee|at|&|and|pp?\.")


def record_cites(text: str) -> Iterator[Span]:
    """Yield where a text cites the record, in order."""
    yield from (Span(*match.span()) for match in FORMS["record"].finditer(folded(text)))


def is_column_of_record_cites(text: str) -> bool:
    """Whether a text is nothing but notes that name places of the record: "56 RR5:86", "57 3 CR 12", "58 Id. at 90"."""
    words = text.split()
    return any(map(_PLACE.fullmatch, words)) and all(
        _PLACE.fullmatch(each) or _BESIDE_PLACE.fullmatch(each) for each in words
    )
