"""The window on a real screen (a virtual one), driven by keys, with pictures kept in build/screenshots."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from program import ROOT

SCRIPT = ROOT / "tests" / "e2e" / "screenshots.py"
KEPT = ROOT / "build" / "screenshots"
STEPS = {"starting", "window", "judged", "outline", "summary", "best-match", "nothing"}
ASKED = "is consent valid if the stop was prolonged"


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
@pytest.mark.parametrize(("scheme", "scale"), [("light", 1), ("dark", 1.5)])
def test_a_search_is_made_read_and_judged_on_a_real_screen(library_bank: Path, scheme: str, scale: float) -> None:
    folder = KEPT / scheme
    shutil.rmtree(folder, ignore_errors=True)
    words = [sys.executable, SCRIPT, folder, "--bank", library_bank, "--ask", ASKED, "--scale", str(scale)]
    done = subprocess.run(
        [*map(str, words), *(["--dark"] if scheme == "dark" else [])],
        capture_output=True, encoding="utf-8", timeout=250, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "QObject" not in done.stderr
    assert "Traceback" not in done.stderr
    pictures = {path.stem.removesuffix("-dark"): path for path in folder.iterdir()}
    assert set(pictures) == STEPS
    for path in pictures.values():
        with Image.open(path) as picture:
            assert picture.size == (round(1366 * scale), round(728 * scale))
            assert len(picture.getcolors(maxcolors=2**24) or ()) > 50, f"{path.name} is blank"
            corner = picture.convert("L").getpixel((3, picture.height - 3))
            assert isinstance(corner, int)
            assert (corner < 128) == (scheme == "dark")
