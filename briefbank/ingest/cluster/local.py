"""A cluster on this machine alone: scheduler and workers as children, with certificates made for the occasion.

For trying out, and for machines whose cores one run does not fill. It is encrypted like any other, since every user of
a machine can reach what listens on its own address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from platform import node

from briefbank.ingest.cluster.certificates import machine_certificates, make_certificates
from briefbank.ingest.cluster.dispatch import PATIENCE_S
from briefbank.ingest.cluster.engine import configure
from briefbank.ingest.cluster.head import Cluster
from briefbank.ingest.cluster.keep import Keeper, kept, listening_port
from briefbank.ingest.cluster.programs import SchedulerOptions, WorkerOptions
from briefbank.platform.progress import CancelToken
from briefbank.platform.scratch import scratch_folder
from briefbank.platform.settings import core_count

_HOST = "127.0.0.1"
_DAYS = 30


@dataclass(frozen=True, slots=True)
class LocalCluster:
    """A cluster on this machine while it runs; `scheduler` and `workers` keep its processes alive."""

    cluster: Cluster
    scheduler: Keeper
    workers: Keeper


@contextmanager
def local_cluster(
    folder: Path,
    cancel: CancelToken,
    *,
    workers: int = 0,
    share: Path | None = None,
    patience_s: float = PATIENCE_S,
    warn: Callable[[str], None] = lambda _: None,
) -> Iterator[LocalCluster]:
    """Run a scheduler and workers (0: one for each core) that read `folder`, until the block ends.

    Raises:
        UsageError: Dask is not installed.
        EngineDiedError: they cannot be started.
        CancelledError: asked to stop.
    """
    configure()
    with scratch_folder(prefix="briefbank-cluster-") as scratch:
        [certificates] = make_certificates(scratch / "certificates", [_HOST], _DAYS)
        place = share or scratch / "share"
        place.mkdir(mode=0o700, exist_ok=True)
        told = scratch / "port"
        with kept(SchedulerOptions(str(certificates), _HOST, 0, str(told))) as scheduler:
            address = f"tls://{_HOST}:{listening_port(told, scheduler, cancel)}"
            options = [
                WorkerOptions(str(certificates), address, f"{node()} {number}", str(place), str(folder.absolute()))
                for number in range(1, (workers or core_count()) + 1)
            ]
            with kept(*options) as keeper:

                def keep() -> None:
                    scheduler.look()
                    keeper.look()

                cluster = Cluster(
                    address, machine_certificates(certificates), place, keep=keep, warn=warn, patience_s=patience_s
                )
                yield LocalCluster(cluster, scheduler, keeper)
