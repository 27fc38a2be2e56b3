"""Workers that hang, swell, die or are cancelled: each costs one task, and nothing is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import psutil
import pytest

from briefbank.errors import EncryptedFileError, ReaderDiedError, TooLargeError, TooSlowError
from briefbank.ingest.children import die_with_parent
from briefbank.ingest.pool import GuardedPool
from briefbank.settings import Settings

SETTINGS = Settings(workers=1, read_memory_bytes=400_000_000)
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs the Linux kernel's help")


def answer() -> int:
    return 42


def refuse() -> None:
    raise EncryptedFileError("a.pdf is protected.", "Remove the password.")


def swell() -> int:
    return len(bytearray(2_000_000_000))


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt_self() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    return "still here"


def hang_with_child(note: str) -> None:
    """Start a child as the OCR does, note both process ids, and never come back."""
    command = [sys.executable, "-c", "import time; time.sleep(300)"]
    child = subprocess.Popen(command, preexec_fn=die_with_parent)  # noqa: PLW1509 - as the OCR does it
    Path(note).write_text(f"{os.getpid()} {child.pid}")
    time.sleep(300)


def heavy_modules() -> list[str]:
    import briefbank.ingest.ocr.tesseract
    import briefbank.ingest.readers.pdf  # noqa: F401

    return sorted({"torch", "lancedb", "transformers", "onnxruntime", "bm25s"} & set(sys.modules))


@pytest.fixture(scope="module")
def pool() -> Iterator[GuardedPool]:
    with GuardedPool(SETTINGS) as started:
        yield started


def noted_processes(note: Path) -> list[int]:
    deadline = time.monotonic() + 60
    while not (note.exists() and len(note.read_text().split()) == 2):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return [int(word) for word in note.read_text().split()]


def all_gone(processes: list[int]) -> bool:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if not any(psutil.pid_exists(p) and psutil.Process(p).status() != psutil.STATUS_ZOMBIE for p in processes):
            return True
        time.sleep(0.1)
    return False


def test_a_result_and_a_named_error_come_back_as_they_are(pool: GuardedPool) -> None:
    assert pool.submit(answer, timeout_s=60).result() == 42
    with pytest.raises(EncryptedFileError) as caught:
        pool.submit(refuse, timeout_s=60).result()
    assert caught.value.advice == "Remove the password."


@linux_only
def test_a_worker_that_swells_is_named_and_the_pool_goes_on(pool: GuardedPool) -> None:
    with pytest.raises(TooLargeError):
        pool.submit(swell, timeout_s=60).result()
    assert pool.submit(answer, timeout_s=60).result() == 42


def test_a_worker_that_dies_is_named_and_the_pool_goes_on(pool: GuardedPool) -> None:
    with pytest.raises(ReaderDiedError):
        pool.submit(die, timeout_s=60).result()
    assert pool.submit(answer, timeout_s=60).result() == 42


@linux_only
def test_a_worker_that_hangs_is_killed_with_its_child_and_the_pool_goes_on(pool: GuardedPool, tmp_path: Path) -> None:
    future = pool.submit(hang_with_child, str(tmp_path / "note"), timeout_s=2)
    with pytest.raises(TooSlowError):
        future.result()
    assert all_gone(noted_processes(tmp_path / "note"))
    assert pool.submit(answer, timeout_s=60).result() == 42


@linux_only
def test_a_cancelled_task_is_killed_with_its_child(pool: GuardedPool, tmp_path: Path) -> None:
    future = pool.submit(hang_with_child, str(tmp_path / "note"), timeout_s=200)
    processes = noted_processes(tmp_path / "note")
    assert future.cancel()
    with pytest.raises(CancelledError):
        future.result()
    assert all_gone(processes)
    assert pool.submit(answer, timeout_s=60).result() == 42


def test_workers_ignore_ctrl_c(pool: GuardedPool) -> None:
    assert pool.submit(interrupt_self, timeout_s=60).result() == "still here"


def test_a_worker_imports_no_model_library(pool: GuardedPool) -> None:
    assert pool.submit(heavy_modules, timeout_s=60).result() == []


@linux_only
def test_leaving_by_an_error_cancels_what_waits_and_kills_what_runs(tmp_path: Path) -> None:
    def fail_while_working() -> None:
        with GuardedPool(SETTINGS) as pool:
            futures.append(pool.submit(hang_with_child, str(tmp_path / "note"), timeout_s=200))
            futures.append(pool.submit(answer, timeout_s=200))
            processes.extend(noted_processes(tmp_path / "note"))
            raise KeyboardInterrupt

    futures: list[object] = []
    processes: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        fail_while_working()
    assert all(future.cancelled() for future in futures)  # type: ignore[attr-defined]
    assert all_gone(processes)


@linux_only
def test_workers_and_their_children_end_when_the_program_is_killed(tmp_path: Path) -> None:
    script = (
        f"import sys; sys.path[:0] = [{str(Path(__file__).parent)!r}]\n"
        "from test_pool import GuardedPool, SETTINGS, hang_with_child\n"
        "if __name__ == '__main__':\n"
        "    with GuardedPool(SETTINGS) as pool:\n"
        "        pool.submit(hang_with_child, sys.argv[1], timeout_s=200).result()\n"
    )
    program = tmp_path / "program.py"
    program.write_text(script)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    parent = subprocess.Popen([sys.executable, str(program), str(tmp_path / "note")], env=environment)
    processes = noted_processes(tmp_path / "note")
    parent.kill()
    parent.wait()
    assert all_gone(processes)
