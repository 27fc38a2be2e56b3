"""Which words of a PDF's page are visible: the one place that decides which ones a reader would not see on paper.

A word is visible where the page would look otherwise without it. Most words need no such look: they are dark, large
enough, nothing is painted over them, and there is print where they stand. Letters of an empty font, of a pattern or a
way of mixing colours that leaves paper, or under broad lines have none. Words that may not be seen are looked for in
two pictures of the page, one with its text and one without.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from briefbank.ingest.readers.mupdf import import_pymupdf
from briefbank.ingest.readers.pictures import Grey, is_of_text
from briefbank.values.records import Box, Word

_FILLED, _STROKED = 16, 32
"""Bits of MuPDF's `char_flags` of a span."""
_NO_VIEW = 32
"""The flag of a note that it is not to be seen on a screen."""
REDACT = 12
"""MuPDF's number of the annotation that marks what is to be blacked out."""
_TEXT = frozenset({"fill-text", "stroke-text", "clip-text", "clip-stroke-text", "ignore-text"})
_COVERS = frozenset({"fill-path", "fill-image", "fill-imgmask", "fill-shade"})
_THIN_PT = 2.5
"""Height or width up to which a filled shape is a rule or an underline, which covers no word."""
_LEAST_PT = 1.0
"""Type below this cannot be read on paper."""
_MORE_LETTERS = 4
"""Letters from which a word is wider than it could be read at, unless it is squeezed."""
_LIGHT = 0xA0
"""Least of a colour's red, green and blue, of 255, from which words are light and looked up in the page's picture."""
_OPAQUE = 100
"""Opacity, of 255, below which words are looked up in the picture too."""
_ZOOM = 100 / 72
_SEEN = 20
"""Difference of a pixel, of 255, that can be seen. Printed grey of 10 % differs from paper by 25."""
_DARK = 90
"""Grey below which a plain patch is black to the eye."""
_BAND = 0.3, 0.75
"""Part of a word's height that only its own letters reach: the boxes of lines overlap above and below it."""
_COVERED_SHARE = 0.3
"""Share of a word that must be painted over for it to count as covered: a comma may stand out, or a neighbour's box
reach in."""
Pixels = npt.NDArray[np.uint8]
Edges = npt.NDArray[np.float64]


class PaintLog:
    """What is painted on a page, in order, as MuPDF lists it: kinds and boxes, in points."""

    def __init__(self, source: Any) -> None:
        bounds = source.cropbox
        self.width, self.height = float(abs(bounds.width)), float(abs(bounds.height))
        self.pictures: list[Box] = []
        self.filled_shapes = 0
        self.has_shapes = False
        self.grounds: list[Box] = []
        """Broad shapes and pictures, which words may have the colour of."""
        self.covers: list[Box] = []
        """Those of them that are painted over words that were drawn before."""
        self.texts_off_page = 0
        """Pieces of text that lie wholly outside the page."""
        texts: list[Box] = []
        for kind, edges in source.get_bboxlog():
            box = Box(*edges)
            if kind in _TEXT:
                texts.append(box)
                is_print = _area(box) > 0  # spaces, which many lines have past the edge, have none
                self.texts_off_page += is_print and not _overlap(box, Box(0.0, 0.0, self.width, self.height))
                continue
            self.has_shapes = self.has_shapes or kind in ("fill-path", "stroke-path")
            if kind in ("fill-image", "fill-imgmask"):
                self.pictures.append(box)
            self.filled_shapes += kind == "fill-path"
            if kind in _COVERS and min(box.x1 - box.x0, box.y1 - box.y0) > _THIN_PT:
                self.grounds.append(box)
                if any(_overlap(each, box) for each in texts):
                    self.covers.append(box)

    @property
    def picture_share(self) -> float:
        """The share of the page that pictures cover; overlaps count twice, and it is 1 at most."""
        covered = 0.0
        for box in self.pictures:
            width, height = min(box.x1, self.width) - max(box.x0, 0.0), min(box.y1, self.height) - max(box.y0, 0.0)
            covered += max(0.0, width) * max(0.0, height)
        return min(1.0, covered / max(1.0, self.width * self.height))


def _overlap(one: Box, other: Box) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0)


def _bands(boxes: Edges, sizes_pt: Edges) -> Edges:
    """The middle of each word's box along its line: across it, the box is about as long as its type is high."""
    lengths = boxes[:, 2:] - boxes[:, :2]
    off = np.abs(np.abs(lengths) - 1.2 * sizes_pt[:, None])
    across = np.stack((off[:, 0] < off[:, 1], off[:, 1] <= off[:, 0]), axis=1)
    low, high = _BAND
    return np.hstack((boxes[:, :2] + across * low * lengths, boxes[:, :2] + np.where(across, high, 1.0) * lengths))


class _Boxes:
    """Boxes that can be asked which of them meet another; a chart has thousands."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._boxes = boxes
        self._edges = np.array(boxes, dtype=np.float64).reshape(-1, 4)

    def __bool__(self) -> bool:
        return bool(self._boxes)

    def meet(self, box: Sequence[float]) -> list[Box]:
        left, top, right, bottom = self._edges.T
        places = np.flatnonzero((left < box[2]) & (box[0] < right) & (top < box[3]) & (box[1] < bottom))
        return [self._boxes[place] for place in places.tolist()]


class Visibility(Enum):
    """Whether the page shows a word, and what it shows in its place."""

    VISIBLE = auto()
    UNSEEN = auto()
    BLACKED_OUT = auto()


class PageVisibility:
    """Decides of the words of one page."""

    def __init__(self, source: Any, log: PaintLog) -> None:
        self._source = source
        self._covers, self._grounds = _Boxes(log.covers), _Boxes(log.grounds)

    def of_words(self, words: Sequence[tuple[Word, dict[str, Any]]]) -> list[Visibility]:
        """Whether the page shows each word; with each the span that it is in, both as MuPDF gives them.

        For 95 % of 4,475 pages of filed briefs one small picture was enough: all of their words are plain.
        """
        if not words:
            return []
        boxes = np.array([word.box for word, _ in words], dtype=np.float64)
        bands = _bands(boxes, np.array([span["size"] for _, span in words], dtype=np.float64))
        covered = [self._covered_part(band) if self._covers else None for band in map(Box._make, bands.tolist())]
        doubtful = {key for key, span in {id(span): span for _, span in words}.items() if is_doubtful(span)}
        is_thin = (np.abs(boxes[:, 2:] - boxes[:, :2]).min(axis=1) < _LEAST_PT).tolist()
        are_flat = [thin and len(word.text) >= _MORE_LETTERS for (word, _), thin in zip(words, is_thin, strict=True)]
        is_visible = np.array(
            [
                not part and not is_flat and id(span) not in doubtful
                for (_, span), part, is_flat in zip(words, covered, are_flat, strict=True)
            ]
        )
        is_visible[is_visible] = self._stand_in_print(boxes[is_visible], bands[is_visible])
        verdicts = [Visibility.VISIBLE] * len(words)
        for place in np.flatnonzero(~is_visible).tolist():
            (word, span), band = words[place], Box(*bands[place].tolist())
            part = covered[place] or band
            if not is_drawn(span) or are_flat[place] or not self._leaves_ink(word.text, band, part):
                verdicts[place] = Visibility.BLACKED_OUT if self._is_black(part) else Visibility.UNSEEN
        return verdicts

    def _stand_in_print(self, boxes: Edges, bands: Edges) -> list[bool]:
        """Of words by their boxes and bands, whether there is print in the band, and, where they stand on a ground that
        they may have the colour of, something told from it in the box.
        """
        if not len(boxes):
            return []
        have_print = list(self._have_print(bands))
        if not self._grounds:
            return have_print
        return [
            is_printed and (not self._grounds.meet(box) or self._has_contrast(place))
            for is_printed, box, place in zip(have_print, boxes.tolist(), self._pixels(boxes), strict=True)
        ]

    def shows_type(self, box: Box) -> bool:
        """Whether what is in a box on the page as it is turned, such as a picture, looks like lines of type."""
        x0, y0, x1, y1 = (max(0, round(edge)) for edge in box)
        return is_of_text(self._grey[y0:y1, x0:x1])

    def _leaves_ink(self, text: str, band: Box, part: Box) -> bool:
        """Whether a part of a word looks otherwise than without the page's text, or its text cannot be taken off."""
        if 2 * sum(map(str.isalnum, text)) <= len(text):  # made of "_", it lies below the band
            return True
        textless, fixed = self._without_text
        if any(self._have_print(np.array([band]))) and any(_overlap(band, each) for each in fixed):
            return True
        full, bare = (self._cut(picture, part) for picture in (self._picture, textless))
        return bool(full.size) and bool(np.abs(full.astype(np.int16) - bare).max() > _SEEN)

    def _covered_part(self, band: Box) -> Box | None:
        """The greatest part of a word that something is painted over, if it is more than a letter of it."""
        parts = [
            Box(max(band.x0, each.x0), max(band.y0, each.y0), min(band.x1, each.x1), min(band.y1, each.y1))
            for each in self._covers.meet(band)
        ]
        greatest = max(parts, key=_area, default=None)
        return greatest if greatest and _area(greatest) >= _COVERED_SHARE * _area(band) else None

    def _have_print(self, boxes: Edges) -> Iterator[bool]:
        """Whether there is an edge of anything in each box."""
        edges, width = self._edges, self._grey.shape[1]
        for left, top, right, bottom in self._pixels(boxes):
            rows = range(width * top, width * bottom, width)
            yield any(edges.find(1, row + left, row + right) >= 0 for row in rows)

    @cached_property
    def _edges(self) -> bytes:
        """Row after row 1 where a pixel of the small picture differs from the one before it in its row, else 0: bytes
        are searched faster than an array is cut.
        """
        here, before = self._grey[:, 1:], self._grey[:, :-1]
        edges = np.zeros(self._grey.shape, dtype=np.bool_)
        np.greater(np.maximum(here, before) - np.minimum(here, before), _SEEN, out=edges[:, 1:])
        return edges.tobytes()

    def _pixels(self, boxes: Edges) -> list[list[int]]:
        """Where boxes lie in the small picture: left, top, right, bottom; each with all pixels that it touches."""
        a, b, c, d, e, f = self._turn
        corners = boxes.reshape(-1, 2, 2) @ np.array(((a, b), (c, d))) + (e, f)
        edges = np.hstack((np.floor(corners.min(axis=1)), np.ceil(corners.max(axis=1))))
        height, width = self._grey.shape
        places: list[list[int]] = np.clip(edges, 0, (width, height, width, height)).astype(np.int64).tolist()
        return places

    def _has_contrast(self, place: Sequence[int]) -> bool:
        """Whether the small picture is more than a plain patch in a place, without the pixels at its edge."""
        left, top, right, bottom = place
        patch = self._grey[top + 1 : bottom - 1, left + 1 : right - 1]
        return bool(patch.size) and int(patch.max()) - int(patch.min()) > 2 * _SEEN

    @cached_property
    def _turn(self) -> tuple[float, ...]:
        """From points of the page as it is written to those of the page as it is turned."""
        return tuple(self._source.rotation_matrix)

    @cached_property
    def _grey(self) -> Grey:
        """The page in grey, a pixel a point."""
        pixmap = self._source.get_pixmap(colorspace=import_pymupdf().csGRAY, alpha=False)
        rows = np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.stride)
        return rows[:, : pixmap.width]

    def has_ink(self, box: Box) -> bool:
        """Whether the page shows anything but a plain patch in a box: the print that an unseen layer repeats."""
        patch = self._cut(self._picture, box)
        return bool(patch.size) and int(np.ptp(patch, axis=(0, 1)).max()) > 2 * _SEEN

    def _is_black(self, band: Box) -> bool:
        patch = self._cut(self._picture, band)
        return bool(patch.size) and float(np.percentile(patch, 95)) < _DARK

    def _cut(self, picture: Pixels, box: Box) -> Pixels:
        """The part of a picture in a box, without the pixels at its edge that lie half outside."""
        placed = import_pymupdf().Rect(box) * self._source.rotation_matrix
        left, top, right, bottom = (_ZOOM * edge for edge in placed)
        across, down = min(1.5, (right - left) / 4), min(1.0, (bottom - top) / 4)
        rows = slice(max(0, int(top + down)), max(0, math.ceil(bottom - down)))
        return picture[rows, max(0, int(left + across)) : max(0, math.ceil(right - across))]

    @cached_property
    def _picture(self) -> Pixels:
        return _rendered(self._source)

    @cached_property
    def _without_text(self) -> tuple[Pixels, list[Box]]:
        """The page without its text, and what cannot be taken off it: the words of form fields and notes."""
        pymupdf = import_pymupdf()
        with pymupdf.open() as copy:
            number = self._source.number
            # With widgets all pages of the file are gone through, which takes 90 µs for each.
            has_widgets = self._source.first_widget is not None
            copy.insert_pdf(self._source.parent, from_page=number, to_page=number, links=False, widgets=has_widgets)
            page = copy[0]
            page.add_redact_annot(pymupdf.Rect(-1e4, -1e4, 1e4, 1e4), fill=False)
            page.apply_redactions(
                images=pymupdf.PDF_REDACT_IMAGE_NONE,
                graphics=pymupdf.PDF_REDACT_LINE_ART_NONE,
                text=pymupdf.PDF_REDACT_TEXT_REMOVE,
            )
            return _rendered(page), [Box(*word[:4]) for word in page.get_text("words")]


def is_drawn(span: dict[str, Any]) -> bool:
    """Whether a span's letters are put on the page at all, in a size that can be read."""
    return bool(span["char_flags"] & (_FILLED | _STROKED)) and span["size"] >= _LEAST_PT


def is_doubtful(span: dict[str, Any]) -> bool:
    """Whether a span may not be seen by the way in which it is drawn: unseen, tiny, light or transparent."""
    colour = span["color"]
    is_light = min(colour >> 16 & 255, colour >> 8 & 255, colour & 255) >= _LIGHT
    return (is_light or span["alpha"] < _OPAQUE or not is_drawn(span)) and not span["text"].isspace()


def take_off_unseen(page: Any) -> None:
    """Remove the notes that no program shows, which would be seen once they are part of the page."""
    for note in list(page.annots()):
        if note.flags & _NO_VIEW:
            page.delete_annot(note)


def black_out_marks(page: Any) -> None:
    """Paint over what is marked to be blacked out and was not yet, so that it is neither read nor pictured."""
    for mark in list(page.annots(types=(REDACT,))):
        corners = mark.vertices or ()
        quads = [corners[first : first + 4] for first in range(0, len(corners) - 3, 4)] or [()]
        for quad in quads:
            rect = import_pymupdf().Quad(quad).rect if quad else mark.rect
            page.draw_rect(rect * page.derotation_matrix, color=None, fill=(0, 0, 0))
        page.delete_annot(mark)


def _rendered(page: Any) -> Pixels:
    pymupdf = import_pymupdf()
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(_ZOOM, _ZOOM), colorspace=pymupdf.csRGB, alpha=False)
    samples = np.frombuffer(pixmap.samples, dtype=np.uint8)
    return samples.reshape(pixmap.height, pixmap.stride)[:, : 3 * pixmap.width].reshape(pixmap.height, -1, 3).copy()
