"""Fetches one source package by pip, by its digest, and runs nothing of it.

pip asks every source package for its metadata before it hands it out, and would fetch the newest setuptools, which no
digest vouches for, to have the package's own code answer. Here a backend that only says name and version answers
instead. Must not know what is in a package.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path


class UntrustedPackageError(Exception):
    """What was fetched is not the package that is pinned."""


@dataclass(frozen=True, slots=True)
class SourcePackage:
    """A source package of PyPI: its name there, its version, its SHA-256, and the build backend that it names."""

    name: str
    version: str
    sha256: str
    backend: str = "setuptools.build_meta"

    @property
    def archive_name(self) -> str:
        """The file's name on PyPI."""
        return f"{self.name.replace('-', '_')}-{self.version}.tar.gz"

    def fetch(self, folder: Path) -> Path:
        """Download the archive into `folder`, or take the one that is there; return it, with its digest checked.

        Raises:
            UntrustedPackageError: the archive that is there has another digest.
            subprocess.CalledProcessError: pip did not find it, or found one with another digest.
        """
        archive = folder / self.archive_name
        if not archive.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory() as scratch:
                self._download(folder, Path(scratch))
        self.check(archive)
        return archive

    def check(self, archive: Path) -> None:
        """Pass the pinned archive. Raises UntrustedPackageError."""
        with archive.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != self.sha256:
                raise UntrustedPackageError(
                    f"{archive} is not the pinned package: its SHA-256 differs. Delete it, and build again."
                )

    def _download(self, folder: Path, scratch: Path) -> None:
        wanted = scratch / "wanted.txt"
        wanted.write_text(f"{self.name}=={self.version} --hash=sha256:{self.sha256}\n", encoding="utf-8")
        self._write_backend(scratch / "backend")
        words = (
            "--quiet",
            "--require-hashes",
            "--no-deps",
            "--no-binary=:all:",
            "--no-build-isolation",
            "--use-pep517",
        )
        command = [sys.executable, "-m", "pip", "download", *words, "--dest", str(folder), "--requirement", str(wanted)]
        subprocess.run(command, env={**os.environ, "PYTHONPATH": str(scratch / "backend")}, check=True)

    def _write_backend(self, folder: Path) -> None:
        """Put a module of the backend's name into `folder`, where Python finds it before the real one."""
        module = folder.joinpath(*self.backend.split(".")).with_suffix(".py")
        module.parent.mkdir(parents=True)
        (module.parent / "__init__.py").touch()
        metadata = f"Metadata-Version: 2.1\nName: {self.name}\nVersion: {self.version}\n"
        told = f"{self.name.replace('-', '_')}-{self.version}.dist-info"
        module.write_text(_BACKEND.format(metadata=metadata, told=told), encoding="utf-8")


_BACKEND = """
import pathlib
import sys

__legacy__ = sys.modules[__name__]


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(folder, config_settings=None):
    told = pathlib.Path(folder, {told!r})
    told.mkdir()
    (told / "METADATA").write_text({metadata!r}, encoding="utf-8")
    return told.name
"""
