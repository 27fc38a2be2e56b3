"""The connection of the machine that publishes to its cluster: who is there, tasks to them, what they tell.

The only module of this machine that imports Dask. It knows names and counts; what they are of is for its caller.
"""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from briefbank.errors import EngineDiedError, UsageError
from briefbank.ingest.cluster import tasks
from briefbank.ingest.cluster.certificates import Certificates

if TYPE_CHECKING:
    from distributed import Future, Security

CONFIGURATION = {
    # A unit is given to one machine; who stole it from a queue would be blamed for its death.
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.worker-saturation": 1.0,
    # How often a unit may kill its worker is counted by us.
    "distributed.scheduler.allowed-failures": 0,
    # A busy machine need not answer for as long (distributed#6148: shorter ones killed workers that were at work).
    "distributed.scheduler.worker-ttl": "30 minutes",
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.worker.profile.enabled": False,
    "distributed.comm.tls.min-version": 1.3,
    "distributed.comm.require-encryption": True,
    "distributed.admin.log-length": 0,
    "distributed.admin.low-level-log-length": 10,
    "logging": {"distributed": "critical", "distributed.client": "critical", "tornado": "critical"},
}
"""Of Dask, in all processes of a cluster."""
_OF_CERTIFICATES = ("CERTIFICATE", "UNKNOWN_CA")
"""In the names that OpenSSL has for faults of certificates, on either side."""
_REACHED_S, _PAUSE_S = 5.0, 1.0
_STATE_S = 10.0
_CLOSE_S = 2.0
_AGAIN = "Ask again in a moment."
_ADDRESS_ADVICE = "Give it as tls://HOST:PORT, as `briefbank cluster scheduler` prints it."


class DisconnectedError(Exception):
    """There is no connection to the scheduler."""


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
    """Return by what this machine proves itself, and whom it believes."""
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
        raise UsageError(f"{address} is no address of a scheduler.", _ADDRESS_ADVICE)
    return address


def foreign_error(address: str) -> UsageError:
    """What is said where a scheduler and this machine do not believe each other."""
    advice = (
        "Make the certificates of all machines by one authority (briefbank cluster certificates), none of them ended, "
        "and name this machine's folder with --certificates."
    )
    return UsageError(f"The scheduler at {address} and this machine do not accept each other's certificates.", advice)


async def is_reached(address: str, certificates: Certificates) -> bool:
    """Return whether a scheduler answers; that none does is said after some seconds.

    Raises:
        UsageError: one answers, but does not accept this machine's certificate, or this machine not its.
    """
    from distributed.comm import connect

    try:
        made = await connect(address, _REACHED_S, **security(certificates).get_connection_args("worker"))
    except OSError as error:
        if _is_of_certificates(error):
            raise foreign_error(address) from error
        await asyncio.sleep(_PAUSE_S)  # what speaks no TLS is refused at once
        return False
    await made.close()
    return True


def _is_of_certificates(error: BaseException | None) -> bool:
    """Whether an error came of a certificate; TLS fails at dying schedulers too."""
    while error:
        if any(each in str(getattr(error, "reason", "")) for each in _OF_CERTIFICATES):
            return True
        error = error.__cause__ or error.__context__
    return False


class Engine:
    """One connection. Not to be used after it was lost: `is_connected` tells."""

    def __init__(self, address: str, certificates: Certificates, wait_s: float) -> None:
        """Connect within `wait_s` seconds.

        Raises:
            DisconnectedError: nobody answers there.
            UsageError: who answers has certificates of another authority.
        """
        configure()
        from distributed import Client

        class OwnThread(Client):  # type: ignore[misc]
            """A client whose thread ends with it, also where nobody answered or the scheduler went."""

            def start(self, **options: Any) -> None:
                try:
                    super().start(**options)
                except BaseException:
                    self._loop_runner.stop()
                    raise

            def close(self, timeout: float = _CLOSE_S) -> None:
                try:
                    super().close(timeout=timeout)
                finally:
                    self._loop_runner.stop()

            def __del__(self) -> None:
                """Do nothing: all are closed. Dask would close again, and wait forever for a lock of its own where the
                collector comes by while another client starts.
                """

        self._told: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._futures: dict[str, Future] = {}
        try:
            self._client = OwnThread(
                address,
                security=security(certificates),
                timeout=wait_s,
                set_as_default=False,
                direct_to_workers=False,
                name="briefbank",
            )
            self._client.subscribe_topic(tasks.TOPIC, self._on_event)
        # What is no TLS, or not ours, comes as an OSError too; Dask asserts that its thread has started within 10 s.
        except (OSError, AssertionError) as error:
            if _is_of_certificates(error):
                raise foreign_error(address) from error
            raise DisconnectedError(str(error)) from error

    def _on_event(self, event: tuple[float, Any]) -> None:
        self._told.put(str(event[1]))

    @property
    def is_connected(self) -> bool:
        return bool(self._client.status == "running")

    def workers(self) -> dict[str, str]:
        """Return the workers that are there by their address: each one's name, which begins with its machine's.

        Raises:
            DisconnectedError: the scheduler does not say.
        """
        # Not `scheduler_info`: what it keeps is emptied now and then by a thread of the client, and by a lost question.
        try:
            found = self._client.sync(self._client.scheduler.identity, n_workers=-1, callback_timeout=_STATE_S)
            return {str(address): str(each["name"]) for address, each in found["workers"].items()}
        except (OSError, RuntimeError, KeyError, TimeoutError) as error:
            raise DisconnectedError(str(error)) from error

    def state(self) -> list[WorkerState]:
        """Return the workers with what they are at."""
        at_work = self._client.processing()
        there = self.workers().items()
        return [WorkerState(name.rsplit(" ", 2)[0], bool(at_work.get(address))) for address, name in there]

    def join(self, job: str, worker: str, attempt: str) -> None:
        """Have a worker make ready for a job; it tells of it."""
        self._submit(tasks.join, job, attempt, worker=worker, attempt=attempt)

    def read(self, job: str, unit: str, worker: str, attempt: str) -> None:
        """Have a worker read a unit; it tells of it."""
        self._submit(tasks.read_unit, job, unit, attempt, worker=worker, attempt=attempt)

    def _submit(self, task: Any, *names: str, worker: str, attempt: str) -> None:
        self._futures[attempt] = self._client.submit(
            task, *names, key=f"briefbank-{attempt}", workers=[worker], allow_other_workers=False, pure=False
        )

    def told(self) -> Iterator[tasks.Told]:
        """Yield what workers told since. What is not of the declared form is passed over."""
        with suppress(queue.Empty):
            while True:
                with suppress(msgspec.DecodeError):
                    yield msgspec.json.decode(self._told.get_nowait(), type=tasks.Told)

    def ended(self) -> list[str]:
        """Return the attempts that ended since this was last asked, in whatever way."""
        ended = [attempt for attempt, each in self._futures.items() if each.status != "pending"]
        for attempt in ended:
            self.drop(attempt)
        return ended

    def drop(self, attempt: str) -> None:
        """Wait no more for an attempt."""
        if future := self._futures.pop(attempt, None):
            future.release()

    def close(self) -> None:
        """End the connection; what workers are at, they finish."""
        for attempt in list(self._futures):
            self.drop(attempt)
        with suppress(Exception):
            self._client.close()


@dataclass(frozen=True, slots=True)
class WorkerState:
    """A worker: the name of its machine, and whether it reads just now."""

    machine: str
    is_at_work: bool


def state(address: str, certificates: Certificates) -> list[WorkerState]:
    """Return the workers that a scheduler has.

    Raises:
        UsageError: the address is none, or who answers has certificates of another authority.
        EngineDiedError: the scheduler does not answer.
    """
    try:
        engine = Engine(require_address(address), certificates, _STATE_S)
    except DisconnectedError as error:
        advice = "See that it runs and is reached from here."
        raise EngineDiedError(f"The scheduler at {address} does not answer.", advice) from error
    try:
        return engine.state()
    except DisconnectedError as error:
        raise EngineDiedError(f"The scheduler at {address} went away.", _AGAIN) from error
    finally:
        engine.close()
