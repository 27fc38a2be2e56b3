"""The order in which people see results, and what stands above each part of them. Knows hits, not the search."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from briefbank.records import Band, Hit, SortOrder

_HEADINGS = {Band.ON_POINT: "On point", Band.RELATED: "Related: the same matter, perhaps another point"}
_NOTHING_ON_POINT = "Nothing found is squarely on point. Related:"


def arranged(hits: Iterable[Hit], order: SortOrder) -> tuple[Hit, ...]:
    """Return hits by rank; or newest first, what is on point before what is related, undated ones last in each."""
    if order is SortOrder.RELEVANCE:
        return tuple(sorted(hits, key=lambda hit: hit.rank))

    def newest(hit: Hit) -> tuple[bool, int, int]:
        return (hit.band is Band.RELATED, -(hit.document.filed or date.min).toordinal(), hit.rank)

    return tuple(sorted(hits, key=newest))


def band_headings(hits: Iterable[Hit]) -> tuple[str, ...]:
    """What is said above each of the hits, in the order shown: a heading where a band begins, elsewhere nothing."""
    bands = [hit.band for hit in hits]
    headings = [
        _HEADINGS[band] if band and band is not before else ""
        for before, band in zip([None, *bands], bands, strict=False)
    ]
    if bands and Band.ON_POINT not in bands and bands[0]:
        headings[0] = _NOTHING_ON_POINT
    return tuple(headings)
