"""Turns a PDF into what an office scanner makes of it: grey images, askew and noisy; no text layer."""

from __future__ import annotations

import io
import zlib

import numpy as np
import pymupdf
from PIL import Image

_DPI = 200
_JPEG_QUALITY = 45
_NOISE_SIGMA = 7.0
_TILE_PX = 512


def scanned(document: pymupdf.Document, name: str, *, turned: bool) -> pymupdf.Document:
    """Return an image-only copy; `turned` lays some pages on their side or on their head."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    noise = rng.normal(0, _NOISE_SIGMA, (_TILE_PX, _TILE_PX)).astype(np.int16)
    copy = pymupdf.open()
    for number, page in enumerate(document):
        image = _scan(page, noise, rng)
        quarters = {2: 1, 4: 2, 6: 3}.get(number % 8, 0) if turned else 0
        if quarters:
            image = image.transpose(Image.Transpose(Image.Transpose.ROTATE_90 + quarters - 1))
        packed = io.BytesIO()
        image.save(packed, "JPEG", quality=_JPEG_QUALITY)
        width, height = (side * 72 / _DPI for side in image.size)
        copy.new_page(width=width, height=height).insert_image((0, 0, width, height), stream=packed.getvalue())
    copy.set_metadata({"producer": "", "creationDate": document.metadata["creationDate"], "modDate": ""})
    return copy


def _scan(page: pymupdf.Page, noise: np.ndarray, rng: np.random.Generator) -> Image.Image:
    pixmap = page.get_pixmap(dpi=_DPI, colorspace=pymupdf.csGRAY)
    image = Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)
    skew = rng.uniform(0.5, 1.5) * rng.choice((-1, 1))
    image = image.rotate(skew, Image.Resampling.BILINEAR, fillcolor=255)
    paper = np.asarray(image, dtype=np.int16)
    height, width = paper.shape
    shade = np.linspace(0, rng.uniform(8, 26), width)[None, :] + np.linspace(rng.uniform(0, 12), 0, height)[:, None]
    rows, columns = -(-height // _TILE_PX), -(-width // _TILE_PX)
    grain = np.tile(np.roll(noise, rng.integers(0, _TILE_PX, 2), (0, 1)), (rows, columns))[:height, :width]
    ink = paper * 5 // 6 + 30
    scan = np.clip(ink - shade.astype(np.int16) + grain, 0, 255).astype(np.uint8)
    for x, y in rng.integers(0, (width - 4, height - 4), (40, 2)):
        scan[y : y + 2, x : x + 2] = 60
    return Image.fromarray(scan)
