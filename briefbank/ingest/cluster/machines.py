"""The machines of a cluster as Dask has them: scheduler, workers, connections to them, and a cluster of this machine.

Nothing listens without TLS 1.3 and a certificate on both sides, and no page is served to browsers.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import secrets
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from briefbank.errors import EngineDiedError, UsageError
from briefbank.ingest.cluster.certificates import Certificates
from briefbank.platform.progress import POLL_S, CancelToken
from briefbank.platform.scratch import scratch_folder
from briefbank.platform.settings import core_count

if TYPE_CHECKING:
    from distributed import Client, Security, SpecCluster
    from tornado.ioloop import IOLoop

CONFIGURATION = {
    "distributed.comm.tls.min-version": 1.3,
    "distributed.comm.require-encryption": True,
    # Workers have children of their own: the confined processes that read files.
    "distributed.worker.daemon": False,
    # No text of a brief is written to a disk; a worker that swells is killed and started anew.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    # A busy machine need not answer for as long (distributed#6148: shorter ones killed workers that were at work).
    "distributed.scheduler.worker-ttl": "30 minutes",
    # A file over which two workers died is read alone later, where no other is blamed, and may kill two more.
    "distributed.scheduler.allowed-failures": 1,
    # Of 300,000 contents that the bank has, the digests take 10 MB.
    "distributed.admin.large-graph-warning-threshold": "1 GB",
    "distributed.worker.profile.enabled": False,
    "logging": {"distributed": "critical", "distributed.client": "critical", "tornado": "critical"},
}
"""Of Dask, in all processes of a cluster."""
_MEMORY = "3 GiB"
"""Of a worker process, without the readers of files, which have their own limits."""
_OF_CERTIFICATES = ("CERTIFICATE", "UNKNOWN_CA")
"""In the names that OpenSSL has for faults of certificates, on either side."""
_CONNECT_S = 20.0
"""Chosen: on a machine that is busy with reading a connection took 3.6 s."""
_REACHED_S, _PAUSE_S = 5.0, 1.0
_CLOSE_S = 2.0
_HERE = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker process: its machine's name, and the address of that in the network."""

    machine: str
    host: str


def configure() -> None:
    """Set Dask up; before anything else of it is imported.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import dask
    except ImportError as error:
        advice = 'Install it: pip install "briefbank[cluster]"'
        raise UsageError("What spreads work over machines (Dask) is not installed.", advice) from error
    dask.config.set(CONFIGURATION)


def security(certificates: Certificates) -> Security:
    """By what this machine proves itself, and whom it believes."""
    configure()
    from distributed import Security

    machine, key = str(certificates.machine), str(certificates.key)
    pairs = {f"tls_{role}_cert": machine for role in ("client", "scheduler", "worker")}
    keys = {f"tls_{role}_key": key for role in ("client", "scheduler", "worker")}
    return Security(require_encryption=True, tls_ca_file=str(certificates.authority), **pairs, **keys)


def require_address(address: str) -> str:
    """Return the address of a scheduler. Raises UsageError where it is none, or not encrypted."""
    kind, _, place = address.partition("://")
    host, _, port = place.rpartition(":")
    if kind != "tls" or not host or not port.isdecimal() or "@" in place or "/" in place:
        advice = "Give it as tls://HOST:PORT, as `briefbank cluster scheduler` prints it."
        raise UsageError(f"{address} is no address of a scheduler.", advice)
    return address


@contextmanager
def connection(address: str, own: Security) -> Iterator[Client]:
    """Connect to a scheduler while the block lasts.

    Raises:
        UsageError: who answers has certificates of another authority.
        EngineDiedError: the scheduler does not answer.
    """
    configure()
    from distributed import Client

    class ClosedClient(Client):  # type: ignore[misc]
        """A client that is closed by its block alone."""

        def __del__(self) -> None:
            """Do nothing. Dask would close again, and wait forever for a lock of its own where the garbage collector
            comes by while another client starts.
            """

    with _loop() as loop:
        try:
            client = ClosedClient(
                address, loop=loop, security=own, timeout=_CONNECT_S, set_as_default=False, direct_to_workers=False,
                name="briefbank",
            )  # fmt: skip
        # What is no TLS, or not ours, comes as an OSError too.
        except OSError as error:
            if _is_of_certificates(error):
                raise _foreign_error(address) from error
            advice = "See that it runs and is reached from here."
            raise EngineDiedError(f"The scheduler at {address} does not answer.", advice) from error
        try:
            yield client
        finally:
            client.close(_CLOSE_S)


@contextmanager
def _loop() -> Iterator[IOLoop]:
    """Run a loop in a thread of its own: a client that fails to connect leaves one that it started itself behind."""
    from tornado.ioloop import IOLoop

    loop = IOLoop(make_current=False)
    thread = Thread(target=loop.start, name="cluster")
    thread.start()
    begun = Event()
    loop.add_callback(begun.set)
    begun.wait()
    try:
        yield loop
    finally:
        loop.add_callback(loop.stop)
        thread.join()
        loop.close()


def workers(client: Client) -> dict[str, Worker]:
    """Return the workers that are there, by address.

    Raises:
        EngineDiedError: the scheduler went away.
    """
    try:
        # Not `scheduler_info`: what it keeps is emptied now and then by a thread of the client.
        there = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=_CONNECT_S)["workers"]
    except (OSError, RuntimeError, KeyError, TimeoutError) as error:
        raise gone_error() from error
    return {str(address): Worker(str(each["name"]).rsplit(" ", 2)[0], each["host"]) for address, each in there.items()}


def gone_error() -> EngineDiedError:
    """What is said where the scheduler went away."""
    advice = "Start it again and run the same command: it goes on where it stopped, and nothing is lost."
    return EngineDiedError("The scheduler of the cluster went away.", advice)


def _foreign_error(address: str) -> UsageError:
    advice = (
        "Make the certificates of all machines by one authority (briefbank cluster certificates), none of them ended, "
        "and name this machine's folder with --certificates."
    )
    return UsageError(f"The scheduler at {address} and this machine do not accept each other's certificates.", advice)


def _is_of_certificates(error: BaseException | None) -> bool:
    """Whether an error came of a certificate; TLS fails at dying schedulers too."""
    while error:
        if any(each in str(getattr(error, "reason", "")) for each in _OF_CERTIFICATES):
            return True
        error = error.__cause__ or error.__context__
    return False


def run_scheduler(host: str, port: int, own: Security, on_listening: Callable[[], None], cancel: CancelToken) -> None:
    """Run a scheduler until the work is cancelled; on all addresses of this machine where `host` is empty.

    Raises:
        UsageError: it cannot listen there.
    """
    configure()
    from briefbank.ingest.cluster.servers import Scheduler

    async def run() -> None:
        made = Scheduler(host=host, port=port, protocol="tls", security=own, dashboard=False)
        try:
            scheduler = await made
        except RuntimeError as error:
            if not isinstance(error.__cause__, OSError):
                raise
            place = f"port {port}" + (f" of {host}" if host else "")
            advice = "Name another with --port, or end the other program; --listen takes an address of this machine."
            message = f"The scheduler cannot listen on {place}: it is taken, or not of this machine."
            raise UsageError(message, advice) from error
        async with scheduler:
            on_listening()
            await _until(lambda: cancel.is_cancelled)

    asyncio.run(run())


def run_workers(address: str, folder: Path, count: int, ports: str, own: Security, cancel: CancelToken) -> None:
    """Run `count` worker processes (0: one for each core) that read `folder`, until the work is cancelled. They wait
    for a scheduler that is not there, or that went away. `ports` may name the range in which they listen.

    Raises:
        UsageError: the scheduler does not accept this machine's certificate, or this machine not its.
    """
    configure()
    from distributed import Nanny
    from distributed.core import Status

    async def run() -> None:
        while not cancel.is_cancelled:
            if not await _is_reached(address, own):
                continue
            with scratch_folder(prefix="briefbank-dask-") as scratch:
                async with AsyncExitStack() as stack:
                    specs = _worker_specs(count, folder, scratch, own, ports)
                    nannies = [Nanny(address, **options) for options in specs]
                    await asyncio.gather(*map(stack.enter_async_context, nannies))
                    await _until(
                        lambda: cancel.is_cancelled or all(each.status == Status.closed for each in nannies)  # noqa: B023
                    )

    asyncio.run(run())


async def _until(is_over: Callable[[], bool]) -> None:
    while not is_over():  # noqa: ASYNC110 - a signal is seen by a flag
        await asyncio.sleep(POLL_S)


async def _is_reached(address: str, own: Security) -> bool:
    """Return whether a scheduler answers; that none does is said after some seconds."""
    from distributed.comm import connect

    try:
        made = await connect(address, _REACHED_S, **own.get_connection_args("worker"))
    except OSError as error:
        if _is_of_certificates(error):
            raise _foreign_error(address) from error
        await asyncio.sleep(_PAUSE_S)  # what speaks no TLS is refused at once
        return False
    await made.close()
    return True


def _worker_specs(count: int, folder: Path, scratch: Path, own: Security, ports: str = "") -> list[dict[str, Any]]:
    from briefbank.ingest.cluster.servers import ReadingWorker

    return [
        {
            # No two workers may have one name, also where one has died and the scheduler does not know yet.
            "name": f"{platform.node()} {number} {secrets.token_hex(4)}",
            "worker_class": ReadingWorker,
            "folder": str(folder.absolute()),
            "nthreads": 1,
            "memory_limit": _MEMORY,
            "local_directory": str(scratch),
            "security": own,
            "protocol": "tls",
            "port": ports or 0,
            "worker_port": ports or 0,
            "dashboard": False,
            "silence_logs": logging.CRITICAL,
        }
        for number in range(1, (count or core_count()) + 1)
    ]


@contextmanager
def local_cluster(folder: Path, count: int = 0, own: Security | None = None) -> Iterator[SpecCluster]:
    """Run a scheduler and workers (0: one for each core) on this machine that read `folder`, until the block ends. They
    are encrypted like any other, since every user of a machine can reach what listens on its own address; without `own`
    by certificates that nobody else has.

    Raises:
        UsageError: Dask is not installed.
    """
    configure()
    from distributed import Nanny, Security, SpecCluster

    from briefbank.ingest.cluster.servers import Scheduler

    own = own or Security.temporary()
    with scratch_folder(prefix="briefbank-dask-") as scratch:
        options = {"host": _HERE, "port": 0, "protocol": "tls", "security": own, "dashboard": False}
        specs = _worker_specs(count, folder, scratch, own)
        started = {number: {"cls": Nanny, "options": {**each, "host": _HERE}} for number, each in enumerate(specs)}
        cluster = SpecCluster(started, {"cls": Scheduler, "options": options}, security=own)
        try:
            yield cluster
        finally:
            cluster.close()
