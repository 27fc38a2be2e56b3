"""The programs of a cluster with every log of theirs and of Dask's turned up, and Dask's memory of events kept."""

from __future__ import annotations

import logging
import sys

from briefbank.ingest.cluster import engine, programs

if __name__ == "__main__":
    engine.CONFIGURATION |= {
        "distributed.admin.log-length": 100_000,
        "distributed.admin.low-level-log-length": 100_000,
        "distributed.worker.profile.enabled": True,
        "distributed.scheduler.events-cleanup-delay": "1 hour",
        "logging": {"distributed": "debug", "distributed.client": "debug", "tornado": "debug"},
    }
    logging.basicConfig(level=logging.DEBUG)
    logging.getLogger("asyncio").setLevel(logging.DEBUG)
    sys.exit(programs.main(sys.argv[1:]))
