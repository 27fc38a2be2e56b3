"""Citations of the record of a case: the reporter's transcript, the clerk's papers, appendices and exhibits. Pure
functions over text.
"""

from __future__ import annotations

import re

RECORD_CITE = re.compile(
    r"\b(?:\d*\s?R\.?R\.?\s?\d*|C\.?R\.?|S\.?C\.?R\.?|Tr\.?|Vol\.)[:.,\s]+\d|\b[DPR][abs]\s?\d|\b\d{1,2}T\s?\d+|\b\d{1,2}T\b|\((?:Def\.|St\.)?\s?Ex\.",
)
"""Where one begins within prose."""
_PLACE = re.compile(r"\(?\d{0,3}(?:S?C\.?R|R\.?R)\.?[\d:.,;–()-]{0,40}")
"""A whole word that is a place of a Texan record, as columns of notes have it: `RR5:86`, `CR`, `2RR`."""
_BESIDE_PLACE = re.compile(r"[\d:.,;–()-]{1,40}|[Ii]d\.,?|[Ss]ee|at|&|and|pp?\.")


def is_column_of_record_cites(text: str) -> bool:
    """Whether a text is nothing but notes that name places of the record: "56 RR5:86", "57 3 CR 12", "58 Id. at 90"."""
    words = text.split()
    return any(map(_PLACE.fullmatch, words)) and all(
        _PLACE.fullmatch(each) or _BESIDE_PLACE.fullmatch(each) for each in words
    )
