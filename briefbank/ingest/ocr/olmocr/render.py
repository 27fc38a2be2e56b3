"""A page as the picture that an olmOCR server is sent: rendered by Poppler as the package `olmocr` does.

Runs in a worker on untrusted files; must not know servers.
"""

from __future__ import annotations

import base64
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import numpy as np

from briefbank.errors import DamagedFileError, OcrMissingError
from briefbank.ingest.beneath import Readable
from briefbank.ingest.ocr.image import Grey, ink_of, is_blank
from briefbank.ingest.ocr.olmocr.layout import Ink, ScanPicture

LONGEST_PX = 1_288
"""The longer side of the picture: what olmOCR's models were trained on."""

_CPU_S = 60
"""Processor time of Poppler. It outlives a worker that is killed, so it needs an end of its own."""


def probe() -> None:
    """See that what rendering needs is there.

    Raises:
        OcrMissingError: the package `olmocr` or Poppler is not installed.
    """
    if find_spec("olmocr") is None:
        raise OcrMissingError("The Python package 'olmocr' is not installed.", "Run: pip install 'briefbank[olmocr]'")
    for program in ("pdftoppm", "pdfinfo"):
        if shutil.which(program) is None:
            advice = "Run: sudo apt-get install poppler-utils"
            raise OcrMissingError(f"Poppler's program '{program}' is not installed.", advice)


def render(path: Readable, page_number: int, turn_deg: int) -> ScanPicture:
    """Render a page of a PDF, turned clockwise by `turn_deg` (0, 90, 180 or 270).

    Raises:
        DamagedFileError: Poppler cannot render it.
    """
    from olmocr.data.renderpdf import render_pdf_to_base64png
    from PIL import Image

    try:
        with _limited():
            png_base64 = render_pdf_to_base64png(os.fspath(path), page_number, target_longest_image_dim=LONGEST_PX)
        with Image.open(io.BytesIO(base64.b64decode(png_base64)), formats=("PNG",)) as picture:
            upright = picture.transpose(Image.Transpose(_TURNS[turn_deg])) if turn_deg else picture
            grey = np.asarray(upright.convert("L"))
            if turn_deg:
                buffer = io.BytesIO()
                upright.save(buffer, "PNG")
                png_base64 = base64.b64encode(buffer.getvalue()).decode("ascii")
    except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
        raise DamagedFileError(f"Poppler cannot render page {page_number} of {path.name}.") from error
    return ScanPicture(png_base64, _ink(grey, turn_deg), is_blank(grey))


_TURNS = {90: 4, 180: 3, 270: 2}
"""Pillow's transpositions by how far they turn clockwise; Pillow counts the other way round."""


@contextmanager
def _limited() -> Iterator[None]:
    """Programs that are started here end when they have used `_CPU_S` more of a processor than this worker has."""
    if sys.platform == "win32":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + _CPU_S
    resource.setrlimit(resource.RLIMIT_CPU, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _ink(grey: Grey, turn_deg: int) -> Ink:
    dark = ink_of(grey)
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    if not len(rows):
        return Ink(0.0, turn_deg=turn_deg)
    height, width = dark.shape
    left, right = float(columns[0]) / width, float(columns[-1] + 1) / width
    top, bottom = float(rows[0]) / height, float(rows[-1] + 1) / height
    return Ink(float(dark.mean()), left, top, right, bottom, turn_deg)
