"""A page as the picture that an olmOCR server is sent, and what is dark on it.

Runs in a worker on untrusted files; must not know servers.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from briefbank.errors import DamagedFileError
from briefbank.ingest.beneath import Readable
from briefbank.ingest.ocr.image import ink_of, is_blank
from briefbank.ingest.ocr.olmocr.merge import Ink, ScanPicture
from briefbank.ingest.readers.mupdf import import_pymupdf
from briefbank.ingest.readers.pdf import guarded, load_page, opened_pdf

LONGEST_PX = 1_288
"""The longer side of the picture: what olmOCR's models were trained on."""


def render(path: Readable, page_number: int, turn_deg: int) -> ScanPicture:
    """Render a page of a PDF, turned clockwise by `turn_deg` (0, 90, 180 or 270).

    Raises:
        SourceError: the file cannot be opened or the page not be rendered.
    """
    pymupdf = import_pymupdf()
    with opened_pdf(path) as document, guarded(path):
        if not 1 <= page_number <= document.page_count:
            raise DamagedFileError(f"{path.name} has no page {page_number}.", "Index the folder again.")
        page = load_page(document, page_number)
        zoom = LONGEST_PX / max(page.rect.width, page.rect.height, 1.0)
        picture = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom).prerotate(turn_deg), alpha=False)
        png = picture.tobytes("png")
        grey = pymupdf.Pixmap(pymupdf.csGRAY, picture)
    return _described(png, grey, turn_deg)


def _described(png: bytes, grey: Any, turn_deg: int) -> ScanPicture:
    pixels = np.frombuffer(grey.samples, dtype=np.uint8).reshape(grey.height, grey.stride)[:, : grey.width]
    dark = ink_of(pixels)
    ink = Ink(0.0, turn_deg=turn_deg)
    if dark.any():
        rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
        height, width = dark.shape
        left, right = float(columns[0]) / width, float(columns[-1] + 1) / width
        top, bottom = float(rows[0]) / height, float(rows[-1] + 1) / height
        ink = Ink(float(dark.mean()), left, top, right, bottom, turn_deg)
    return ScanPicture(base64.b64encode(png).decode("ascii"), ink, is_blank(pixels))
