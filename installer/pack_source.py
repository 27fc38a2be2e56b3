"""Packs the program's source as it lies here into one archive: `pack_source.py OUT.tar.gz`.

Goes with the offline folder, as its licence asks, and is what wheels are built from: a build inside the checkout would
take up what an earlier one left there.
"""

from __future__ import annotations

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
    with tarfile.open(archive, "w:gz") as tar:
        for name in sorted(set(filter(None, names))):
            path = ROOT / name
            if path.is_symlink() or path.exists():
                tar.add(path, f"briefbank/{name}", recursive=False, filter=_without_owner)


def _without_owner(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return info


if __name__ == "__main__":
    pack_source(Path(sys.argv[1]))
