"""The window on Windows, driven by real keys; its pictures are kept in build/screenshots/windows, to be looked at."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from program import ROOT
from under_wine import briefbank, run, windows_path
from wine_desk import opened

pytestmark = [
    pytest.mark.windows,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed"),
]
KEPT = ROOT / "build" / "screenshots" / "windows"
ASKED = "consent to search"


def test_a_question_is_typed_answered_and_judged_in_the_window(installed: Path, bank: Path, tmp_path: Path) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    before = judged()
    with opened(installed / "briefbank-ui.exe", "--bank", bank, folder=tmp_path / "screen") as desk:
        desk.shows_something(150)
        start = desk.settled(60, quiet=6)
        start.save(KEPT / "start.png")
        assert colours(start) > 50, "the window is blank"
        desk.click(500, 57)
        desk.type(ASKED)
        desk.press("Return")
        answered = desk.settled(90, quiet=6)
        answered.save(KEPT / "answered.png")
        assert differ(start, answered), "the question changed nothing"
        desk.press("Return", "r")
        marked = desk.settled(60, quiet=6)
        marked.save(KEPT / "judged.png")
        desk.press("ctrl+q")
        assert desk.wait(60) == 0
    assert judged() == before + 1


def test_a_double_click_on_a_pack_installs_it_and_the_console_says_so(bank: Path, data: Path, tmp_path: Path) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    laptop, pack = data / "clicked", data / "double click.bbpack"
    places = {"BRIEFBANK_KEYS": windows_path(data / "clicked-keys"), "BRIEFBANK_BANK": windows_path(laptop)}
    made = briefbank("keys", "make", "Office", "--json", **places)
    assert briefbank("keys", "trust", made.json["public_key"], **places).code == 0
    assert briefbank("pack", pack, "--bank", bank, "--quiet", **places).code == 0
    associate_for_everybody()
    with opened("start", "/wait", pack, folder=tmp_path / "screen", **places) as desk:
        desk.shows_something(60)
        told = desk.settled(180, quiet=20)
        told.save(KEPT / "pack.png")
        desk.click(300, 300)
        desk.type("exit")
        desk.press("Return")
        assert desk.wait(60) == 0
    found = [briefbank("search", ASKED, "--bank", place, "--json").json["hits"] for place in (bank, laptop)]
    assert found[0]
    assert [hit["passage_id"] for hit in found[0]] == [hit["passage_id"] for hit in found[1]]


def associate_for_everybody() -> None:
    """Wine opens files by what is registered for everybody alone; the tests install for one user."""
    for key in (".bbpack", "BriefBank.Pack"):
        copied = run("reg", "copy", rf"HKCU\Software\Classes\{key}", rf"HKLM\Software\Classes\{key}", "/s", "/f")
        assert copied.code == 0, copied.said


def judged() -> int:
    """How many judgements are kept, as the command line counts them."""
    done = briefbank("feedback", "report", "--json")
    return int(done.json["total"]["judged"]) if done.code == 0 else 0


def colours(picture: Image.Image) -> int:
    return len(picture.getcolors(maxcolors=2**24) or ())


def differ(one: Image.Image, other: Image.Image) -> bool:
    box = ImageChops.difference(one, other).getbbox()
    return box is not None and (box[2] - box[0]) * (box[3] - box[1]) > 100_000
