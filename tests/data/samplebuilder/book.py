"""Puts a sample on pages: cover, tables with the pages they point to, body; must not know file formats."""

from __future__ import annotations

import re
from dataclasses import dataclass

from samplebuilder.compose import Composer, Entry, headings
from samplebuilder.pages import Sheet, paginate
from samplebuilder.source import Authorities, Heading, Source, front_length, plain

HEIGHT_PT = 648.0
_ROMAN = "i ii iii iv v vi vii viii ix x xi xii".split()
_MANY_PAGES = 6
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Book:
    """A sample on pages. `labels` are the printed page numbers, empty on a cover; `entries` and `cited` its tables."""

    source: Source
    sheets: tuple[Sheet, ...]
    labels: tuple[str, ...]
    entries: tuple[Entry, ...]
    cited: dict[str, str]


def make_book(source: Source) -> Book:
    """Set a sample twice: first to learn on which pages things stand, then with those pages in its tables."""
    marks = {label: str(number) for number, label in enumerate(_notes_in_order(source), start=1)}
    composer = Composer(source, marks)
    notes = {label: composer.note(label, text) for label, text in source.notes.items()}
    front = front_length(source)
    body = paginate(composer.lines(source.blocks[front:], (), {}, front), notes, HEIGHT_PT)
    body_labels = [str(number) for number in range(1, len(body) + 1)]
    cited = _cited(source, body, body_labels)
    entries: tuple[Entry, ...] = ()
    ahead: list[Sheet] = []
    ahead_labels: list[str] = []
    for _ in range(3 if front else 0):
        ahead = paginate(composer.lines(source.blocks[:front], entries, cited, 0), notes, HEIGHT_PT)
        ahead_labels = ["", *_ROMAN[: len(ahead) - 1]]
        entries = _entries(source, [*ahead, *body], [*ahead_labels, *body_labels])
    return Book(source, (*ahead, *body), (*ahead_labels, *body_labels), entries, cited)


def _notes_in_order(source: Source) -> list[str]:
    return sorted(source.notes, key=lambda label: (len(label), label))


def _entries(source: Source, sheets: list[Sheet], labels: list[str]) -> tuple[Entry, ...]:
    at_page = {
        line.anchor: label
        for sheet, label in zip(sheets, labels, strict=True)
        for _, line in sheet.body
        if line.anchor >= 0
    }
    return tuple(
        Entry(_entry_text(heading), at_page.get(at, ""), heading.level, heading.number)
        for at, heading in headings(source.blocks)
        if heading.text not in ("TABLE OF CONTENTS", "CONTENTS")
    )


def _entry_text(heading: Heading) -> str:
    return heading.text.upper() if heading.level == 2 else heading.text


def _cited(source: Source, body: list[Sheet], labels: list[str]) -> dict[str, str]:
    texts = [_plain(sheet.text) for sheet in body]
    pages = list(zip(texts, [after[:_LONGEST_NAME] for after in [*texts[1:], ""]], strict=True))
    found: dict[str, str] = {}
    for block in source.blocks:
        for entry in (text for _, group in block.groups for text in group) if isinstance(block, Authorities) else ():
            name = _plain(re.split(r"[,|]", entry)[0])
            on = [label for page, label in zip(pages, labels, strict=True) if _names(page, name)]
            found[entry] = "passim" if len(on) >= _MANY_PAGES else ", ".join(on)
    return found


def _plain(text: str) -> str:
    return plain(text).replace("’", "'").replace("  ", " ")


def _names(page: tuple[str, str], name: str) -> bool:
    """Return whether a name begins on a page; it may end on the next, whose beginning comes with it."""
    text, after = page
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\d|[:-]\d)", f"{text.rstrip()} {after}")
    return bool(found) and found.start() < len(text)
