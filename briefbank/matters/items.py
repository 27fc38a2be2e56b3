"""What can stand in a matter: a passage of a brief word for word, a note, a heading.

There is no item for anything else: what a language model wrote has neither a document nor a passage, and the text of a
passage is held to the digest taken when it was collected. Knows the records and how sources are written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from typing import Annotated

import msgspec

from briefbank.errors import UsageError
from briefbank.values.collected import CollectedWords
from briefbank.values.pages import Typography
from briefbank.values.records import Document, Passage, Span
from briefbank.values.source_format import Source, SourceFormat

_Level = Annotated[int, msgspec.Meta(ge=1, le=3)]


class PassageItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="passage"):
    """Words of a brief, and all that was known of them when they were collected: an index may change or go.

    `italics` are ranges of `text`, None where nobody knows what of it is italic; `quotes` are its block quotations,
    `bold` and `underlined` what is so, as far as they are known. `pages` is as people cite them, empty where the file
    has none. `cautions` are lines that must stay with the words. `is_excerpt`: less than the passage.
    """

    text: str
    text_sha256: str
    title: str
    document_id: str
    document_sha256: str
    passage_id: str
    kind: str = ""
    court: str = ""
    docket: str = ""
    filed: str = ""
    """An ISO date, or empty."""
    author: str = ""
    pages: str = ""
    section: tuple[str, ...] = ()
    italics: tuple[Span, ...] | None = None
    cautions: tuple[str, ...] = ()
    ocr_confidence: float | None = None
    is_excerpt: bool = False
    quotes: tuple[Span, ...] = ()
    bold: tuple[Span, ...] = ()
    underlined: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        """Refuse words that are not those that were collected. Raises ValueError."""
        if not self.text.strip() or self.text_sha256 != _sha256(self.text):
            raise ValueError("the passage's text is not the one that was collected")
        if not self.document_id or not self.passage_id:
            raise ValueError("a passage has a document and an id")
        for spans in (self.italics or (), self.quotes, self.bold, self.underlined):
            ends = [0, *(offset for span in spans for offset in span), len(self.text)]
            if ends != sorted(ends):
                raise ValueError("what is printed otherwise does not lie in the passage's text")


class NoteItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="note"):
    """What a person wrote between passages."""

    text: str


class HeadingItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="heading"):
    """A heading of the person's own; level 1 is the outermost."""

    text: str
    level: _Level = 1


Item = PassageItem | NoteItem | HeadingItem
OwnText = NoteItem | HeadingItem
"""What a person wrote, and may write anew."""


def passage_item(
    passage: Passage, document: Document, *, printed: Typography | None = None, cautions: Sequence[str] = ()
) -> PassageItem:
    """Return a whole passage as it is collected; `printed` are ranges of its text."""
    return _item(passage, document, passage.text, printed, cautions)


def excerpt_item(
    text: str,
    passage: Passage,
    document: Document,
    *,
    pages: tuple[int, int],
    printed: Typography | None = None,
    cautions: Sequence[str] = (),
) -> PassageItem:
    """Return words selected on the pages of a passage's document; `pages` are the first and last that they stand on,
    `printed` ranges of `text`, around which nothing is blank.
    """
    return _item(passage, document, text.strip(), printed, cautions, pages=pages)


def _item(
    passage: Passage,
    document: Document,
    text: str,
    printed: Typography | None,
    cautions: Sequence[str],
    pages: tuple[int, int] | None = None,
) -> PassageItem:
    if passage.document_id != document.id:
        raise UsageError("The passage is not of that document.")
    known, printed = document.metadata, printed or Typography()
    first, last = pages or (passage.page_first, passage.page_last)
    return PassageItem(
        text=text,
        text_sha256=_sha256(text),
        title=known.title.value,
        document_id=document.id,
        document_sha256=document.sha256,
        passage_id=passage.id,
        kind=known.kind.value,
        court=known.court.value if known.court else "",
        docket=known.docket.value if known.docket else "",
        filed=known.filed.value if known.filed else "",
        author=known.author.value if known.author else "",
        pages=document.cited_pages(first, last),
        section=() if pages else passage.section_path,  # selected words may stand elsewhere in the document
        italics=printed.italics,
        cautions=tuple(cautions),
        ocr_confidence=None if pages else passage.ocr_confidence,
        is_excerpt=pages is not None,
        quotes=printed.quotes,
        bold=printed.bold,
        underlined=printed.underlined,
    )


def source_of_item(item: PassageItem) -> Source:
    """Return where a passage says that it comes from."""
    filed = date.fromisoformat(item.filed) if item.filed else None
    return Source(item.title, item.court, item.docket, filed, item.pages, item.kind, item.author)


def collected_words(item: PassageItem) -> CollectedWords:
    """Return what a bank is asked about a passage."""
    return CollectedWords(item.text, item.document_sha256, source_of_item(item), item.is_excerpt, item.cautions)


def source_line(item: PassageItem, source_format: SourceFormat) -> str:
    """Return that source as it is written."""
    return source_format.line(source_of_item(item))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
