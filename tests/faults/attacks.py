"""What a program that took over a reader would try, on the real kernel; a script that `test_confine.py` runs.

Every attack ends as "done" where it went through, "refused" where the kernel said no. They harm only their target.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import platform
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_NUMBERS = {  # of x86_64 and aarch64
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "io_uring_setup": (425, 425),
    "prlimit64": (302, 261),
    "pidfd_open": (434, 434),
    "clone": (56, 220),
    "fallocate": (285, 47),
    "shmget": (29, 194),
    "mq_open": (240, 180),
}
_IS_ARM = platform.machine() == "aarch64"
_CLONE_NEWUSER = 0x10000000
_F_SETOWN = 8
_REFUSALS = {errno.EPERM, errno.EACCES, errno.ENOSYS}


@dataclass(frozen=True, slots=True)
class Target:
    """What may be harmed: a folder of the test, and a process of the test that must live on."""

    folder: Path
    process: int
    listener: str


def call(name: str, *arguments: object) -> None:
    """Make a system call past every library.

    Raises:
        OSError: the kernel refused it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(_NUMBERS[name][_IS_ARM], *arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def _clone_into_namespace(_: Target) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    made = libc.syscall(_NUMBERS["clone"][_IS_ARM], _CLONE_NEWUSER | signal.SIGCHLD, 0, 0, 0, 0)
    if made == 0:
        os._exit(0)
    if made < 0:
        raise OSError(ctypes.get_errno(), "clone")
    os.waitpid(made, 0)


def _call_of_x32(_: Target) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(0x40000000 + 39) < 0:  # getpid, which a kernel without x32 refuses too
        raise OSError(ctypes.get_errno(), "x32")


def _truncate_by_opening(target: Target) -> None:
    os.close(os.open(target.folder / "kept", os.O_RDONLY | os.O_TRUNC))


def _send_datagram(target: Target) -> None:
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.sendto(b"x", target.listener)


def _connect(target: Target) -> None:
    socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).connect(target.listener)


def _limit_of_another(target: Target) -> None:
    call("prlimit64", target.process, 7, ctypes.create_string_buffer(16), None)


def _thread_that_kills(target: Target) -> None:
    """Signals are held for threads too, which seccomp and Landlock take from the thread that starts them."""
    failed: list[OSError] = []

    def kill() -> None:
        try:
            os.kill(target.process, 0)
        except OSError as error:
            failed.append(error)

    thread = threading.Thread(target=kill)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def _by_a_program_it_starts(target: Target) -> None:
    if subprocess.run(["chmod", "0777", target.folder / "kept"], capture_output=True, check=False).returncode:
        raise PermissionError(errno.EPERM, "chmod")


ON_FILES: dict[str, Callable[[Target], object]] = {
    "write": lambda t: (t.folder / "kept").write_text("x"),
    "write anew": lambda t: (t.folder / "new").write_text("x"),
    "empty": lambda t: os.truncate(t.folder / "kept", 0),
    "empty by opening": _truncate_by_opening,
    "remove": lambda t: (t.folder / "kept").unlink(),
    "rename": lambda t: (t.folder / "kept").rename(t.folder / "moved"),
    "make a folder": lambda t: (t.folder / "new").mkdir(),
    "link": lambda t: os.link(t.folder / "kept", t.folder / "new"),
    "point to": lambda t: (t.folder / "new").symlink_to("kept"),
    "make a pipe": lambda t: os.mkfifo(t.folder / "new"),
}
"""What Landlock refuses."""

ON_CALLS: dict[str, Callable[[Target], object]] = {
    "change rights": lambda t: (t.folder / "kept").chmod(0o777),
    "change the owner": lambda t: os.chown(t.folder / "kept", -1, os.getgid()),
    "change the time": lambda t: os.utime(t.folder / "kept", (0, 0)),
    "change attributes": lambda t: os.setxattr(t.folder / "kept", "user.x", b"x"),
    "change rights by chmod": _by_a_program_it_starts,
    "internet": lambda _: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    "internet 6": lambda _: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM),
    "netlink": lambda _: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "connect": _connect,
    "send to": _send_datagram,
    "io_uring": lambda _: call("io_uring_setup", 8, ctypes.create_string_buffer(256)),
    "ptrace": lambda t: call("ptrace", 0x4206, t.process, 0, 0),
    "unshare": lambda _: call("unshare", _CLONE_NEWUSER),
    "clone into a namespace": _clone_into_namespace,
    "memory as a file": lambda _: call("memfd_create", b"x", 0),
    "user faults": lambda _: call("userfaultfd", 1),
    "limits of another": _limit_of_another,
    "a hold on another": lambda t: call("pidfd_open", t.process, 0),
    "shared memory": lambda _: call("shmget", 0x4242, 4096, 0o1600),
    "own signals": lambda t: fcntl.fcntl(os.open(t.folder / "kept", os.O_RDONLY), _F_SETOWN, os.getpid()),
    "reserve disk": lambda t: call("fallocate", os.open("own", os.O_WRONLY | os.O_CREAT), 0, 0, 4096),
}
"""What seccomp refuses, and a process without limits may do on this machine."""

NEVER: dict[str, Callable[[Target], object]] = {
    "keyctl": lambda _: call("keyctl", 0, -3, 1),
    "bpf": lambda _: call("bpf", 0, ctypes.create_string_buffer(128), 128),
    "perf": lambda _: call("perf_event_open", ctypes.create_string_buffer(128), 0, -1, -1, 0),
    "mount": lambda _: call("mount", b"none", b"/mnt", b"tmpfs", 0, None),
    "setns": lambda _: call("setns", os.open("/proc/self/ns/net", os.O_RDONLY), 0),
    "read another's memory": lambda t: call("process_vm_readv", t.process, None, 0, None, 0, 0),
    "another's memory as a file": lambda t: os.open(f"/proc/{t.process}/mem", os.O_RDWR),
    "32-bit numbers": _call_of_x32,
    "type into the terminal": lambda _: fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), 0x5412, b"x"),
}
"""What is refused to many users without limits too."""

ON_SIGNALS: dict[str, Callable[[Target], object]] = {
    "signal another": lambda t: os.kill(t.process, 0),
    "signal another from a thread": _thread_that_kills,
    "stop another": lambda t: os.kill(t.process, signal.SIGSTOP),
}
"""What Landlock refuses from Linux 6.12."""

LOCKS: dict[str, Callable[[Target], object]] = {
    "lock the bank": lambda t: fcntl.flock(os.open(t.folder / "kept", os.O_RDONLY), fcntl.LOCK_EX),
    "lock the log": lambda t: fcntl.lockf(os.open(t.folder / "kept", os.O_RDONLY), fcntl.LOCK_SH),
}
"""What readers may not do; LibreOffice and SQLite lock files."""

UNIX_SOCKET: dict[str, Callable[[Target], object]] = {
    "Unix socket": lambda _: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
}
ATTACKS = {**ON_FILES, **ON_CALLS, **NEVER, **LOCKS, **UNIX_SOCKET, **ON_SIGNALS}


def attempted(attack: Callable[[Target], object], target: Target) -> str:
    """What came of it."""
    try:
        attack(target)
    except OSError as error:
        return "refused" if error.errno in _REFUSALS else f"failed: {error}"
    return "done"


def _set_out(folder: Path) -> None:
    """Put the file that is attacked back, where nothing holds this process from it."""
    (folder / "new").rmdir() if (folder / "new").is_dir() else (folder / "new").unlink(missing_ok=True)
    (folder / "kept").write_text("kept", encoding="utf-8")


def main(words: Sequence[str]) -> None:
    """Take on the limits that the first word names, then try every attack that the others name."""
    from briefbank.platform.confine import confine, only_read

    limits, scratch, folder, process, listener, *names = words
    missing: tuple[str, ...] = ()
    if limits == "show":
        missing = only_read()
    elif limits == "none":
        os.chdir(scratch)
    else:
        missing = confine(Path(scratch), 2_000_000_000, converts=limits == "convert")
    target = Target(Path(folder), int(process), listener)
    came = {}
    for name in names:
        if limits == "none":
            _set_out(target.folder)
        came[name] = attempted(ATTACKS[name], target)
    sys.stdout.write(json.dumps({"missing": missing, "came": came}))


if __name__ == "__main__":
    main(sys.argv[1:])
