"""One page of a PDF as a picture: for the OCR server (`render`), and turned upright, straightened and read by Tesseract
(`ocr_page`), whose words are put into points again.

For workers that may die (`briefbank.ingest.worker`); must not know servers.
"""

from __future__ import annotations

import base64
import math
import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from briefbank.errors import DamagedFileError, TooLargeError, TooSlowError
from briefbank.ingest.beneath import Readable
from briefbank.ingest.ocr.image import Grey, Upright, ink_of, is_blank, is_sideways, turned
from briefbank.ingest.ocr.olmocr.merge import Ink, ScanPicture
from briefbank.ingest.ocr.tesseract import Layout, find_orientation, recognise
from briefbank.ingest.ocr.type import fragments_of
from briefbank.ingest.readers.lines import join_fragments
from briefbank.ingest.readers.mupdf import import_pymupdf
from briefbank.ingest.readers.pdf import load_page
from briefbank.ingest.readers.pdf_file import guarded, opened_pdf
from briefbank.ingest.readers.pdf_page import read_page
from briefbank.ingest.readers.pictures import is_large_enough, is_of_text
from briefbank.ingest.structure.printed import PAGE_NUMBER
from briefbank.platform.settings import Settings
from briefbank.values.records import Box, Line, Page, TextSource, Word

_MUPDF = Lock()
"""MuPDF works for one thread at a time."""

_MAX_PIXELS = 30_000_000
"""A legal page at 600 dpi has 43 million; larger sheets are rendered more coarsely instead of exhausting memory."""

_LONGEST_PX = 1_288
"""The longer side of the picture that an OCR server is sent: what olmOCR's models were trained on."""

_LARGEST_PT = 3_000
"""Sides of a picture in a file without pages; no sheet is longer."""

_LEAST_DPI = 200
_SCAN_SHARE = 0.5
"""Share of the page that a picture must cover for its own resolution to be the page's."""

_SURE = 0.80
"""Mean confidence from which a page is taken to be the right way up; upside down, clean pages reach about 0.4."""

_SURE_OSD = 2.0
"""Confidence from which the program's own judgement of orientation is followed."""

_NUMBER_TIMEOUT_S = 10.0
"""Reading a page number takes a tenth of a second; where it hangs the page goes without."""

_SURE_NUMBER = 0.6
"""Confidence from which a page number is taken as read: those of the scanned samples have 0.72 to 0.97, specks below
0.3. Whether it fits those of the other pages is found out later."""

_COLUMN_EM = 6.0
"""Width of a line of a column in letter sizes: Tesseract takes the labels and page numbers of tables for columns."""

_SURE_PICTURE, _LEAST_READ = 0.75, 0.25
"""Confidence from which what was read of a picture on a typed page is its text, and the share of its ink that must have
been read for no more to be said of it. Of pasted reports .74 to .94 of the ink is read, of forms .35, of handwriting
and maps .09; the confidence was chosen, not measured."""

_FEW_LETTERS, _SURE_FEW, _SURE_SOME = 12, 0.7, 0.6
"""Confidence that a page must reach to hold words at all, with fewer letters than the first figure and with more:
specks, borders and photographs read as short, unsure words, and handwriting reads as nonsense at 0.45 to 0.58."""


# Page numbers that stand alone, which Tesseract's layout takes for specks. Chosen on the scanned samples (23 November
# 2026): of 54 page numbers on them the layout finds 11, and this 37 more.
_HEAD_SHARE, _FOOT_SHARE = 0.12, 0.87
"""Shares of the page's height above and below which page numbers stand."""
_CLEAR_PT = 3.0
"""Space between the text and what stands alone, and between the rows of what does."""
_APART_PT = 10.0
"""Space between two things that stand side by side."""
_HEIGHT_PT, _WIDTH_PT = (4.5, 18.0), (1.0, 60.0)
"""Least and greatest height and width of a number with the strokes or the word around it."""
_MOST_TRIED = 2
"""At each end of a page; a page with more of them there is speckled or written on."""
_PAD_PT = 10.0
"""White paper around the picture of a number, without which Tesseract reads nothing."""


class _Ink(NamedTuple):
    """A stretch of a page that may be a number, in pixels, and how many of its pixels are dark."""

    left: int
    top: int
    width: int
    height: int
    dark: int


def ocr_page(path: Readable, page_number: int, settings: Settings) -> Page:
    """Render a page of a PDF and read it; good lines of its text layer (a filing stamp) stay in the result. Of a page
    of typed text the pictures of text alone are read, into the places where they stand.

    Boxes are in points of the page turned upright, `rotation_deg` clockwise from how a viewer shows it. A page on which
    no words are found has no lines and the source NONE.

    Raises:
        SourceError: the file cannot be opened or the page not be rendered.
        TooSlowError: Tesseract ran into `ocr_page_timeout_s`.
        OcrMissingError: Tesseract is not installed or lacks the language.
    """
    with _loaded(path, page_number) as source:
        layer, is_scan = read_page(source, page_number, with_unseen_layer=False)
        pixels, zoom = _render(source, settings.ocr_dpi)
    if layer.pictures and not is_scan:
        return _with_pictures(layer, pixels, zoom, settings)
    if is_blank(pixels):
        return layer
    upright, lines = _read_upright(pixels, zoom, layer, settings)
    if _is_noise(lines):
        return layer
    lines = _with_page_number(upright, lines, settings)
    width, height = upright.size_pt
    turn = 90 * upright.quarters
    merged = _with_layer(lines, _turned_lines(layer, turn))
    confidence = round(_confidence(merged), 4)
    size = round(width, 2), round(height, 2)
    return Page(page_number, *size, merged, TextSource.OCR, confidence, turn, layer.left_out, layer.blacked_out)


def render(path: Readable, page_number: int, turn_deg: int) -> ScanPicture:
    """Render a page of a PDF for an OCR server, turned clockwise by `turn_deg` (0, 90, 180 or 270).

    Raises:
        SourceError: the file cannot be opened or the page not be rendered.
    """
    pymupdf = import_pymupdf()
    with _loaded(path, page_number) as source:
        zoom = _LONGEST_PX / max(source.rect.width, source.rect.height, 1.0)
        picture = source.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom).prerotate(turn_deg), alpha=False)
        png = picture.tobytes("png")
        pixels = _pixels(pymupdf.Pixmap(pymupdf.csGRAY, picture))
    dark = ink_of(pixels)
    ink = Ink(0.0, turn_deg=turn_deg)
    if dark.any():
        rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
        height, width = dark.shape
        left, right = float(columns[0]) / width, float(columns[-1] + 1) / width
        top, bottom = float(rows[0]) / height, float(rows[-1] + 1) / height
        ink = Ink(float(dark.mean()), left, top, right, bottom, turn_deg)
    return ScanPicture(base64.b64encode(png).decode("ascii"), ink, is_blank(pixels))


@contextmanager
def _loaded(path: Readable, page_number: int) -> Iterator[Any]:
    with _MUPDF, opened_pdf(path) as pdf, guarded(path):
        yield load_page(pdf, page_number)


def _pixels(pixmap: Any) -> Grey:
    samples = np.frombuffer(pixmap.samples, dtype=np.uint8)
    return samples.reshape(pixmap.height, pixmap.stride)[:, : pixmap.width].copy()


def _render(source: Any, dpi: int) -> tuple[Grey, float]:
    """The page in grey, and its pixels per point."""
    pymupdf = import_pymupdf()
    points = max(1.0, source.rect.width * source.rect.height)
    zoom = min(_useful_dpi(source, dpi) / 72, math.sqrt(_MAX_PIXELS / points))
    pixmap = source.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False)
    return _pixels(pixmap), zoom


def _useful_dpi(source: Any, most: int) -> float:
    """The resolution of the scan that fills the page, within bounds: enlarging it costs time and finds nothing more."""
    for image in source.get_image_info():
        x0, y0, x1, y1 = image["bbox"]
        if (x1 - x0) * (y1 - y0) >= _SCAN_SHARE * source.rect.width * source.rect.height:
            longer = 72 * max(image["width"], image["height"]) / max(x1 - x0, y1 - y0)
            return float(min(most, max(_LEAST_DPI, longer)))
    return most


def _read_upright(pixels: Grey, zoom: float, layer: Page, settings: Settings) -> tuple[Upright, tuple[Line, ...]]:
    """Read the page the right way up. Other ways are tried only where the first reading is unsure of itself.

    Where OCR finds less than the text layer holds (a photograph over its caption), the layer says which way is up.
    """
    deadline = time.thread_time() + settings.ocr_page_timeout_s
    first = 1 if is_sideways(pixels) else 0
    upright = turned(pixels, first, zoom)
    readings = [(upright, _read(upright, settings, deadline))]
    if _confidence(readings[0][1]) < _SURE:
        for quarters in _other_ways(upright):
            other = turned(pixels, quarters, zoom)
            readings.append((other, _read(other, settings, deadline)))
    upright, lines = max(readings, key=lambda reading: sum(_weights(reading[1])))
    if sum(_weights(lines)) < sum(_weights(layer.lines)) and layer.rotation_deg != 90 * upright.quarters:
        upright = turned(pixels, layer.rotation_deg // 90, zoom)
        lines = _read(upright, settings, deadline)
    return upright, lines


def _other_ways(upright: Upright) -> tuple[int, ...]:
    """Quarters clockwise worth a try too: what Tesseract's orientation check says if it is sure, else upside down."""
    found = find_orientation(upright)
    if found is None or found[1] < _SURE_OSD:
        return ((upright.quarters + 2) % 4,)
    quarters, _ = found
    return ((upright.quarters + quarters) % 4,) if quarters else ()


def _read(upright: Upright, settings: Settings, deadline: float) -> tuple[Line, ...]:
    lines = recognise(upright, settings.ocr_language, deadline)
    return join_fragments(fragments_of(lines, upright), column_em=_COLUMN_EM)


def _with_pictures(layer: Page, pixels: Grey, zoom: float, settings: Settings) -> Page:
    """The page with the lines of its pictures of text; those that cannot be read for certain stay named in it."""
    pixels = np.rot90(pixels, -layer.rotation_deg // 90)
    lines, found, unread = list(layer.lines), [], []
    for place in layer.pictures:
        left, top, right, bottom = (max(0, round(edge * zoom)) for edge in place)
        cut = np.ascontiguousarray(pixels[top:bottom, left:right])
        inside, is_whole = _read_picture(cut, zoom, settings)
        if not is_whole:
            unread.append(place)
        shifted = [_shifted(line, place) for line in inside]
        found += shifted
        below = next((at for at, line in enumerate(lines) if line.box.y0 >= (place.y0 + place.y1) / 2), len(lines))
        lines[below:below] = shifted
    confidence = round(_confidence(found), 4) if found else None
    return replace(layer, lines=tuple(lines), ocr_confidence=confidence, pictures=tuple(unread))


def _read_picture(pixels: Grey, zoom: float, settings: Settings) -> tuple[tuple[Line, ...], bool]:
    """The lines of a picture of text, none where they are not certain, and whether they are all that it says."""
    upright, lines = _read_upright(pixels, zoom, Page(1, 0.0, 0.0, (), TextSource.NONE), settings)
    if sum(len(line.text) for line in lines) < _FEW_LETTERS:
        return (), True
    if _confidence(lines) < _SURE_PICTURE:
        return (), False
    is_whole = _ink_read(upright, lines) >= _LEAST_READ
    read = Page(1, *upright.size_pt, lines, TextSource.OCR, None, 90 * upright.quarters)
    return _turned_lines(read, 0), is_whole


def read_picture(
    data: bytes, width_pt: float, height_pt: float, settings: Settings
) -> tuple[tuple[Line, ...], float | None, bool]:
    """Read a picture file that is shown in that size: its lines, how sure OCR is of them, and whether they are all that
    it says; as if it said nothing where it is no picture of text.

    Raises:
        SourceError: it is damaged, too large, of a kind that is not known, or OCR runs out of time.
        OcrMissingError: Tesseract is not installed or lacks the language.
    """
    from PIL import Image

    try:
        with Image.open(BytesIO(data), formats=("PNG", "JPEG", "GIF", "BMP", "TIFF")) as picture:
            if picture.width * picture.height > _MAX_PIXELS:
                raise TooLargeError("A picture has too many pixels.", "Save it smaller.")
            paper = Image.new("RGBA", picture.size, "white")
            paper.alpha_composite(picture.convert("RGBA"))
            grey = paper.convert("L")
    except (OSError, ValueError, SyntaxError, EOFError, TypeError, struct.error) as error:
        raise DamagedFileError("A picture is damaged.", "Put it in again.") from error
    if max(width_pt, height_pt) > _LARGEST_PT:
        raise TooLargeError("A picture is shown larger than any sheet.", "Make it smaller.")
    shown = round(width_pt), round(height_pt)
    if not is_large_enough(*shown) or not is_of_text(np.asarray(grey.resize(shown))):
        return (), None, True
    zoom = min(settings.ocr_dpi / 72, math.sqrt(_MAX_PIXELS / (width_pt * height_pt)))
    pixels = np.asarray(grey.resize((round(width_pt * zoom), round(height_pt * zoom))))
    lines, is_whole = _read_picture(pixels, zoom, settings)
    return lines, round(_confidence(lines), 4) if lines else None, is_whole


def _ink_read(upright: Upright, lines: Sequence[Line]) -> float:
    """The share of the ink of a picture that is in the lines that were read."""
    ink = ink_of(upright.pixels)
    total = int(ink.sum())
    for line in lines:
        left, top, right, bottom = (max(0, round(edge * upright.zoom)) for edge in line.box)
        ink[top:bottom, left:right] = False
    return 1 - int(ink.sum()) / max(1, total)


def _shifted(line: Line, by: Box) -> Line:
    def moved(box: Box) -> Box:
        return Box(box.x0 + by.x0, box.y0 + by.y0, box.x1 + by.x0, box.y1 + by.y0)

    words = tuple(replace(word, box=moved(word.box)) for word in line.words)
    return replace(line, words=words, box=moved(line.box))


def _with_page_number(upright: Upright, lines: tuple[Line, ...], settings: Settings) -> tuple[Line, ...]:
    """The lines with a page number that Tesseract passed over as a speck: what stands alone is read by itself."""
    head, foot = _lone_ink(upright, lines)
    above = (line for ink in head if (line := _number_in(upright, ink, settings)))
    below = (line for ink in foot if (line := _number_in(upright, ink, settings)))
    return (*above, *lines, *below)


def _number_in(upright: Upright, ink: _Ink, settings: Settings) -> Line | None:
    """The line of a page number, if the ink is one."""
    # On white paper of its own, without the specks around it.
    cut = upright.pixels[ink.top : ink.top + ink.height, ink.left : ink.left + ink.width]
    picture = replace(upright, pixels=np.pad(cut, int(_PAD_PT * upright.zoom), constant_values=255))
    try:
        read = recognise(picture, settings.ocr_language, time.thread_time() + _NUMBER_TIMEOUT_S, Layout.ONE_LINE)
    except TooSlowError:
        return None
    words = [word for line in read for word in line if word.text.strip()]
    text = " ".join(word.text.strip() for word in words)
    confidence = min((word.confidence for word in words), default=0.0)
    if confidence < _SURE_NUMBER or not PAGE_NUMBER.fullmatch(text):
        return None
    place = ink.left, ink.top, ink.width, ink.height
    return Line((Word(text, upright.to_points(*place), confidence),), upright.straight_points(*place))


def _lone_ink(upright: Upright, lines: Sequence[Line]) -> tuple[list[_Ink], list[_Ink]]:
    """What stands alone above the highest and below the lowest of the lines that were read, the darkest first."""
    zoom, rows = upright.zoom, len(upright.pixels)
    first = min((line.box.y0 for line in lines), default=0.0) - _CLEAR_PT
    last = max((line.box.y1 for line in lines), default=rows / zoom) + _CLEAR_PT
    ink = ink_of(upright.pixels)
    head = _numbers(ink, 0, int(min(first * zoom, _HEAD_SHARE * rows)), zoom)
    foot = _numbers(ink, int(max(last * zoom, _FOOT_SHARE * rows)), rows, zoom)
    return head, foot


def _numbers(ink: npt.NDArray[np.bool_], top: int, end: int, zoom: float) -> list[_Ink]:
    found = [
        each
        for each in _pieces(ink, top, end, zoom)
        if _HEIGHT_PT[0] <= each.height / zoom <= _HEIGHT_PT[1] and _WIDTH_PT[0] <= each.width / zoom <= _WIDTH_PT[1]
    ]
    return sorted(found, key=lambda each: (-each.dark, each.left))[:_MOST_TRIED]


def _pieces(ink: npt.NDArray[np.bool_], top: int, end: int, zoom: float) -> Iterator[_Ink]:
    """Everything between two rows of the picture that is apart from the rest."""
    if top >= end:
        return
    for above, below in _runs(ink[top:end].sum(axis=1), _CLEAR_PT * zoom):
        band = ink[top + above : top + below]
        for left, right in _runs(band.sum(axis=0), _APART_PT * zoom):
            rows = np.flatnonzero(band[:, left:right].any(axis=1))
            first, last = int(rows[0]), int(rows[-1]) + 1
            dark = int(band[first:last, left:right].sum())
            yield _Ink(left, top + above + first, right - left, last - first, dark)


def _runs(dark: npt.NDArray[np.int_], gap_px: float) -> Iterator[tuple[int, int]]:
    """The stretches with ink, joined over gaps that are no wider: first place, and the one behind the last."""
    places = np.flatnonzero(dark)
    if not len(places):
        return
    cuts = np.flatnonzero(np.diff(places) > gap_px)
    for first, last in zip((0, *(cuts + 1)), (*cuts, len(places) - 1), strict=True):
        yield int(places[first]), int(places[last]) + 1


def _weights(lines: Sequence[Line]) -> Iterator[float]:
    return (word.confidence * len(word.text) for line in lines for word in line.words)


def _confidence(lines: Sequence[Line]) -> float:
    """Mean confidence of the words, weighted by their characters; 0.0 without any."""
    characters = sum(len(word.text) for line in lines for word in line.words)
    return math.fsum(_weights(lines)) / characters if characters else 0.0


def _is_noise(lines: Sequence[Line]) -> bool:
    letters = sum(character.isalnum() for line in lines for character in line.text)
    needed = _SURE_FEW if letters < _FEW_LETTERS else _SURE_SOME
    return _confidence(lines) < needed


def _turned_lines(layer: Page, turn: int) -> tuple[Line, ...]:
    """The text layer's lines on the page turned `turn` degrees clockwise instead of `layer.rotation_deg`."""
    lines, width, height = layer.lines, layer.width_pt, layer.height_pt
    for _ in range((turn - layer.rotation_deg) % 360 // 90):
        lines = tuple(
            replace(
                line,
                words=tuple(replace(word, box=_quarter_turned(word.box, height)) for word in line.words),
                box=_quarter_turned(line.box, height),
            )
            for line in lines
        )
        width, height = height, width
    return lines


def _quarter_turned(box: Box, height: float) -> Box:
    return Box(height - box.y1, box.x0, height - box.y0, box.x1)


def _with_layer(lines: tuple[Line, ...], layer: Sequence[Line]) -> tuple[Line, ...]:
    """Lines of the text layer in place of what OCR read in the same spots: a stamp's own text is exact."""
    if not layer:
        return lines
    kept: list[Line] = []
    for line in lines:
        words = tuple(word for word in line.words if not any(_is_inside(word.box, other.box) for other in layer))
        if len(words) == len(line.words):
            kept.append(line)
        elif words:
            kept.append(replace(line, words=words, box=Box.around(word.box for word in words)))
    middle = sum(line.box.y0 for line in kept) / len(kept) if kept else math.inf
    above = (line for line in layer if line.box.y0 < middle)
    below = (line for line in layer if line.box.y0 >= middle)
    return (*above, *kept, *below)


def _is_inside(box: Box, other: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return other.x0 <= x <= other.x1 and other.y0 <= y <= other.y1
