"""The two programs of a cluster, a scheduler and one worker process: `python -m briefbank.ingest.cluster.programs`.

Each is a child of the command that keeps it running (`keep`), ends with it, and opens no page for browsers.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import sys
from enum import IntEnum
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec

from briefbank.errors import UsageError
from briefbank.ingest.cluster.certificates import machine_certificates
from briefbank.ingest.cluster.engine import configure, foreign_error, is_reached, security
from briefbank.platform.files import write_atomic
from briefbank.platform.processes.this_process import die_with_parent, keep_private

_DEATH_S = 60
"""How long a worker looks for a scheduler that went away before it ends and is started anew."""


class Status(IntEnum):
    """With what a program ends that would end so again."""

    CANNOT_LISTEN = 3
    FOREIGN = 4


class SchedulerOptions(msgspec.Struct, frozen=True, tag="scheduler"):
    """Where the scheduler listens: on all addresses of the machine where `host` is empty; on the port that stands in
    the file `told` where `port` is 0, or on a free one, which it writes there.
    """

    certificates: str
    host: str
    port: int
    told: str = ""


class WorkerOptions(msgspec.Struct, frozen=True, tag="worker"):
    """Whom a worker process works for, under which name, and where this machine sees share and briefs."""

    certificates: str
    address: str
    name: str
    share: str
    folder: str


Options = SchedulerOptions | WorkerOptions


def error_of(options: Options, status: int) -> UsageError | None:
    """Why a program ended that must not be started anew; None where it may be."""
    if isinstance(options, SchedulerOptions) and status == Status.CANNOT_LISTEN:
        place = f"port {options.port}" + (f" of {options.host}" if options.host else "")
        advice = "Name another with --port, or end the other program; --listen takes an address of this machine."
        return UsageError(f"The scheduler cannot listen on {place}: it is taken, or not of this machine.", advice)
    if isinstance(options, WorkerOptions) and status == Status.FOREIGN:
        return foreign_error(options.address)
    return None


def read_port(told: Path) -> int:
    """Return the port that a scheduler wrote down; 0 before it has."""
    try:
        return int(told.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def main(arguments: list[str]) -> int:
    """Run the program that the one argument describes, until the parent goes or the scheduler does."""
    die_with_parent()
    keep_private()
    logging.basicConfig(level=logging.ERROR, format="%(name)s: %(message)s")
    # What Windows has no signal for: standard input closes when the parent goes.
    Thread(target=_end_with_input, name="briefbank-parent", daemon=True).start()
    options = msgspec.json.decode(arguments[0], type=Options)
    configure()
    return asyncio.run(_schedule(options) if isinstance(options, SchedulerOptions) else _work(options))


def _end_with_input() -> None:
    # Unbuffered: a thread that holds the buffer's lock has the interpreter abort when the program ends by itself.
    while os.read(0, 1):
        pass
    os._exit(0)


async def _schedule(options: SchedulerOptions) -> int:
    from distributed import Scheduler

    class WithoutPages(Scheduler):  # type: ignore[misc]
        """A scheduler that serves nothing to browsers."""

        def start_http_server(self, *_: Any, **__: Any) -> None:
            return

    made = WithoutPages(
        host=options.host,
        port=options.port or read_port(Path(options.told)),
        protocol="tls",
        security=security(machine_certificates(Path(options.certificates))),
        dashboard=False,
    )
    try:
        scheduler = await made
    except RuntimeError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        return Status.CANNOT_LISTEN
    async with scheduler:
        if options.told:
            write_atomic(Path(options.told), str(scheduler.port).encode())
        await scheduler.finished()
    return 0


async def _work(options: WorkerOptions) -> int:
    from distributed import Worker

    from briefbank.ingest.cluster import tasks

    class WithoutPages(Worker):  # type: ignore[misc]
        """A worker that serves nothing to browsers."""

        def start_http_server(self, *_: Any, **__: Any) -> None:
            return

    certificates = machine_certificates(Path(options.certificates))
    try:
        while not await is_reached(options.address, certificates):
            pass
    except UsageError:
        return Status.FOREIGN
    tasks.settle(Path(options.share), Path(options.folder))
    async with WithoutPages(
        options.address,
        # No two workers may have one name, also where one has died and the scheduler does not know yet.
        name=f"{options.name} {secrets.token_hex(4)}",
        nthreads=1,
        memory_limit=0,
        host=_own_host(),
        security=security(certificates),
        death_timeout=_DEATH_S,
        dashboard=False,
    ) as worker:
        await worker.finished()
    return 0


def _own_host() -> str:
    """Where a worker listens, which Dask insists on though nobody connects to workers: an address that no other machine
    reaches, and that no worker of another one is likely to have, since the scheduler knows workers by their addresses.
    """
    if sys.platform == "darwin":  # has the first of them alone
        return "127.0.0.1"
    return f"127.{1 + secrets.randbelow(254)}.{secrets.randbelow(256)}.{1 + secrets.randbelow(254)}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
