"""Pages made up line by line, for the tests of structure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.ingest.structure import structure
from briefbank.values.records import (
    BlockRole,
    Box,
    Line,
    Page,
    Reading,
    Section,
    SectionKind,
    StructuredDocument,
    TextSource,
    Word,
)

LEFT, RIGHT, TOP, PITCH, EM = 72.0, 540.0, 90.0, 28.0, 12.0
FULL = "The officer asked again whether he might look inside the trunk while the driver waited beside"
END = "the road for the licence check."


@dataclass(frozen=True)
class L:
    """A line to be laid out; `x` None centres it, `wide` stretches it to the right margin."""

    text: str
    x: float | None = LEFT
    y: float | None = None
    bold: bool = False
    underlined: bool = False
    size: float = EM
    gap: float = PITCH
    raised: str = ""
    right: float | None = None


def page(number: int, lines: Sequence[L | str], source: TextSource = TextSource.TEXT_LAYER) -> Page:
    """Lay lines out from the top of a letter page downwards, all words of a line equally spaced."""
    placed: list[Line] = []
    y = TOP - PITCH
    for item in lines:
        spec = item if isinstance(item, L) else L(item)
        y = spec.y if spec.y is not None else y + spec.gap
        texts = spec.text.split()
        natural = 0.5 * spec.size * len(spec.text)
        x0 = spec.x if spec.x is not None else (LEFT + RIGHT - natural) / 2
        x1 = spec.right if spec.right is not None else (RIGHT if len(spec.text) > 80 else x0 + natural)
        step = (x1 - x0) / max(1, len(spec.text))
        at = 0
        words = []
        for text in texts:
            box = Box(x0 + step * at, y - spec.size, x0 + step * (at + len(text)), y)
            words.append(Word(text, box, is_superscript=text == spec.raised))
            at += len(text) + 1
        placed.append(
            Line(tuple(words), Box(x0, y - spec.size, x1, y), spec.size, spec.bold, is_underlined=spec.underlined)
        )
    return Page(number, 612.0, 792.0, tuple(placed), source if placed else TextSource.NONE)


def structured(*pages: Sequence[L | str]) -> StructuredDocument:
    return structure(Reading(tuple(page(number, lines) for number, lines in enumerate(pages, 1))))


def texts(result: StructuredDocument, role: BlockRole) -> list[str]:
    return [result.text[b.span.start : b.span.end].rstrip() for b in result.blocks if b.role is role]


def section(result: StructuredDocument, kind: SectionKind) -> Section:
    return next(s for s in result.sections if s.kind is kind)


def number(label: str) -> L:
    return L(label, x=None, y=740.0)


HEAD = L("ARGUMENT", x=None, bold=True)
BODY = [L(FULL, x=LEFT + 36), FULL, FULL, END]


def scanned(*pages: Sequence[L | str]) -> StructuredDocument:
    laid = (page(number, lines, TextSource.OCR) for number, lines in enumerate(pages, 1))
    return structure(Reading(tuple(laid)))


def small(text: str, gap: float = 12.0) -> L:
    return L(text, size=10.0, gap=gap)
