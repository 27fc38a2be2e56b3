"""Where an installed Tesseract is found on Windows, and what is said where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from under_wine import DRIVE, briefbank

pytestmark = [pytest.mark.windows, pytest.mark.timeout(1800)]
OF_ONE_USER = DRIVE / "users" / "root" / "AppData" / "Local" / "Programs" / "Tesseract-OCR"
ELSEWHERE = DRIVE / "tried" / "tools"


@pytest.fixture
def moved(tesseract: Path) -> Iterator[Path]:
    """Another folder than that for everybody, in which the stand-in is put meanwhile."""
    away = tesseract.parent.with_name("away")
    tesseract.parent.rename(away)
    yield away
    away.rename(tesseract.parent)


@pytest.fixture(scope="module")
def scan(data: Path) -> Path:
    """A folder with one brief that is a picture."""
    folder = data / "scanned"
    folder.mkdir()
    page = Image.new("L", (1700, 2200), 255)
    drawn = ImageDraw.Draw(page)
    for line in range(200, 1800, 40):
        drawn.text((200, line), "A page that was scanned, and has no text of its own. " * 3, fill=0)
    page.save(folder / "scan.pdf", resolution=200)
    return folder


@pytest.mark.parametrize(
    ("place", "environment"),
    [(OF_ONE_USER, {}), (ELSEWHERE, {"WINEPATH": r"C:\tried\tools"})],
    ids=["of one user", "on PATH"],
)
def test_tesseract_is_found_where_one_user_or_it_put_it(
    moved: Path, scan: Path, data: Path, place: Path, environment: dict[str, str]
) -> None:
    shutil.copytree(moved, place)
    try:
        bank = data / f"read-{len(environment)}"
        done = briefbank("index", scan, "--bank", bank, "--quiet", seconds=1500, **environment)
        assert done.code == 0, done.said
        found = briefbank("search", "stand-in", "--bank", bank, "--json")
        assert "stand-in" in found.json["hits"][0]["text"]
    finally:
        shutil.rmtree(place)


def test_scans_are_told_as_unread_where_there_is_no_tesseract(moved: Path, scan: Path, data: Path) -> None:
    done = briefbank("index", scan, "--bank", data / "unread", "--quiet", seconds=1500)
    assert done.code == 10, done.said
    told = briefbank("status", "--bank", data / "unread")
    assert "scan.pdf" in told.out
    assert "OCR" in told.out
