"""Asks the engine for pictures and words of pages, one at a time and the most urgent first, and keeps what came
within a number of bytes.

Knows neither where pages are shown nor how they look.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from briefbank.values.pages import PageImage, PageSize, PageText
from ui.engine import EngineClient, FutureWatcher

CACHE_BYTES = 150_000_000
"""Some 77 letter pages at 100 % on an ordinary screen, 19 on one of twice the density. Chosen, not measured."""


class ImageKey(NamedTuple):
    """A page at `scale` pixels a point, as it was asked for; `edition` tells apart the file's own from one set anew."""

    document_id: str
    number: int
    scale: float
    edition: str = ""


class ImageCache:
    """Pictures of pages. Where they take more than their share of memory, the picture used longest ago is dropped."""

    def __init__(self, most_bytes: int = CACHE_BYTES) -> None:
        self._most_bytes = most_bytes
        self._images: OrderedDict[ImageKey, QImage] = OrderedDict()
        self.held_bytes = 0

    def __contains__(self, key: ImageKey) -> bool:
        return key in self._images

    def get(self, key: ImageKey) -> QImage | None:
        """Return a picture and note that it was used."""
        image = self._images.get(key)
        if image is not None:
            self._images.move_to_end(key)
        return image

    def stand_in(self, wanted: ImageKey) -> QImage | None:
        """The sharpest picture of a page at any scale, for as long as the right one is not there."""
        found = [key for key in self._images if key._replace(scale=wanted.scale) == wanted]
        return self._images[max(found, key=lambda key: key.scale)] if found else None

    def put(self, key: ImageKey, image: QImage) -> None:
        """Keep a picture, at the cost of older ones; the newest one stays, however large."""
        old = self._images.pop(key, None)
        self.held_bytes += image.sizeInBytes() - (old.sizeInBytes() if old else 0)
        self._images[key] = image
        while self.held_bytes > self._most_bytes and len(self._images) > 1:
            _, dropped = self._images.popitem(last=False)
            self.held_bytes -= dropped.sizeInBytes()


Wish = ImageKey | int
"""A picture, or the words of the page of that number."""


class PageLoader(QObject):
    """Pictures and words of the pages of one document at a time.

    One request is on its way at any time, so that a page which is scrolled into view waits for one other at most.
    """

    image_loaded = Signal(int, object)
    """A page's number and, as a PageSize, how large the page turned out to be."""
    text_came = Signal(int)
    failed = Signal(int, object)
    """The number of a page that cannot be shown, and the error."""

    def __init__(self, engine: EngineClient, parent: QObject) -> None:
        super().__init__(parent)
        self.images = ImageCache()
        self.texts: dict[int, PageText] = {}
        self._engine = engine
        self._document_id = self._edition = ""
        self._wishes: list[Wish] = []
        self._asked: Wish | None = None
        self._task: FutureWatcher | None = None
        self._failures: dict[int, Exception] = {}

    def open(self, document_id: str, edition: str = "") -> None:
        """Turn to a document, in an edition of its own where its file cannot be shown; an empty id turns away from all.

        What was on its way is dropped.
        """
        self._wishes = []
        self._drop()
        self._failures.clear()
        self.texts.clear()
        self._document_id, self._edition = document_id, edition

    def key(self, number: int, scale: float) -> ImageKey:
        """The name of a page's picture."""
        return ImageKey(self._document_id, number, round(scale, 3), self._edition)

    def failure(self, number: int) -> Exception | None:
        return self._failures.get(number)

    def forgive(self, numbers: Iterable[int]) -> None:
        """Let pages that failed be asked for again."""
        for number in numbers:
            self._failures.pop(number, None)

    def want(self, wishes: Iterable[Wish]) -> None:
        """Fetch these, the most urgent first, and drop all other wishes."""
        self._wishes = list(wishes)
        if self._asked is not None and self._asked not in self._wishes:
            self._drop()
        self._ask()

    def _drop(self) -> None:
        if self._task:
            self._task.cancel()
        self._asked = self._task = None

    def _ask(self) -> None:
        """Ask for the first wish that is still open, unless one is being fulfilled."""
        if self._asked is not None:
            return
        self._asked = wish = next(filter(self._is_open, self._wishes), None)
        if isinstance(wish, ImageKey):
            page = self._engine.bank.page_image(wish.document_id, wish.number, wish.scale)
            done, failed = partial(self._on_image_rendered, wish), partial(self._on_failed, wish.number)
            self._task = self._engine.ask(page, done, failed, parent=self)
        elif wish is not None:
            text = self._engine.bank.page_text(self._document_id, wish)
            self._task = self._engine.ask(text, self._on_text_read, partial(self._on_text_failed, wish), parent=self)

    def _is_open(self, wish: Wish) -> bool:
        if isinstance(wish, ImageKey):
            return wish not in self.images and wish.number not in self._failures
        return wish not in self.texts and wish not in self._failures

    def _on_image_rendered(self, key: ImageKey, page: PageImage) -> None:
        raw = QImage(page.pixels, page.width_px, page.height_px, page.stride_bytes, QImage.Format.Format_RGB888)
        self.images.put(key, raw.convertToFormat(QImage.Format.Format_RGB32))
        self._go_on()
        self.image_loaded.emit(key.number, PageSize(page.width_px / page.scale, page.height_px / page.scale))

    def _on_failed(self, number: int, problem: Exception) -> None:
        self._failures[number] = problem
        self._go_on()
        self.failed.emit(number, problem)

    def _on_text_read(self, text: PageText) -> None:
        self.texts[text.number] = text
        self._go_on()
        self.text_came.emit(text.number)

    def _on_text_failed(self, number: int, _problem: Exception) -> None:
        """A page without words can still be looked at, and its picture tells what is wrong with it."""
        self._wishes = [wish for wish in self._wishes if wish != number]
        self._go_on()

    def _go_on(self) -> None:
        self._asked = self._task = None
        self._ask()
