"""A file system that forgets what was not synced: `python forgetful.py KEPT MOUNTED`, until it is killed.

Names are kept at once, as a journal does; data stays in memory until the file is synced, and goes with the process.
What lies in KEPT then is what a disk would hold after a power cut. The idea is that of LazyFS (Azevedo et al., "Toward
a Better Understanding of File System Faults", 2024), which is C++ and nowhere packaged.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mfusepy


class Forgetful(mfusepy.Operations):
    """Passes everything through to a folder but the data, which it holds by inode until it is synced."""

    use_ns = True

    def __init__(self, kept: str) -> None:
        self._kept = Path(kept)
        self._unsynced: dict[int, bytearray] = {}

    def _real(self, path: str) -> Path:
        return self._kept / path.removeprefix("/")

    def _data(self, descriptor: int) -> bytearray:
        """The data of a file as it is now, to be changed."""
        inode = os.fstat(descriptor).st_ino
        if inode not in self._unsynced:
            size = os.fstat(descriptor).st_size
            self._unsynced[inode] = bytearray(os.pread(descriptor, size, 0))
        return self._unsynced[inode]

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        told = os.lstat(self._real(path)) if fh is None else os.fstat(fh)
        names = ("st_mode", "st_nlink", "st_uid", "st_gid", "st_ino", "st_size")
        size = {"st_size": len(self._unsynced[told.st_ino])} if told.st_ino in self._unsynced else {}
        times = {f"st_{each}time": getattr(told, f"st_{each}time_ns") for each in "amc"}
        return {**{name: getattr(told, name) for name in names}, **times, **size}

    def readdir(self, path: str, fh: int) -> Iterator[str]:
        yield from (".", "..", *(each.name for each in self._real(path).iterdir()))

    def mkdir(self, path: str, mode: int) -> None:
        self._real(path).mkdir(mode)

    def rmdir(self, path: str) -> None:
        self._real(path).rmdir()

    def unlink(self, path: str) -> None:
        self._real(path).unlink()

    def rename(self, old: str, new: str, flags: int = 0) -> None:
        if flags:
            raise mfusepy.FuseOSError(errno.EINVAL)
        self._real(old).rename(self._real(new))

    def link(self, target: str, source: str) -> None:
        os.link(self._real(source), self._real(target))

    def chmod(self, path: str, mode: int) -> None:
        self._real(path).chmod(mode)

    def chown(self, path: str, uid: int, gid: int) -> None:
        os.chown(self._real(path), uid, gid)

    def utimens(self, path: str, times: tuple[int, int] | None = None) -> None:
        os.utime(self._real(path), ns=times)

    def statfs(self, path: str) -> dict[str, int]:
        told = os.statvfs(self._real(path))
        return {name: getattr(told, name) for name in dir(told) if name.startswith("f_") and name != "f_fsid"}

    def create(self, path: str, mode: int, fi: Any = None) -> int:
        descriptor = os.open(self._real(path), os.O_RDWR | os.O_CREAT, mode)
        self._unsynced.pop(os.fstat(descriptor).st_ino, None)  # of a file that is gone, whose number is used again
        return descriptor

    def open(self, path: str, flags: int) -> int:
        writes = flags & (os.O_WRONLY | os.O_RDWR)
        descriptor = os.open(self._real(path), os.O_RDWR if writes else os.O_RDONLY)
        if flags & os.O_TRUNC:
            self._data(descriptor).clear()
        return descriptor

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
        unsynced = self._unsynced.get(os.fstat(fh).st_ino)
        return os.pread(fh, size, offset) if unsynced is None else bytes(unsynced[offset : offset + size])

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        now = self._data(fh)
        now.extend(bytes(max(0, offset - len(now))))
        now[offset : offset + len(data)] = data
        return len(data)

    def truncate(self, path: str, length: int, fh: int | None = None) -> None:
        descriptor = os.open(self._real(path), os.O_RDWR) if fh is None else fh
        now = self._data(descriptor)
        now.extend(bytes(max(0, length - len(now))))
        del now[length:]
        if fh is None:
            os.close(descriptor)

    def fsync(self, path: str, datasync: int, fh: int) -> None:
        unsynced = self._unsynced.pop(os.fstat(fh).st_ino, None)
        if unsynced is not None:
            with Path(f"/proc/self/fd/{fh}").open("r+b") as file:  # what is synced may be open for reading only
                file.write(unsynced)
                file.truncate()

    def fsyncdir(self, path: str, datasync: int, fh: int) -> None:
        pass

    def flush(self, path: str, fh: int) -> None:
        pass

    def release(self, path: str, fh: int) -> None:
        os.close(fh)


if __name__ == "__main__":
    mfusepy.FUSE(Forgetful(sys.argv[1]), sys.argv[2], foreground=True, nothreads=True, fsname="forgetful")
