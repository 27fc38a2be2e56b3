"""What holds readers of untrusted files elsewhere and is missing on this machine, in words for IT."""

from __future__ import annotations

import sys
from collections.abc import Iterator

_READER = "a file that takes over the program that reads it"


def missing_protection() -> tuple[str, ...]:
    """One sentence for each protection that this machine lacks: what it is, what that means, and what to do.

    To be asked by a process that is not confined: one that is may not ask any more.
    """
    return tuple(_missing_on_linux() if sys.platform == "linux" else _missing_elsewhere())


def _missing_elsewhere() -> Iterator[str]:
    yield (
        "This system has neither Landlock nor seccomp, which are Linux's own: "
        f"{_READER} has all rights of this user; index on Linux, and carry packs to this machine."
    )


def _missing_on_linux() -> Iterator[str]:
    from briefbank.platform.confine import landlock, seccomp

    if not seccomp.is_there():
        yield (
            "The kernel filters no system calls (seccomp), or this processor's calls are not known here: "
            f"{_READER} can reach the network and other programs; use a kernel with CONFIG_SECCOMP_FILTER on x86_64 "
            "or aarch64."
        )
    version = landlock.version()
    if version == 0:
        yield (
            "The kernel has no Landlock, or has it switched off: "
            f"{_READER} can change and remove this user's files and stop other programs; use Linux 6.12 or newer, with "
            "landlock among the modules of its lsm= option."
        )
    elif version < landlock.SCOPES:
        emptied = "empty this user's files and " if version < landlock.TRUNCATES else ""
        yield (
            f"The kernel is older than Linux 6.12: {_READER} can {emptied}stop other programs of this user; use Linux "
            "6.12 or newer."
        )
