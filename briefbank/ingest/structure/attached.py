"""Puts the structure of files that lie in another one behind that of the other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from briefbank.platform.visible import shorten
from briefbank.values.page_numbers import attached_run
from briefbank.values.records import (
    AttachedPages,
    Block,
    BlockRole,
    Box,
    PlacedWord,
    PlacedWords,
    SectionKind,
    Span,
    StructuredDocument,
)

_BLANK_LINE = "\n\n"
_TOP = Box(0.0, 0.0, 0.0, 0.0)


def with_attached(
    own: StructuredDocument, files: Iterable[tuple[AttachedPages, StructuredDocument]]
) -> StructuredDocument:
    """The document with the text of each attached one under a heading. It is cited by the place of the file, and its
    words have places only where its pages can be shown. Nothing in it is a caption, which searches pass over: a report
    or a letter may be short lines alone.
    """
    pieces, length = [own.text], len(own.text)
    blocks, sections, words = list(own.blocks), list(own.sections), list(own.words)
    pages, runs = list(own.pages), list(own.page_runs)
    for at, inner in files:
        behind = at.first - 1
        pages += (replace(each, number=each.number + behind) for each in inner.pages)
        if own.has_pages:
            runs.append(attached_run(at.place, at.first, at.last, has_pages=at.has_pages))
        if not inner.text:
            continue
        if length:
            pieces.append(_BLANK_LINE)
            length += len(_BLANK_LINE)
            blocks[-1] = replace(blocks[-1], span=Span(blocks[-1].span.start, length))
            sections[-1] = replace(sections[-1], span=Span(sections[-1].span.start, length))
        heading, path, start = at.titles[-1], tuple(map(shorten, at.titles)), length
        pieces += (heading, _BLANK_LINE, inner.text)
        length += len(heading) + len(_BLANK_LINE)
        blocks.append(Block(Span(start, length), BlockRole.HEADING, at.first, at.first))
        for block in inner.blocks:
            on = block.page_first + behind, block.page_last + behind
            blocks.append(Block(_moved(block.span, length), block.role, *on))
        for index, section in enumerate(inner.sections):
            kind = SectionKind.BODY if section.kind is SectionKind.CAPTION else section.kind
            span = Span(section.span.start + length if index else start, section.span.end + length)
            sections.append(replace(section, span=span, kind=kind, path=path + section.path))
        titled = (_moved(Span(*match.span()), start) for match in re.finditer(r"\S+", heading))
        words += (PlacedWord(*span, at.first, _TOP) for span in titled)
        for word in inner.words:
            box = word.box if at.is_filed else Box(*word.box[:2], *word.box[:2])
            words.append(PlacedWord(word.start + length, word.end + length, word.page + behind, box))
        length += len(inner.text)
    return replace(
        own,
        text="".join(pieces),
        blocks=tuple(blocks),
        sections=tuple(sections),
        words=PlacedWords.of(words),
        pages=tuple(pages),
        page_runs=tuple(runs),
    )


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
