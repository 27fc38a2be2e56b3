"""Packs the program's source as it lies here into one archive: `pack_source.py OUT.tar.gz`.

Goes with the offline folder, as its licence asks, and is what wheels are built from: a build inside the checkout would
take up what an earlier one left there.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def pack_source(archive: Path) -> None:
    """Write every file that git knows or does not ignore, below one folder, without owners."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout.split("\0")
    archive.parent.mkdir(parents=True, exist_ok=True)
    epoch = source_time()
    with (
        archive.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=epoch) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for name in sorted(set(filter(None, names))):
            path = ROOT / name
            if path.is_symlink() or path.exists():
                tar.add(path, f"briefbank/{name}", recursive=False, filter=lambda info: _plain(info, epoch))


def source_time() -> int:
    """The time that everything built bears, in seconds since 1970: SOURCE_DATE_EPOCH, else that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    asked = ["git", "log", "-1", "--format=%ct"]
    return int(subprocess.run(asked, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout)


def _plain(info: tarfile.TarInfo, epoch: int) -> tarfile.TarInfo:
    """Without what tells of the machine, so that the same source gives the same bytes."""
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = epoch
    info.mode = 0o755 if info.mode & 0o100 else 0o644
    return info


if __name__ == "__main__":
    pack_source(Path(sys.argv[1]))
