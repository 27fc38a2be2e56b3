"""Made-up results for tests that show or record them: no bank, no engine."""

from __future__ import annotations

from briefbank.values.records import (
    Document,
    Fact,
    Hit,
    Metadata,
    Passage,
    Query,
    SearchResult,
    SectionKind,
    Span,
)


def hit(number: int, *, text: str = "") -> Hit:
    """Return the hit of rank `number`: a passage of a brief of its own."""
    text = text or f"Passage {number} speaks of the stop."
    metadata = Metadata(Fact(f"State v. Client {number}", "caption, page 1"), Fact("brief", "caption, page 1"))
    document = Document(f"doc{number}", f"/briefs/{number}.pdf", f"{number:064x}", metadata, 9, 0, None, 40)
    span = Span(100, 100 + len(text))
    passage = Passage(f"doc{number}-3", document.id, 3, span, text, SectionKind.ARGUMENT, ("POINT I",), 2, 3)
    return Hit(number, 1.0 / number, passage, document, (Span(0, 7),), "one word")


def result(query: Query | str, *numbers: int, generation: str = "20240101T000000") -> SearchResult:
    """Return what a search answered: the hits of these ranks, in this order on the screen."""
    asked = Query(query) if isinstance(query, str) else query
    return SearchResult(asked, generation, 12.5, tuple(hit(number) for number in numbers))
