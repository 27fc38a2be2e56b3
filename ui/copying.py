"""What a copied passage looks like: its words, then where they stand. Nothing generated comes here."""

from __future__ import annotations

from briefbank.records import Document, Passage
from ui.wording import day


def source_line(document: Document, page_first: int, page_last: int) -> str:
    """Return a citation line: title, court, docket, filing date and page, as far as they are known."""
    known = document.metadata
    named = [known.title.value]
    if known.court:
        named.append(known.court.value)
    if known.docket:
        docket = known.docket.value
        named.append(docket if docket.casefold().startswith(("no.", "nos.")) else f"No. {docket}")
    filed = f"filed {day(document.filed)}" if document.filed else "undated"
    cited = document.cited_pages(page_first, page_last)
    return f"{', '.join(named)} ({filed})" + (f", {cited}" if cited else "")


def copy_text(text: str, document: Document, page_first: int, page_last: int) -> str:
    """Return words of a document, followed by their source on a line of its own."""
    return f"{text.strip()}\n\n— {source_line(document, page_first, page_last)}\n"


def copy_passage(passage: Passage, document: Document) -> str:
    """Return a whole passage with its source."""
    return copy_text(passage.text, document, passage.page_first, passage.page_last)
