"""What the offline folders for Linux and Windows have in common, and how their files are listed.

Must not know how programs and libraries get into a folder.
"""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
import sys
from pathlib import Path

from briefbank import __version__
from briefbank.models.encoders import export_encoder
from briefbank.models.installed import read_manifest
from briefbank.platform.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "installer"))
from pack_source import pack_source  # noqa: E402

_MIB = 1 << 20
_ICON_PX = 256
SAMPLES = ROOT / "tests" / "data" / "samples" / "office"
_LONG_SCANS = ("2001", "2004", "2007", "2010")
"""Folders of samples that take a minute each to read; a short scan stays."""

_OWN = ("LICENSE", "CHANGELOG.md", "README.md", "docs", "models/README.md", "installer/schedule")


def add_encoder(folder: Path) -> None:
    """Write the ONNX form of the encoder into `folder`, below its name; one that is there and intact is kept."""
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


def add_samples(samples: Path, bundle: Path) -> None:
    """Copy the sample briefs, but for long scans."""
    shutil.copytree(samples, bundle / "samples", ignore=shutil.ignore_patterns(*_LONG_SCANS))


def add_own_files(bundle: Path) -> None:
    """Copy guides and licence where they lie in the source, so that the guides' links hold, and pack the source."""
    for name in _OWN:
        source = ROOT / name
        (bundle / name).parent.mkdir(exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, bundle / name)
    shutil.copy(ROOT / "installer" / "licences" / "SOURCE.md", bundle / "SOURCE.md")
    pack_source(bundle / "source" / f"briefbank-{__version__}.tar.gz")


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
