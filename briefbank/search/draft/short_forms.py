"""Short citations of a draft that it gives nowhere in full ("Cosio, 353 S.W.3d at 777"), resolved by the bank.

A citator would know where a case ends; here the volume, a beginning at or before the page and a party's name have to
agree on one authority. What they do not agree on is left out, as in a brief of the bank.
"""

from __future__ import annotations

from collections.abc import Sequence

from briefbank.index.authorities import AuthorityPostings
from briefbank.law.citations import Authority, Citation, CitationKind, DocumentCitations, ShortForm


def with_short_forms(
    citations: DocumentCitations, short_forms: Sequence[Sequence[ShortForm]], postings: AuthorityPostings | None
) -> DocumentCitations:
    """Return the citations of a document with those of its short forms, passage by passage, that one authority of the
    bank fits.
    """
    if postings is None:
        return citations
    authorities = list(citations.authorities)
    known = {key: number for number, each in enumerate(authorities) for key in each.keys}
    passages = []
    for short, cited in zip(short_forms, citations.passages, strict=True):
        taken = [each.span for each in cited if each.kind is not CitationKind.NAME]
        found = list(cited)
        for span, name, case in short:
            if not name or span.overlaps_any(taken):
                continue
            meant = postings.called(name, f"{case.volume} {case.reporter}", case.page)
            if len(meant) != 1:
                continue
            ((number, key),) = meant.items()
            if key not in known:
                known[key] = len(authorities)
                authorities.append(Authority((key,), (), postings.label(number)))
            found.append(Citation(span, CitationKind.SHORT, known[key], 0.0))
        passages.append(tuple(sorted(found, key=lambda each: each.span)))
    return DocumentCitations(tuple(authorities), tuple(passages))
