"""Rendered pages that are kept, bounded by their bytes; knows nothing of who renders or shows them."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from PySide6.QtGui import QImage

CACHE_BYTES = 150_000_000


class ImageKey(NamedTuple):
    """A page at `scale` pixels a point, as it was asked for; `edition` tells apart the file's own from one set anew."""

    document_id: str
    number: int
    scale: float
    edition: str = ""


class ImageCache:
    """Pictures of pages; the one used longest ago makes room."""

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
