"""The one writer's lock, and who holds it; knows nothing of what is written.

The operating system frees it when the process ends, however it ends. It can outlive its holder only where a bank lies
on a disk that several machines share, which is why host, program and age are told, and why it can be broken.
"""

from __future__ import annotations

import getpass
import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from briefbank import __version__
from briefbank.errors import BankInUseError
from briefbank.platform.files import remove_unfinished, write_atomic

_WAIT = "Wait until it has finished, or stop it, then run the command again."
_BREAK = "If no such program runs there any more, run `briefbank index FOLDER --break-lock`."


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds a lock. `started` is when its process began, in seconds since 1970: ids of processes are used again."""

    user: str
    host: str
    pid: int
    started: float
    program: str
    since: str

    @classmethod
    def here(cls) -> Owner:
        """This process."""
        import psutil

        user = ""
        with suppress(OSError, KeyError):  # a system account without a name
            user = getpass.getuser()
        began = psutil.Process().create_time()
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(user, platform.node(), os.getpid(), began, f"briefbank {__version__}", now)

    @property
    def is_here(self) -> bool:
        return self.host == platform.node()

    @property
    def is_alive(self) -> bool:
        """Whether its process runs, as far as this machine can tell."""
        import psutil

        try:
            return self.is_here and abs(psutil.Process(self.pid).create_time() - self.started) < 1.0
        except psutil.Error:
            return False

    def description(self) -> str:
        """Say who it is, and since when, for people."""
        age_s = max(0.0, (datetime.now(UTC) - datetime.fromisoformat(self.since)).total_seconds())
        minutes = round(age_s / 60)
        age = f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"
        by = f" of {self.user}" if self.user else ""
        return f"{self.program}, process {self.pid}{by} on {self.host}, since {self.since} ({age})"


@contextmanager
def writer_lock(path: Path) -> Iterator[None]:
    """Hold the one writer's lock.

    Raises:
        BankInUseError: another process holds it, or another machine says so; the message tells which and since when.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise _in_use(path) from error
    try:
        other = _read_owner(path)
        if other and not other.is_here:  # not every network disk passes locks on to other machines
            raise _in_use(path)
        remove_unfinished(_owner_file(path))
        write_atomic(_owner_file(path), json.dumps(asdict(Owner.here())).encode())
        try:
            yield
        finally:
            _owner_file(path).unlink(missing_ok=True)
    finally:
        lock.release()


def break_lock(path: Path) -> str:
    """Take a lock away from whoever left it; returns who that was, or an empty text where nobody holds it.

    Raises:
        BankInUseError: its holder runs on this machine.
    """
    owner = _read_owner(path)
    if owner is None:
        return ""
    if owner.is_alive:
        raise _in_use(path)
    _owner_file(path).unlink(missing_ok=True)
    with suppress(OSError):  # held in the kernel of another machine; a new file gets a new lock
        path.unlink(missing_ok=True)
    return owner.description()


def _in_use(path: Path) -> BankInUseError:
    owner = _read_owner(path)
    if owner is None:
        return BankInUseError("Another program is writing to this bank.", _WAIT)
    advice = _WAIT if owner.is_alive else f"{_WAIT} {_BREAK}"
    return BankInUseError(f"Another program is writing to this bank: {owner.description()}.", advice)


def _owner_file(path: Path) -> Path:
    return path.with_suffix(".owner")


def _read_owner(path: Path) -> Owner | None:
    try:
        return Owner(**json.loads(_owner_file(path).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
