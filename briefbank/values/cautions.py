"""What must stay with a passage wherever its words go: what the office's list says of cases that it cites, and how
surely a scan was read. Knows the records alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from briefbank.values.records import Hit, Passage

LOW_OCR_CONFIDENCE = 0.9
"""Below this a scanned passage is to be compared with its page before it is quoted. Chosen, not measured: Tesseract's
confidence is that of words, so that here one word in ten is in doubt."""


def cautions_of(passage: Passage, warnings: Iterable[str]) -> tuple[str, ...]:
    """Return a line for people for each thing to be known of a passage; `warnings` are as in `Hit`."""
    return caution_lines(warnings, passage.ocr_confidence, is_unseen=passage.is_unseen)


def caution_lines(warnings: Iterable[str], ocr_confidence: float | None, *, is_unseen: bool = False) -> tuple[str, ...]:
    """Return these lines for words of any pages; `ocr_confidence` (0 to 1) is that of the worst page, None for none.
    `is_unseen` where some are of a layer that the page does not show.
    """
    lines = [f"{warning[:1].upper()}{warning[1:]}" for warning in warnings]
    if ocr_confidence is not None and ocr_confidence < LOW_OCR_CONFIDENCE:
        lines.append(f"Read by OCR, {100 * ocr_confidence:.0f} % sure: check against the page")
    if is_unseen:
        lines.append("Not read from the picture but from a layer that nobody sees: check against the page")
    return tuple(lines)


def cautions_of_hit(hit: Hit) -> tuple[str, ...]:
    """Return those of a result."""
    return cautions_of(hit.passage, hit.warnings)


def in_brackets(cautions: Iterable[str]) -> str:
    """Return the lines as they stand below a source: each in brackets on a line of its own."""
    return "".join(f"[{line}]\n" for line in cautions)
