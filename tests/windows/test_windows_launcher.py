"""The launchers by themselves, on a stand-in for Python, wherever Wine is up: quick, and without the built folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from program import ROOT
from under_wine import WINE, run

sys.path.insert(0, str(ROOT / "installer" / "windows"))
import launchers

pytestmark = [
    pytest.mark.skipif(shutil.which(launchers.COMPILER) is None, reason="MinGW-w64 is not installed"),
    pytest.mark.skipif(
        subprocess.run(["sh", str(WINE), "ready"], check=False).returncode != 0, reason=f"Wine is not up: {WINE} up"
    ),
]
# Says the words it was given, one a line, in UTF-8, and ends with their number, or with 99 where a library was planted.
PYTHON = r"""
#include <stdio.h>
#include <windows.h>
__declspec(dllexport) int Py_Main(int count, wchar_t **words)
{
    for (int index = 1; index < count; index++) {
        char text[4096];
        WideCharToMultiByte(CP_UTF8, 0, words[index], -1, text, sizeof text, 0, 0);
        puts(text);
    }
    return LoadLibraryA("planted.dll") ? 99 : count;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder with a launcher and nothing that it could start."""
    folder = tmp_path / "Brief Bank"
    (folder / "_internal" / "python").mkdir(parents=True)
    Image.new("RGBA", (16, 16)).save(tmp_path / "icon.ico")
    return launchers.compile_launchers(folder, tmp_path, version="1.0", icon=tmp_path / "icon.ico")[0]


def add_python(folder: Path) -> None:
    source = folder / "python.c"
    source.write_text(PYTHON, encoding="utf-8")
    library = folder / "python311.dll"
    subprocess.run([launchers.COMPILER, "-shared", str(source), "-o", str(library)], check=True)


def test_words_reach_python_as_they_were_given(program: Path) -> None:
    add_python(program.parent / "_internal" / "python")
    words = ["search", "stop* frisk?", 'say "no"', "§ 1983 Müller", "--", ""]
    ended = run(program, *words)
    lines = ended.out.replace("\r", "").split("\n")[:-1]
    assert lines[:2] == ["-X", "utf8"]
    assert lines[2].endswith(r"\Brief Bank\_internal\start.py")
    assert lines[3:] == words
    assert ended.code == 4 + len(words), "the program's exit code is Python's"


def test_it_starts_from_a_folder_with_a_long_path(program: Path, tmp_path: Path) -> None:
    add_python(program.parent / "_internal" / "python")
    folder = tmp_path.joinpath(*("folder with a long name " * 4 + str(level) for level in range(3)))
    shutil.copytree(program.parent, folder)
    ended = run(folder / program.name, "search")
    assert ended.code == 5, ended.said
    assert ended.out.replace("\r", "").endswith("\nsearch\n")


def test_a_folder_without_python_says_so(program: Path) -> None:
    ended = run(program, "--version")
    assert ended.code == 1
    assert "python311.dll" in ended.said
    assert "Install BriefBank again" in ended.said


def test_a_library_is_not_taken_from_where_the_program_was_started(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_python(program.parent / "_internal" / "python")
    planted = tmp_path / "downloads"
    planted.mkdir()
    shutil.copy(program.parent / "_internal" / "python" / "python311.dll", planted / "planted.dll")
    monkeypatch.chdir(planted)
    assert run(program).code == 4
