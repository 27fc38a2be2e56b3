"""Builds the offline folder for Linux: `python installer/bundle/build.py OUT`. Needs the extras `index` and `bundle`.

The folder holds the two programs, the encoder in its ONNX form, Tesseract with its data, the samples, the licences, the
program's source, and `files.csv`: each file with its size and SHA-256.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import contents
from licences import gather
from parts import ROOT, SAMPLES, add_encoder, add_own_files, add_samples, draw_icons, list_files


def main() -> int:
    """Build, list and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="a folder; the bundle is made as OUT/briefbank")
    parser.add_argument("--samples", type=Path, default=SAMPLES, help="the sample briefs")
    arguments = parser.parse_args()
    work = arguments.out / "work"
    bundle = arguments.out / "briefbank"
    work.mkdir(parents=True, exist_ok=True)
    add_encoder(work / "encoders")
    draw_icons(work)
    _run_pyinstaller(arguments.out, work)
    _strip(bundle / "_internal")
    add_samples(arguments.samples, bundle)
    add_own_files(bundle)
    _add_installer(bundle)
    gather(contents.libraries(), _taken_from_system(bundle), bundle / "licences")
    sys.stdout.write(list_files(bundle))
    return 0


def _run_pyinstaller(out: Path, work: Path) -> None:
    spec = ROOT / "installer" / "bundle" / "briefbank.spec"
    folders = ["--distpath", str(out), "--workpath", str(work / "pyinstaller")]
    subprocess.run(
        [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *folders, str(spec)],
        env={**os.environ, "BRIEFBANK_BUNDLE_WORK": str(work.resolve())},
        check=True,
    )


def _strip(folder: Path) -> None:
    """Take out what only debuggers read; not of libraries that were changed after they were linked (`*.libs`)."""
    if shutil.which("strip") is None:
        return
    for name in contents.WITH_SYMBOLS:
        for library in folder.glob(name):
            subprocess.run(["strip", "--strip-debug", str(library)], check=True)


def _add_installer(bundle: Path) -> None:
    linux = ROOT / "installer" / "linux"
    shutil.copy(linux / "install.sh", bundle)
    (bundle / "desktop").mkdir()
    for source in (*linux.glob("*.desktop"), linux / "briefbank.xml", ROOT / "installer" / "icon" / "briefbank.svg"):
        shutil.copy(source, bundle / "desktop")


def _taken_from_system(bundle: Path) -> list[Path]:
    """The system's libraries among what PyInstaller took, found again by their names."""
    names = {path.name for path in (bundle / "_internal").glob("*.so*")}
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, encoding="utf-8", check=True).stdout
    places = {Path(line.rpartition("=> ")[2]) for line in listed.splitlines() if "=> " in line}
    return sorted(place for place in places if place.name in names)


if __name__ == "__main__":
    sys.exit(main())
