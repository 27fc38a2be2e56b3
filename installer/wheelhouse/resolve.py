"""Lists the wheels that an offline installation needs on a system that this one is not: `resolve.py OUT_FOLDER`.

Writes `wheelhouse-windows.txt` and `wheelhouse-macos.txt`: one wheel a line with its SHA-256, and last what has none
and must be built on such a machine. Writes `windows/wheels.txt` for pip, with what goes into the offline folder for
Windows. Asks the package index that uv is set up for; downloads no wheel.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "installer" / "bundle"))
import contents  # noqa: E402

_PYTHON = (3, 11)
_MACOS = (14, 0)
_EXTRAS = ("index", "llm", "report", "cluster")
_OF_LAPTOPS = ("llm",)
"""The extras of the offline folder."""

_DISTRIBUTED_AS = {"sklearn": "scikit-learn", "google": "protobuf"}


@dataclass(frozen=True, slots=True)
class Target:
    """A system to install on; `uv_name` is what uv calls it."""

    name: str
    uv_name: str
    platforms: tuple[str, ...]
    needs: str

    @property
    def tags(self) -> set[Tag]:
        """What the wheels that fit it may be marked with."""
        return {*cpython_tags(_PYTHON, platforms=self.platforms), *compatible_tags(_PYTHON, "cp311", self.platforms)}


TARGETS = (
    Target("windows", "x86_64-pc-windows-msvc", ("win_amd64",), "Windows 10 or 11 on x86-64, Python 3.11"),
    Target("macos", "aarch64-apple-darwin", tuple(mac_platforms(_MACOS, "arm64")), "macOS 14 on ARM, Python 3.11"),
)


def main() -> int:
    """Resolve and list for each target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the lists go")
    folder: Path = parser.parse_args().folder
    for target in TARGETS:
        packages = resolve(target)
        (folder / f"wheelhouse-{target.name}.txt").write_text(listing(target, packages), encoding="utf-8")
    windows = TARGETS[0]
    thinned = resolve(windows, _OF_LAPTOPS, left_out=contents.LEFT_OUT)
    (folder / "windows" / "wheels.txt").write_text(requirements(windows, thinned), encoding="utf-8")
    return 0


def resolve(target: Target, extras: tuple[str, ...] = _EXTRAS, left_out: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The packages of an installation there, as the lock file of PEP 751 tells them.

    Modules that are left out are taken for not required, and so is what they alone require.
    """
    asked = [word for extra in extras for word in ("--extra", extra)]
    with TemporaryDirectory() as scratch:
        lock = Path(scratch) / "pylock.toml"
        overrides = Path(scratch) / "overrides.txt"
        names = sorted(_DISTRIBUTED_AS.get(module, re.sub(r"[._]", "-", module)) for module in left_out)
        overrides.write_text("".join(f"{name} ; python_version < '3'\n" for name in names), encoding="utf-8")
        subprocess.run(
            [
                *("uv", "pip", "compile", "--quiet", "pyproject.toml", *asked, "--constraint", "constraints.txt"),
                *("--override", str(overrides)),
                *("--python-platform", target.uv_name, "--python-version", ".".join(map(str, _PYTHON))),
                *("--format", "pylock.toml", "--output-file", str(lock)),
            ],
            cwd=ROOT,
            env={
                **os.environ,
                "MACOSX_DEPLOYMENT_TARGET": ".".join(map(str, _MACOS)),
                "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            },
            check=True,
        )
        packages: list[dict[str, Any]] = tomllib.loads(lock.read_text(encoding="utf-8"))["packages"]
    return packages


def listing(target: Target, packages: list[dict[str, Any]]) -> str:
    """The text of a target's list."""
    wheels: list[str] = []
    to_build: list[str] = []
    for package in packages:
        found = _fitting_wheel(package, target.tags)
        if found:
            wheels.append(f"{found[0]}  sha256:{found[1]}")
        else:
            to_build.append(f"{package['name']}=={package['version']}")
    return "\n".join(
        [
            f"# {target.needs}: wheels of BriefBank with the extras {', '.join(_EXTRAS)}, beside its own.",
            "# Written by installer/wheelhouse/resolve.py.",
            *wheels,
            "",
            "# No wheel is published for these: build each there, with a C++ compiler, by `pip wheel --no-deps NAME`.",
            *to_build,
            "",
        ]
    )


def requirements(target: Target, packages: list[dict[str, Any]]) -> str:
    """The text of a list that pip takes, each wheel with its digest."""
    lines = []
    for package in packages:
        found = _fitting_wheel(package, target.tags)
        named = f"{package['name']}=={package['version']}"
        lines.append(f"{named} --hash=sha256:{found[1]}" if found else f"# built here: {named}")
    return "\n".join(
        [f"# {target.needs}: what the offline folder holds. Written by installer/wheelhouse/resolve.py.", *lines, ""]
    )


def _fitting_wheel(package: dict[str, Any], tags: set[Tag]) -> tuple[str, str] | None:
    for wheel in package.get("wheels", ()):
        name = wheel.get("name") or wheel["url"].rpartition("/")[2].replace("%2B", "+")
        if parse_wheel_filename(name)[3] & tags:
            return name, wheel["hashes"]["sha256"]
    return None


if __name__ == "__main__":
    sys.exit(main())
