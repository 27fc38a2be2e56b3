"""What reaches a terminal: our own emphasis as escape sequences, and nothing of what documents and names hold."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import office
import pytest
from program import Briefbank, command

from briefbank.platform.visible import visible, visible_json, visible_name

pty = pytest.importorskip("pty")

ESCAPED_TITLE = "\x1b[31mState v. \u202etxt.exe\u2066\x9b2J Q\U000e0041\u200b"
ESCAPED_NAME = "quince\x1b[2J\nFailed: made up\u202efdp.txt"


def on_terminal(*arguments: object, **environment: str) -> str:
    """What a command prints on a pseudo-terminal of its own."""
    keeper, terminal = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(
        command(*arguments), stdout=terminal, stderr=subprocess.DEVNULL, env=variables | {"TERM": "xterm"} | environment
    ) as process:
        os.close(terminal)
        read = b""
        while True:
            try:
                part = os.read(keeper, 65536)
            except OSError:  # Linux says so at the end
                break
            if not part:
                break
            read += part
    os.close(keeper)
    assert process.returncode == 0
    return read.decode("utf-8")


def test_what_matches_is_bold_on_a_terminal(library_bank: Path) -> None:
    shown = on_terminal("search", "consent", "--bank", library_bank)
    assert "\x1b[1mconsent\x1b[0m" in shown
    assert "\\x1b" not in shown


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_no_colour_gets_none(library_bank: Path, environment: dict[str, str]) -> None:
    shown = on_terminal("search", "consent", "--bank", library_bank, **environment)
    assert "consent" in shown
    assert "\x1b" not in shown
    assert "\\x1b" not in shown


@pytest.fixture(scope="module")
def hostile_bank(library_bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank over a brief whose name, title and words hold control and direction characters."""
    root = tmp_path_factory.mktemp("hostile")
    text = office.brief("Alder Quince", "A-1482-17T4", "May 4, 2018", ("THE STOP.", office.STOP))
    office.write_text(root / "briefs" / ESCAPED_NAME, text.replace("consent to", "\x1b]0;owned\x07consent \u202eto"))
    (root / "briefs" / "briefbank.csv").write_text(
        f'file,title\n"{ESCAPED_NAME}","{ESCAPED_TITLE}"\n', encoding="utf-8", newline=""
    )
    bank = office.write_bank(root / "bank")
    subprocess.run(command("index", root / "briefs", "--bank", bank, "--quiet"), check=False, capture_output=True)
    return bank


def is_clean(shown: str) -> bool:
    """Whether nothing but line ends and our own bold is left of what acts on a terminal."""
    plain = shown.replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\r\n", "\n")
    return visible(plain) == plain


@pytest.mark.parametrize(
    "arguments", [("search", "consent"), ("documents",), ("status",), ("search", "consent", "--json")]
)
def test_nothing_that_a_document_or_its_name_holds_acts_on_a_terminal(
    hostile_bank: Path, arguments: tuple[str, ...]
) -> None:
    shown = on_terminal(*arguments, "--bank", hostile_bank)
    assert is_clean(shown)
    assert "\nFailed: made up" not in shown


def test_a_file_that_cannot_be_read_is_named_on_one_line(briefbank: Briefbank, tmp_path: Path) -> None:
    bank, folder = office.write_bank(tmp_path / "bank"), tmp_path / "briefs"
    folder.mkdir()
    (folder / "broken\x1b[2J\n\u202efdp.pdf").write_bytes(b"%PDF-1.7 nothing")
    shown = briefbank("index", folder, "--bank", bank).out + briefbank("status", "--bank", bank).out
    assert shown.count(r"broken\x1b[2J\x0a\u202efdp.pdf") == 4  # its path and what the reader says of it, both times
    assert "\x1b" not in shown


def test_characters_that_nobody_sees_are_shown_in_names_and_texts() -> None:
    joined = "Ca\u200brty\u2060 \ufeffQ\u200d\u115f\U000e0041"
    for shown in (visible(joined), visible_name(joined)):
        assert shown == r"Ca\u200brty\u2060 \ufeffQ\u200d\u115f\U000e0041"
    assert visible_name("so\u00adft") == r"so\xadft"
    assert visible("so\u00adft") == "so\u00adft"
    assert visible_name("e\u0301 \u2696\ufe0f") == "e\u0301 \u2696\ufe0f"


def test_json_with_unseen_characters_says_the_same() -> None:
    told = {"title": "Ca\u200brty \U000e0041\u202e\x9b"}
    shown = visible_json(json.dumps(told, ensure_ascii=False))
    assert shown.isascii()
    assert json.loads(shown) == told
