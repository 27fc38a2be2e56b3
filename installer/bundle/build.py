"""Builds the offline folder: `python installer/bundle/build.py OUT`. Needs the extras `index` and `bundle`.

The folder holds the two programs, the encoder in its ONNX form, Tesseract where the machine has it, the samples, the
licences, the program's source, and `files.csv`: each file with its size and SHA-256.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import contents
from licences import gather
from ocr import add_ocr

from briefbank import __version__
from briefbank.models.encoders import export_encoder
from briefbank.models.installed import read_manifest
from briefbank.platform.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "installer"))
from pack_source import pack_source  # noqa: E402

_MIB = 1 << 20
_ICON_PX = 256
_SAMPLE_BYTES = 1_000_000
"""Larger samples are long scans, which take minutes to read; a short one stays."""


def main() -> int:
    """Build, list and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="a folder; the bundle is made as OUT/briefbank")
    parser.add_argument("--samples", type=Path, default=ROOT / "build" / "samples", help="the sample briefs")
    parser.add_argument("--ocr", type=Path, help="a folder with Tesseract and its data (Windows)")
    arguments = parser.parse_args()
    work = arguments.out / "work"
    bundle = arguments.out / "briefbank"
    work.mkdir(parents=True, exist_ok=True)
    _export_encoder(work / "encoders")
    draw_icons(work)
    _run_pyinstaller(arguments.out, work)
    _strip(bundle / "_internal")
    system_files = _add_ocr(bundle / "ocr", arguments.ocr)
    shutil.copytree(arguments.samples, bundle / "samples", ignore=_left_out_samples)
    _add_own_files(bundle)
    gather(contents.libraries(), [*system_files, *_taken_from_system(bundle)], bundle / "licences")
    pack_source(bundle / "source" / f"briefbank-{__version__}.tar.gz")
    sys.stdout.write(list_files(bundle))
    return 0


def _left_out_samples(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name.startswith(".") or (Path(folder) / name).stat().st_size > _SAMPLE_BYTES]


def _export_encoder(folder: Path) -> None:
    default = next(entry for entry in read_manifest() if entry.role == "encoder")
    export_encoder(Settings(), folder / default.name)


def draw_icons(folder: Path) -> None:
    """Write `briefbank.png` and, for Windows, `briefbank.ico` from the drawing."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PIL import Image
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication([])
    image = QImage(_ICON_PX, _ICON_PX, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(ROOT / "installer" / "icon" / "briefbank.svg")).render(painter)
    painter.end()
    image.save(str(folder / "briefbank.png"))
    application.quit()
    with Image.open(folder / "briefbank.png") as picture:
        picture.save(folder / "briefbank.ico", sizes=[(side, side) for side in (16, 24, 32, 48, 64, 128, 256)])


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
    if sys.platform != "linux" or shutil.which("strip") is None:
        return
    for name in contents.WITH_SYMBOLS:
        for library in folder.glob(name):
            subprocess.run(["strip", "--strip-debug", str(library)], check=True)


def _add_ocr(folder: Path, given: Path | None) -> list[Path]:
    if given is not None:
        shutil.copytree(given, folder)
        return []
    return add_ocr(folder) if sys.platform == "linux" else []


def _add_own_files(bundle: Path) -> None:
    # Where they lie in the source, so that the guides' links hold.
    for name in ("LICENSE", "CHANGELOG.md", "README.md", "docs", "models/README.md", "installer/schedule"):
        source = ROOT / name
        (bundle / name).parent.mkdir(exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, bundle / name)
    shutil.copy(ROOT / "installer" / "licences" / "SOURCE.md", bundle / "SOURCE.md")
    if sys.platform == "linux":
        linux = ROOT / "installer" / "linux"
        shutil.copy(linux / "install.sh", bundle)
        (bundle / "desktop").mkdir()
        for source in (*linux.glob("*.desktop"), linux / "briefbank.xml"):
            shutil.copy(source, bundle / "desktop")
        shutil.copy(ROOT / "installer" / "icon" / "briefbank.svg", bundle / "desktop")


def _taken_from_system(bundle: Path) -> list[Path]:
    """The system's libraries among what PyInstaller took, found again by their names."""
    if sys.platform != "linux":
        return []
    names = {path.name for path in (bundle / "_internal").glob("*.so*")}
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, encoding="utf-8", check=True).stdout
    places = {Path(line.rpartition("=> ")[2]) for line in listed.splitlines() if "=> " in line}
    return sorted(place for place in places if place.name in names)


def list_files(bundle: Path) -> str:
    """Write `files.csv` and return sizes by part, largest first."""
    sizes: dict[str, int] = {}
    paths = sorted(path for path in bundle.rglob("*") if path.is_file() and path.name != "files.csv")
    with (bundle / "files.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("path", "bytes", "sha256"))
        for path in paths:
            relative = path.relative_to(bundle)
            with path.open("rb") as opened:
                digest = hashlib.file_digest(opened, "sha256").hexdigest()
            size = path.lstat().st_size  # that of a link, not of what it leads to
            writer.writerow((relative.as_posix(), size, digest))
            part = "/".join(relative.parts[: 2 if relative.parts[0] == "_internal" else 1])
            sizes[part] = sizes.get(part, 0) + size
    lines = [f"{size / _MIB:8.1f} MiB  {part}" for part, size in sorted(sizes.items(), key=lambda each: -each[1])[:20]]
    return "\n".join([f"{sum(sizes.values()) / _MIB:8.1f} MiB  in {len(paths)} files", *lines, ""])


if __name__ == "__main__":
    sys.exit(main())
