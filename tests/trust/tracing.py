"""What a program did to the files below one folder, in order, read out of a trace of `strace`. Knows nothing of banks.

Paths and data are printed whole and in hexadecimal. A call counts from its end, and what a sync covers is what had
ended before it began, since threads write side by side.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path

import pytest

CALLS = (
    "openat,open,creat,write,pwrite64,writev,pwritev,pwritev2,lseek,ftruncate,truncate,rename,renameat,renameat2,unlink,"
    "unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,fsync,fdatasync,sync_file_range,fallocate,"
    "copy_file_range,sendfile,dup,dup2,dup3,fcntl,mmap,clone,clone3,fork,vfork"
)
_LINE = re.compile(r"(?P<tid>\d+) +(?:<\.\.\. \w+ resumed>(?P<rest>.*)|(?P<name>\w+)\((?P<args>.*))$", re.DOTALL)
_UNFINISHED = " <unfinished ...>"
_RESULT = re.compile(r"\)\s+= (?P<value>-?\d+)(?:<(?P<path>(?:\\x[0-9a-f]{2})+)[^>]*>)?")
_DESCRIPTOR = re.compile(r"(?P<number>AT_FDCWD|\d+)<(?P<path>[^>]*)>")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


def _can_trace() -> bool:
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False).returncode == 0


needs_strace = pytest.mark.skipif(not _can_trace(), reason="strace is not installed, or may not trace here")


@dataclass(frozen=True, slots=True)
class Call:
    """One call that succeeded. `began` is the number of the line on which it began."""

    process: int
    name: str
    arguments: str
    result: int
    result_path: str
    began: int

    def strings(self) -> list[bytes]:
        """The quoted arguments."""
        return [bytes_of(each) for each in _STRING.findall(self.arguments)]

    def numbers(self) -> list[int]:
        """The arguments that are numbers, without those in quotes."""
        plain = _DESCRIPTOR.sub("", _STRING.sub("", self.arguments))
        return [int(each) for each in re.findall(r"(?:^|, )(-?\d+)(?=,|$)", plain)]

    def descriptor(self) -> tuple[int, str]:
        """The first file descriptor, and the path or other name that it stands for now; -1 where there is none."""
        match = re.match(r"(\d+)<((?:\\x[0-9a-f]{2})*)", self.arguments)
        return (int(match[1]), bytes_of(match[2]).decode()) if match else (-1, "")

    def paths_of_descriptors(self) -> list[str]:
        """The paths or other names that the file descriptors among the arguments stand for."""
        return [bytes_of(path).decode() for _, path in _DESCRIPTOR.findall(_STRING.sub("", self.arguments))]

    def paths(self) -> list[str]:
        """The paths among the arguments, made absolute by the descriptor before them."""
        found, base = [], "/"
        for match in re.finditer(rf"{_DESCRIPTOR.pattern}|{_STRING.pattern}", self.arguments):
            if match["path"] is not None:
                base = bytes_of(match["path"]).decode()
            else:
                found.append(os.path.normpath(Path(base) / bytes_of(match[3]).decode()))
        return found


def bytes_of(hexadecimal: str) -> bytes:
    """What strace printed as `\\x2f\\x74`."""
    return bytes.fromhex(hexadecimal.replace("\\x", ""))


def record(command: Sequence[str], trace: Path, *, environment: dict[str, str], cwd: Path) -> str:
    """Run a command under strace, which writes to `trace`; returns what it printed. It must end well."""
    words = ["strace", "-f", "-y", "-xx", "-s", "100000000", "-e", f"trace={CALLS}", "-e", "signal=none"]
    done = subprocess.run(
        [*words, "-o", str(trace), *command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def calls(trace: Path) -> Iterator[Call]:
    """The calls of a trace that succeeded, by their ends; threads are told as the process they belong to.

    A folder counts from the beginning of its making: another thread may work in it before the end is seen.
    """
    ended = [call for _, call in sorted(_ended(trace), key=itemgetter(0))]
    process: dict[int, int] = {}
    for each in ended:  # first of all, since a thread may be seen at work before the call that began it has ended
        if each.name.startswith("clone") and "CLONE_THREAD" in each.arguments:
            process[each.result] = each.process
    for each in ended:
        of = each.process
        while of in process:
            of = process[of]
        yield replace(each, process=of)


def _ended(trace: Path) -> Iterator[tuple[int, Call]]:
    started: dict[int, tuple[str, str, int]] = {}
    with trace.open(encoding="ascii", errors="replace") as lines:
        for number, line in enumerate(lines):
            match = _LINE.match(line.rstrip("\n"))
            if match is None:
                continue
            tid = int(match["tid"])
            if match["name"] and match["args"].endswith(_UNFINISHED):
                started[tid] = match["name"], match["args"].removesuffix(_UNFINISHED), number
                continue
            name, arguments, began = (match["name"], match["args"], number) if match["name"] else started.pop(tid)
            whole = arguments if match["name"] else arguments + match["rest"]
            results = list(_RESULT.finditer(whole))
            if results and int(results[-1]["value"]) >= 0:
                last = results[-1]
                path = bytes_of(last["path"] or "").decode()
                place = began if name.startswith("mkdir") else number
                yield place, Call(tid, name, whole[: last.start()], int(last["value"]), path, began)
