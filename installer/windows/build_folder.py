"""Builds the offline folder for Windows, on Linux: `python installer/windows/build_folder.py OUT`, with Python 3.11.

Needs the extra `index`, MinGW-w64 and osslsigncode; fetches CPython and wheels by pip, by the digests in this tree.
The same commit, built with the same tools and samples, gives the same bytes. The result looks like the folder for
Linux, but for `_internal`: there lie CPython (`python`), the packages as byte code (`packages`), and what the launchers
have it run (`start.py`).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "bundle"), str(HERE.parent)]

import contents  # noqa: E402
import cpython  # noqa: E402
import llama  # noqa: E402
import packages  # noqa: E402
from launchers import compile_launchers  # noqa: E402
from licences import gather_installed  # noqa: E402
from linked import missing  # noqa: E402
from pack_source import source_time  # noqa: E402
from parts import ROOT, SAMPLES, add_encoder, add_own_files, add_samples, draw_icons, list_files  # noqa: E402

from briefbank import __version__  # noqa: E402

_PATHS = "python311.zip\n.\n..\\packages\n..\n"
_NOT_SHIPPED = ("*.exe", "*.cat", "winsound.pyd", "_msi.pyd")
"""No interpreter that runs whatever it is given, and nothing that only it needs."""

_RUNTIME = ("vcruntime140.dll", "vcruntime140_1.dll", "msvcp140.dll", "msvcp140_1.dll", "msvcp140_2.dll")
"""The C++ runtime, which Windows itself does not bring: the newest that a wheel has, once for all of them."""

_RUNTIME_FROM = "shiboken6"


def main() -> int:
    """Build, list and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="a folder; the result is OUT/briefbank")
    parser.add_argument("--samples", type=Path, default=SAMPLES, help="the sample briefs")
    arguments = parser.parse_args()
    folder: Path = arguments.out / "briefbank"
    work: Path = arguments.out / "work"
    work.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        shutil.rmtree(folder)
    build(folder, work)
    if lines := missing(folder):
        sys.exit("The folder would not run on a bare Windows:\n" + "\n".join(lines))
    add_samples(arguments.samples, folder)
    finish(folder)
    return 0


def build(folder: Path, work: Path) -> None:
    """Put the programs and everything that they run on into `folder`."""
    internal = folder / "_internal"
    internal.mkdir(parents=True)
    _add_packages(internal / "packages", work)
    _add_python(internal, work)
    _add_briefbank(internal / "packages", work)
    packages.compile_all(internal / "packages")
    draw_icons(work)
    compile_launchers(folder, work, version=__version__, icon=work / "briefbank.ico")


def finish(folder: Path) -> None:
    """Add guides, licences and source, date everything, and list it."""
    add_own_files(folder)
    internal = folder / "_internal"
    python = (cpython.VERSION, internal / "python" / "LICENSE.txt")
    gather_installed(internal / "packages", python, llama.compiler_libraries(), folder / "licences")
    packages.drop_records(internal / "packages")  # the licences were found by them
    sys.stdout.write(list_files(folder))
    epoch = source_time()
    for path in folder.rglob("*"):
        os.utime(path, (epoch, epoch))


def _add_packages(folder: Path, work: Path) -> None:
    packages.fetch(work / "wheels")
    packages.unpack(work / "wheels", folder)
    runtime = folder.parent / "python"
    runtime.mkdir()
    for name in _RUNTIME:
        shutil.copy(folder / _RUNTIME_FROM / name, runtime)
    packages.thin_out(folder, contents.is_needed_on_windows)
    llama.add(llama.compile_libraries(llama.fetch(work), work), folder)


def _add_python(internal: Path, work: Path) -> None:
    checked = work / "python"
    if checked.exists():
        shutil.rmtree(checked)
    cpython.unpack(cpython.fetch(work), checked)
    left_out = shutil.ignore_patterns(*_NOT_SHIPPED, *_RUNTIME)
    shutil.copytree(checked, internal / "python", ignore=left_out, dirs_exist_ok=True)
    (internal / "python" / "python311._pth").write_text(_PATHS, encoding="utf-8", newline="\r\n")
    shutil.copy(HERE.parent / "bundle" / "start.py", internal)


def _add_briefbank(folder: Path, work: Path) -> None:
    """Copy what git knows of our packages, with what the links among it lead to."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "briefbank", "ui"]
    listed = subprocess.run(asked, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout
    for name in [*filter(None, listed.split("\0")), "models/manifest.toml"]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    add_encoder(work / "encoders")
    shutil.copytree(work / "encoders", folder / "briefbank" / "models" / "encoders" / "shipped")


if __name__ == "__main__":
    sys.exit(main())
