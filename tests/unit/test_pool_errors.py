"""What a worker raises, as the run sees it: one file's trouble always has a name."""

from __future__ import annotations

import guarded
import pytest
from guarded import LoseTheShare, Stumble

from briefbank.errors import ReaderDiedError, SourceError
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.settings import Settings


def test_what_a_worker_raises_ends_as_a_named_failure_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    with guarded.on_the_path(), GuardedPool(guarded.WORKER, Settings(workers=1)) as pool:
        with pytest.raises(ReaderDiedError) as fault:
            pool.submit(Stumble(), timeout_s=60).result()
        with pytest.raises(SourceError, match="Input/output error") as lost:
            pool.submit(LoseTheShare(), timeout_s=60).result()
    assert "IndexError" in fault.value.message
    assert "brief" not in fault.value.message.lower().replace("briefbank", "")
    assert "text of a brief" not in caplog.text
    assert lost.value.advice
