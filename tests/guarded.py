"""Tasks for the guarded pool that do what hostile files have readers do, and a worker that knows them.

Run as `python -m guarded` by the pool; `on_the_path` has its workers find this module.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from program import python_path

from briefbank.errors import BankDamagedError, EncryptedFileError, SourceError
from briefbank.platform.confine import own_processes
from briefbank.platform.processes.calls import Task, table
from briefbank.platform.processes.pool import work
from briefbank.platform.processes.this_process import die_with_parent

WORKER = "guarded"


@contextmanager
def on_the_path() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        here = Path(__file__).parent
        patched.setenv("PYTHONPATH", python_path(here.parent, here))  # others start children meanwhile
        yield


class Answer(Task[int], frozen=True):
    def run(self, _: object, /) -> int:
        return 42


class WhoAmI(Task[int], frozen=True):
    def run(self, _: object, /) -> int:
        return os.getpid()


class Refuse(Task[None], frozen=True):
    def run(self, _: object, /) -> None:
        raise EncryptedFileError("a.pdf is protected.", "Remove the password.")


class BlameTheBank(Task[None], frozen=True):
    def run(self, _: object, /) -> None:
        raise BankDamagedError("The bank is damaged.", "Make it anew.")


class Stumble(Task[None], frozen=True):
    def run(self, _: object, /) -> None:
        raise IndexError("the text of a brief")


class LoseTheShare(Task[None], frozen=True):
    def run(self, _: object, /) -> None:
        raise OSError(5, "Input/output error")


class Swell(Task[int], frozen=True):
    def run(self, _: object, /) -> int:
        return len(bytearray(2_000_000_000))


class Die(Task[None], frozen=True):
    number: int

    def run(self, _: object, /) -> None:
        os.kill(os.getpid(), self.number)
        time.sleep(60)


class InterruptSelf(Task[str], frozen=True):
    def run(self, _: object, /) -> str:
        signal.raise_signal(signal.SIGINT)
        return "still here"


class HangWithChild(Task[None], frozen=True):
    """Start a child as LibreOffice is, note both process ids in the scratch folder, and never come back."""

    converts = True
    note: str

    def run(self, _: object, /) -> None:
        command = [sys.executable, "-c", "import time; time.sleep(300)"]
        child = subprocess.Popen(command, preexec_fn=die_with_parent)  # noqa: PLW1509 - as the converter does it
        assert child.pid
        # By the numbers that they have outside: within a namespace this one is the first.
        Path(self.note).write_text(f"{Path('/proc/self').readlink()} {Path('/proc/thread-self/children').read_text()}")
        time.sleep(300)


class LeaveSomeoneBehind(Task[None], frozen=True):
    """Start a process that leaves its parent, and its session and group if it may; then answer, or die."""

    converts = True
    dies: bool

    def run(self, _: object, /) -> None:
        between = os.fork()
        if between == 0:
            with suppress(PermissionError):
                os.setsid()
            if os.fork():
                os._exit(0)
            time.sleep(300)
        os.waitpid(between, 0)
        if self.dies:
            os._exit(1)


class ForkForEver(Task[None], frozen=True):
    """Keep some processes forking, each alive for an instant; then answer, or never."""

    converts = True
    hangs: bool

    def run(self, _: object, /) -> None:
        for _each in range(6):
            if os.fork() == 0:
                with suppress(PermissionError):
                    os.setsid()
                while True:
                    if os.fork():
                        os._exit(0)
        time.sleep(300 if self.hangs else 0)


class StartProcess(Task[list[str]], frozen=True):
    """The ways by which this process can start another."""

    def run(self, _: object, /) -> list[str]:
        ways = {"fork": _forked, "program": lambda: subprocess.run(["true"], check=True), "session": os.setsid}
        done = []
        for name, way in ways.items():
            with suppress(OSError):
                way()
                done.append(name)
        return done


def _forked() -> None:
    if os.fork() == 0:
        os._exit(0)


class Work(Task[int], frozen=True):
    """Take so much processor time."""

    seconds: float

    def run(self, _: object, /) -> int:
        while time.process_time() < self.seconds:
            pass
        return 42


class HeavyModules(Task[list[str]], frozen=True):
    def run(self, _: object, /) -> list[str]:
        import briefbank.ingest.ocr.page
        import briefbank.ingest.worker  # noqa: F401
        from briefbank.ingest.readers.pdf_file import opened_pdf

        with suppress(SourceError), opened_pdf(Path("brief.pdf"), b"%PDF-1.7"):
            pass
        return sorted({"torch", "lancedb", "transformers", "onnxruntime", "bm25s"} & set(sys.modules))


class TryToWrite(Task[str], frozen=True):
    target: str

    def run(self, _: object, /) -> str:
        return written(self.target)


class TryToWriteConverted(Task[str], frozen=True):
    converts = True
    target: str

    def run(self, _: object, /) -> str:
        return written(self.target)


def written(target: str) -> str:
    try:
        Path(target).write_bytes(b"written by a hostile file")
    except OSError as error:
        return str(error.strerror)
    return "written"


class FillTheScratchFolder(Task[None], frozen=True):
    """Write without end: large files, empty ones, or ones that nobody sees any more; a megabyte every few ms."""

    converts = True
    how: str

    def run(self, _: object, /) -> None:
        held, kept = [], []
        for number in range(1_000_000):
            Path(f"folder-{number // 100}").mkdir(exist_ok=True)
            path = Path(f"folder-{number // 100}", f"file-{number}")
            held.append(path.open("w+b"))
            if self.how != "empty":
                held[-1].write(bytes(1_000_000))
            if self.how in {"removed", "mapped"}:
                held[-1].flush()
                path.unlink()
            if self.how == "mapped":
                kept.append(mapped_and_closed(held[-1].fileno()))
            if self.how != "removed":
                held.pop().close()
            time.sleep(0.001)


class TryToHarm(Task[list[str]], frozen=True):
    """What is done to a file that is not the worker's own; the names of what went through."""

    victim: str

    def run(self, _: object, /) -> list[str]:
        done = []
        victim = self.victim
        harms = {
            "append": lambda: Path(victim).open("ab").close(),
            "truncate": lambda: os.truncate(victim, 0),
            "remove": lambda: Path(victim).unlink(),
            "rename": lambda: Path(victim).rename(f"{victim}.taken"),
            "link": lambda: os.link(victim, "linked"),
            "folder": lambda: Path(victim).with_name("made").mkdir(),
            "by a child": lambda: subprocess.run(["sh", "-c", f"echo x >> {victim}"], stderr=-3, check=True),
        }
        for name, harm in harms.items():
            try:
                harm()
            except (OSError, subprocess.SubprocessError):
                continue
            done.append(name)
        return done


def mapped_and_closed(number: int) -> int:
    """Map a page of a file; mmap.mmap would keep the file open as well."""
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    return int(libc.mmap(None, ctypes.c_size_t(4096), mmap.PROT_READ, mmap.MAP_PRIVATE, number, ctypes.c_long(0)))


class SocketsOpened(Task[list[str]], frozen=True):
    def run(self, _: object, /) -> list[str]:
        families = ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_UNIX")
        return [name for name in families if can_open(getattr(socket, name))]


def can_open(family: int) -> bool:
    try:
        socket.socket(family, socket.SOCK_STREAM).close()
    except OSError:
        return False
    return True


class WriteWithoutEnd(Task[None], frozen=True):
    converts = True

    def run(self, _: object, /) -> None:
        with Path("endless").open("wb") as file:
            file.seek(1_000_000_000)
            file.write(b"more than any reader may write")


class Leave(Task[tuple[int, int]], frozen=True):
    """The mask of new files and the size that a core dump may have."""

    def run(self, _: object, /) -> tuple[int, int]:
        import resource

        return os.umask(0o077), resource.getrlimit(resource.RLIMIT_CORE)[0]


class Say(Task[int], frozen=True):
    """Write bytes where answers go, as a reader does that a hostile file has taken over; answer 42 after, if told."""

    data: bytes
    answers: bool = False

    def run(self, _: object, /) -> int:
        (pipe,) = (each for each in range(3, 20) if is_answering_pipe(each))
        rest = memoryview(self.data)
        while rest:
            rest = rest[os.write(pipe, rest) :]
        if not self.answers:
            time.sleep(60)
        return 42


def is_answering_pipe(number: int) -> bool:
    import fcntl

    try:
        mode = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE
        return mode == os.O_WRONLY and str(Path(f"/proc/self/fd/{number}").readlink()).startswith("pipe:")
    except OSError:
        return False


TASKS = table(*Task.__subclasses__())

if __name__ == "__main__":
    if "NO_NAMESPACES" in os.environ:
        own_processes._enter = lambda: False
    work(TASKS)
