"""One page of a PDF to lines of words, and whether its text layer will do; knows MuPDF's structures, not files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from briefbank.ingest.readers.lines import Fragment, join_fragments
from briefbank.ingest.readers.mupdf import import_pymupdf
from briefbank.ingest.readers.text_quality import is_usable
from briefbank.values.records import Box, Page, TextSource, Word

_SUPERSCRIPT, _ITALIC, _BOLD = 1, 2, 16
_UNDERLINED, _FILLED, _STROKED = 2, 16, 32
"""Bits of MuPDF's `flags` (first line) and `char_flags` (second) of a span."""

_TOKEN = re.compile(r"[^\x00-\x20\xa0\u202a-\u202e]+")
"""What MuPDF takes for a word when it lists words with their boxes."""

_SHAPE = re.compile(rb"\s(?:re|l|h|c)\s+(?:f\*?|F|[Ss]|[Bb]\*?)\s")
"""The end of a path that is filled or stroked, in a page's content stream."""

_FEW_WORDS = 100
"""Words below which the pictures of a page are looked at: a stamp over a scan has fewer."""

_FEW_HIDDEN_WORDS = 12
"""The same for an unseen layer, which is a whole page's OCR unless it is next to nothing."""

_SCAN_SHARE = 0.5
_PICTURE_SHARE = 0.03
"""Share of the page that pictures must cover to be taken for a scan, and to be looked into where there is no text."""

_OUTLINES = 40
"""Filled shapes from which a page without text may be text drawn as shapes."""


def read_page(source: Any, number: int) -> tuple[Page, bool]:
    """Read a `pymupdf.Page`; the second value tells whether OCR should read the page.

    A text layer that is not usable is left out, so the lines of a page meant for OCR are worth keeping: filing stamps.
    """
    text_page = source.get_textpage(flags=_flags(source))
    blocks = text_page.extractDICT()["blocks"]
    fragments = list(_fragments(blocks, text_page.extractWORDS()))
    turn = _turn(blocks, source.rotation)
    matrix, width, height = _placement(source, turn)
    if matrix is not None:
        fragments = [_moved(fragment, matrix) for fragment in fragments]
    lines = join_fragments(fragments)
    words = [word.text for line in lines for word in line.words]
    is_hidden = _is_hidden(blocks)
    is_debris = bool(words) and not is_usable(words, is_hidden=is_hidden)
    needs_ocr = is_debris or _is_picture(source, len(words), is_hidden=is_hidden)
    if not words or is_debris or (needs_ocr and is_hidden):
        return Page(number, source.rect.width, source.rect.height, (), TextSource.NONE), needs_ocr
    return Page(number, width, height, lines, TextSource.TEXT_LAYER, rotation_deg=turn), needs_ocr


def _flags(source: Any) -> int:
    """Underlines are looked for only where shapes are drawn: that takes MuPDF four times as long as the text alone."""
    pymupdf = import_pymupdf()

    has_shapes = _SHAPE.search(source.read_contents()) or source.get_xobjects()
    return int(pymupdf.TEXT_MEDIABOX_CLIP | (pymupdf.TEXT_COLLECT_STYLES if has_shapes else 0))


def _fragments(blocks: Sequence[dict[str, Any]], boxed: Sequence[tuple[Any, ...]]) -> Iterator[Fragment]:
    """Pair each line's spans (fonts) with MuPDF's word boxes, which come in the same order."""
    at: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
    for word in boxed:
        at.setdefault((word[5], word[6]), []).append(word)
    for block in blocks:
        for index, line in enumerate(block.get("lines", ())):
            words = _words(line["spans"], at.get((block["number"], index), []))
            if words:
                yield _fragment(line["spans"], words)


def _words(spans: Sequence[dict[str, Any]], boxed: Sequence[tuple[Any, ...]]) -> list[Word]:
    """Cut a line into words; a change to or from superscript ends a word too, so that note marks stand alone."""
    text = "".join(span["text"] for span in spans)
    tokens = list(_TOKEN.finditer(text))
    if len(tokens) != len(boxed):
        return [_word(span, span["bbox"], token.group()) for span in spans for token in _TOKEN.finditer(span["text"])]
    if not any((span["flags"] ^ spans[0]["flags"]) & (_SUPERSCRIPT | _ITALIC) for span in spans):
        return [_word(spans[0], boxed_word[:4], boxed_word[4]) for boxed_word in boxed]
    words: list[Word] = []
    starts = _span_starts(spans)
    index = 0
    for token, boxed_word in zip(tokens, boxed, strict=True):
        while index + 1 < len(spans) and starts[index + 1] <= token.start():
            index += 1
        words.extend(_pieces(token, Box(*boxed_word[:4]), spans, starts, index))
    return words


def _span_starts(spans: Sequence[dict[str, Any]]) -> list[int]:
    starts, position = [], 0
    for span in spans:
        starts.append(position)
        position += len(span["text"])
    return starts


def _pieces(
    token: re.Match[str], box: Box, spans: Sequence[dict[str, Any]], starts: Sequence[int], first: int
) -> Iterator[Word]:
    span, start, x0 = spans[first], token.start(), box.x0
    for index in range(first + 1, len(spans)):
        if starts[index] >= token.end():
            break
        if (spans[index]["flags"] ^ span["flags"]) & _SUPERSCRIPT and starts[index] > start:
            cut = min(max(spans[index]["bbox"][0], x0), box.x1)
            yield _word(span, (x0, box.y0, cut, box.y1), token.string[start : starts[index]])
            span, start, x0 = spans[index], starts[index], cut
    yield _word(span, (x0, box.y0, box.x1, box.y1), token.string[start : token.end()])


def _word(span: dict[str, Any], box: Sequence[float], text: str) -> Word:
    flags = span["flags"]
    return Word(text, Box(*box), 1.0, bool(flags & _SUPERSCRIPT), bool(flags & _ITALIC))


def _fragment(spans: Sequence[dict[str, Any]], words: Sequence[Word]) -> Fragment:
    letters = bold = italic = underlined = 0
    main, most = spans[0], -1
    for span in spans:
        count = len(span["text"].strip())
        letters += count
        bold += count if span["flags"] & _BOLD else 0
        italic += count if span["flags"] & _ITALIC else 0
        underlined += count if span["char_flags"] & _UNDERLINED else 0
        if count > most:
            main, most = span, count
    box = Box.around(word.box for word in words)
    return Fragment(tuple(words), box, main["size"], main["origin"][1], letters, bold, italic, underlined)


def _turn(blocks: Sequence[dict[str, Any]], rotation: int) -> int:
    """Degrees clockwise by which the page, as a viewer shows it, must be turned to read most of its text upright."""
    weights = [0, 0, 0, 0]
    for block in blocks:
        for line in block.get("lines", ()):
            dx, dy = line["dir"]
            quarter = (0 if dx > 0 else 2) if abs(dx) >= abs(dy) else (1 if dy > 0 else 3)
            weights[(quarter + rotation // 90) % 4] += sum(len(span["text"]) for span in line["spans"])
    return 90 * ((4 - max(range(4), key=lambda quarter: (weights[quarter], -quarter))) % 4)


def _placement(source: Any, turn: int) -> tuple[Any, float, float]:
    """The matrix from MuPDF's unrotated text space to the page as read (None if they are one), and that page's size."""
    pymupdf = import_pymupdf()

    shown = source.rect
    if not turn:
        return (source.rotation_matrix if source.rotation else None), shown.width, shown.height
    turned = pymupdf.Matrix(1, 1).prerotate(turn)
    corner = (shown * turned).top_left
    matrix = source.rotation_matrix * turned * pymupdf.Matrix(1, 0, 0, 1, -corner.x, -corner.y)
    sizes = (shown.width, shown.height) if turn == 180 else (shown.height, shown.width)
    return matrix, *sizes


def _moved(fragment: Fragment, matrix: Any) -> Fragment:
    words = tuple(
        Word(word.text, _moved_box(word.box, matrix), word.confidence, word.is_superscript, word.is_italic)
        for word in fragment.words
    )
    box = Box.around(word.box for word in words)
    style = (fragment.letters, fragment.bold, fragment.italic, fragment.underlined)
    return Fragment(words, box, fragment.size_pt, box.y1 - 0.2 * fragment.size_pt, *style)


def _moved_box(box: Box, matrix: Any) -> Box:
    pymupdf = import_pymupdf()

    return Box(*(pymupdf.Rect(box) * matrix))


def _is_hidden(blocks: Sequence[dict[str, Any]]) -> bool:
    """Whether most letters are drawn invisibly, as OCR programs do over a scan."""
    hidden = shown = 0
    for block in blocks:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                if span["char_flags"] & (_FILLED | _STROKED):
                    shown += len(span["text"])
                else:
                    hidden += len(span["text"])
    return hidden > shown


def _is_picture(source: Any, word_count: int, *, is_hidden: bool) -> bool:
    """Whether pictures, or text drawn as shapes, may say what the page's few words do not."""
    if word_count >= (_FEW_HIDDEN_WORDS if is_hidden else _FEW_WORDS):
        return False
    pictures, outlines = _drawn(source)
    if word_count:
        return pictures >= _SCAN_SHARE
    return pictures >= _PICTURE_SHARE or outlines >= _OUTLINES


def _drawn(source: Any) -> tuple[float, int]:
    """The share of the page that pictures cover (overlaps counted twice, at most 1), and how many shapes are filled."""
    bounds = source.cropbox
    area = max(1.0, abs(bounds.width * bounds.height))
    covered, outlines = 0.0, 0
    for kind, (x0, y0, x1, y1) in source.get_bboxlog():
        if kind in ("fill-image", "fill-imgmask"):
            width = min(x1, bounds.x1) - max(x0, bounds.x0)
            height = min(y1, bounds.y1) - max(y0, bounds.y0)
            covered += max(0.0, width) * max(0.0, height)
        elif kind == "fill-path":
            outlines += 1
    return min(1.0, covered / area), outlines
