"""The two tasks that Dask carries to a worker, by name: to join a job, and to read one of its units.

What they are given are names, what they tell are counts: neither paths nor texts go through the scheduler. A worker
tells over the connection that it opened itself, so that no firewall of an office machine need let anyone in.
"""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from briefbank.errors import BankDamagedError, BriefBankError, CancelledError, fault_told
from briefbank.ingest.cluster.share import JobFolder
from briefbank.ingest.cluster.unit import FAULT, REFUSED, SHARE_GONE, STOPPED, Reader, Receipt, Site, UnfitError

TOPIC = "briefbank"
"""Of the events by which workers tell."""

_log = logging.getLogger(__name__)


class Told(msgspec.Struct, frozen=True):
    """What a worker tells: that it joined (`attempt` 0) or may not, how far a unit is, or how it ended."""

    job: str
    worker: str
    attempt: str
    receipt: Receipt | None = None
    unfit: str = ""
    files: int = 0
    pages: int = 0
    size_bytes: int = 0
    failed: int = 0


class _Machine:
    """What this process has at hand between two tasks."""

    site: Site | None = None
    reader: Reader | None = None
    job: str = ""


_machine = _Machine()


def settle(share: Path, folder: Path) -> None:
    """Say where this machine sees the share and the briefs; before any task comes."""
    _machine.site = Site(share, folder)


def join(job: str, attempt: str) -> None:
    """Make ready for a job, and tell whether this machine would read as the one that asks."""
    unfit = problem = ""
    try:
        _reader(job).renew()
    except UnfitError as error:
        unfit = str(error)
    except (OSError, BankDamagedError):
        problem = SHARE_GONE
    except Exception as fault:  # noqa: BLE001 - the task boundary: Dask would log the fault with its text
        problem, unfit = FAULT, f"a fault of BriefBank there: {fault_told(fault)}"
    _tell(job, attempt, Receipt("", problem), unfit)


def read_unit(job: str, unit: str, attempt: str) -> None:
    """Read a unit, and tell how it goes and how it ended."""
    try:
        receipt = _reader(job).read(unit, lambda *counts: _tell(job, attempt, None, "", *counts))
    except UnfitError as error:
        receipt = Receipt(unit, REFUSED, detail=str(error))
    except (OSError, BankDamagedError):
        receipt = Receipt(unit, SHARE_GONE)
    except CancelledError:
        leave()
        receipt = Receipt(unit, STOPPED)
    except BriefBankError as error:  # of the folder of briefs
        receipt = Receipt(unit, SHARE_GONE, detail=error.code)
    except Exception as fault:  # noqa: BLE001 - the task boundary: Dask would log the fault with its text
        _log.error("a unit met a fault of this program: %s", fault_told(fault))
        receipt = Receipt(unit, FAULT, detail=fault_told(fault))
    _tell(job, attempt, receipt, "")


def _reader(job: str) -> Reader:
    if _machine.reader is None or _machine.job != job:
        leave()
        if _machine.site is None:
            raise UnfitError("its start: it was not told where the briefs lie")
        _machine.reader = Reader(_machine.site, JobFolder(_machine.site.share, job))
        _machine.job = job
    return _machine.reader


def leave() -> None:
    """Let go of a job: of its encoder, and of the processes that read files."""
    if _machine.reader:
        _machine.reader.close()
    _machine.reader, _machine.job = None, ""


def _tell(
    job: str,
    attempt: str,
    receipt: Receipt | None,
    unfit: str,
    files: int = 0,
    pages: int = 0,
    size_bytes: int = 0,
    failed: int = 0,
) -> None:
    from distributed import get_worker

    worker = get_worker()
    told = Told(job, worker.address, attempt, receipt, unfit, files, pages, size_bytes, failed)
    worker.loop.add_callback(worker.log_event, TOPIC, msgspec.json.encode(told).decode())
