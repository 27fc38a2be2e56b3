"""Holds all quotations of a draft against the bank's own text of them; how one is compared: `quotations`."""

from __future__ import annotations

from dataclasses import dataclass

from briefbank.index.generation import Generation
from briefbank.index.tokens import tokenise
from briefbank.platform.progress import CancelToken
from briefbank.search.card import passages_by_row
from briefbank.search.draft.quotations import compared, joined, quotations
from briefbank.search.draft.reading import DraftText
from briefbank.values import AlteredQuotation, UnknownQuotation

_DEPTH = 8
"""Passages that a quotation is held against."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotations that the bank has in other words, those that it does not have, and how many there are."""

    altered: tuple[AlteredQuotation, ...]
    unknown: tuple[UnknownQuotation, ...]
    count: int


def check_quotations(draft: DraftText, generation: Generation, cancel: CancelToken) -> Quoted:
    """Compare each quotation with the passages that hold most of its words, also as one where they follow each other.

    Raises:
        CancelledError: asked to stop.
    """
    documents = {each.id: each for each in generation.documents}
    quoted = [(part, each) for part in draft.parts for each in quotations(part.text)]
    candidates = []
    for _, quotation in quoted:
        cancel.check()
        # By BM25, for here words count and no meaning.
        scores = generation.lexical.scores([token.term for token in tokenise(quotation.text)])
        candidates.append(scores.best(_DEPTH).tolist())
    passages = passages_by_row((row for rows in candidates for row in rows), generation, with_boxes=False)
    altered, unknown = [], []
    for (part, quotation), rows in zip(quoted, candidates, strict=True):
        cancel.check()
        found = [passages[row] for row in rows]
        comparison = compared(quotation, [*found, *joined(found)])
        page, words = draft.page_of(part, quotation.span.start), " ".join(quotation.text.split())
        if not comparison.is_known:
            unknown.append(UnknownQuotation(words, page))
        if differs := comparison.difference:
            document = documents[differs.passage.document_id]
            passage = generation.passage(differs.passage.id) or differs.passage  # its first, if in two
            altered.append(AlteredQuotation(words, page, differs.here, differs.there, passage, document))
    return Quoted(tuple(altered), tuple(unknown), len(quoted))
