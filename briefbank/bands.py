"""How people see results: in which order, what stands above each part, how likely one is useful. Knows hits alone."""

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


def likely(hit: Hit) -> str:
    """How likely a result is useful, in words; empty where nothing is known of it.

    Rounded down, so that what is just short of on point is not told as one half; nothing is told as certain.
    """
    if hit.probability is None:
        return ""
    return f"{min(max(int(hit.probability * 100), 1), 99)}% likely useful"
