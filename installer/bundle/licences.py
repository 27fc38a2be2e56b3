"""Gathers the licences of everything that the offline folder holds, from the packages' own metadata.

Must not judge them: a person reads `licences/list.csv`. A part without a text of its own is named there, and as such.
"""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from briefbank.models.installed import read_manifest

_TEXT = re.compile(r"(?i)(licen[cs]e|copying|notice|authors)[^/]*$")
_SHARED_TEXTS = ("LGPL-3", "LGPL-2.1", "GPL-3", "GPL-2", "Apache-2.0")
"""Texts that Debian's copyright files and Qt's packages refer to without repeating them."""


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the list."""

    name: str
    version: str
    licence: str
    texts: str
    source: str


def gather(libraries: Iterable[str], system_files: Iterable[Path], folder: Path) -> list[Part]:
    """Copy the licence texts of Python packages and system files into `folder`, list them, and return the list."""
    texts = [*Path(sys.base_prefix).glob("LICENSE*"), *Path(sys.base_prefix).glob("lib/python3*/LICENSE.txt")]
    version = ".".join(map(str, sys.version_info[:3]))
    return _gather([distribution(name) for name in libraries], system_files, folder, python=(version, texts[:1]))


def gather_installed(
    packages: Path, python: tuple[str, Path], system_files: Iterable[Path], folder: Path
) -> list[Part]:
    """The same for what lies in a folder of packages of another system; `python` is its version and licence."""
    installed = sorted(distributions(path=[str(packages)]), key=lambda each: each.name.lower())
    version, text = python
    return _gather([distribution("briefbank"), *installed], system_files, folder, python=(version, [text]))


def _gather(
    libraries: Iterable[Distribution], system_files: Iterable[Path], folder: Path, *, python: tuple[str, list[Path]]
) -> list[Part]:
    folder.mkdir(parents=True, exist_ok=True)
    parts = [_python(folder, *python), *_encoders(), *(_library(each, folder) for each in libraries)]
    parts += _system_parts(system_files, folder)
    for name in _SHARED_TEXTS:
        text = Path("/usr/share/common-licenses") / name
        if text.is_file():
            shutil.copy(text, folder / f"{name}.txt")
    with (folder / "list.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(field.name for field in fields(Part))
        writer.writerows(astuple(part) for part in parts)
    return parts


def _python(folder: Path, version: str, texts: list[Path]) -> Part:
    count = _copy(texts, folder / "python")
    return Part("Python", version, "PSF-2.0", count, "https://www.python.org/downloads/source/")


def _encoders() -> Iterator[Part]:
    """The models inside; the text of their licence is among those that are shared."""
    for entry in read_manifest():
        if entry.role == "encoder" and entry.package:
            version = distribution(entry.package).version
            source = f"Python package index: {entry.package} {version}"
            yield Part(entry.name, version, entry.licence, f"{entry.licence}.txt", source)


def _library(known: Distribution, folder: Path) -> Part:
    name = re.sub(r"[-_.]+", "-", known.name).lower()
    texts = [Path(str(known.locate_file(file))) for file in known.files or [] if _TEXT.search(str(file))]
    told = known.metadata
    classifiers = [each for each in told.get_all("Classifier") or [] if each.startswith("License")]
    by_classifiers = ", ".join(each.rpartition(" :: ")[2] for each in classifiers)
    named = str(told.json.get("license_expression") or "")
    licence = named or by_classifiers or str(told.json.get("license") or "").partition("\n")[0]
    is_own = name == "briefbank"
    source = "source/" if is_own else f"Python package index: {known.name} {known.version}"
    return Part(known.name, known.version, licence, _copy(texts, folder / name), source)


def _system_parts(system_files: Iterable[Path], folder: Path) -> Iterator[Part]:
    """The Debian packages that the system's files came in, each with its copyright file."""
    packages: dict[str, str] = {}
    for file in system_files:
        # A merged /usr lets a library be known under the place that its package gives it.
        for place in (file.resolve(), Path("/", *file.resolve().parts[2:])):
            asked = ["dpkg-query", "-S", str(place)]
            owner = subprocess.run(asked, capture_output=True, encoding="utf-8", check=False).stdout.partition(":")[0]
            if owner:
                shown = ["dpkg-query", "-W", "-f", "${Version}\n", owner]
                versions = subprocess.run(shown, capture_output=True, encoding="utf-8", check=False).stdout
                packages[owner] = versions.partition("\n")[0]
                break
    for name, version in sorted(packages.items()):
        count = _copy([Path("/usr/share/doc") / name / "copyright"], folder / name)
        yield Part(name, version, "see its text", count, f"Debian source package of {name} {version}")


def _copy(texts: Iterable[Path], folder: Path) -> str:
    """Copy the texts that are there; return how many in words for the list."""
    there = [text for text in texts if text.is_file()]
    for number, text in enumerate(there, start=1):
        folder.mkdir(exist_ok=True)
        target = folder / text.name
        shutil.copy(text, target if not target.exists() else folder / f"{number}-{text.name}")
    return f"{folder.name}/ ({len(there)})" if there else "none of its own"
