"""Workers that hang, swell, die or are cancelled: each costs one task, and nothing is left running."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from briefbank.errors import EncryptedFileError, ReaderDiedError, SourceError, TooLargeError, TooSlowError
from briefbank.ingest.children import die_with_parent
from briefbank.ingest.pool import GuardedPool
from briefbank.platform.settings import Settings

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
    """Start a child as the OCR does, note both process ids in the scratch folder, and never come back."""
    command = [sys.executable, "-c", "import time; time.sleep(300)"]
    child = subprocess.Popen(command, preexec_fn=die_with_parent)  # noqa: PLW1509 - as the OCR does it
    Path(note).write_text(f"{os.getpid()} {child.pid}")
    time.sleep(300)


def heavy_modules() -> list[str]:
    import briefbank.ingest.ocr.tesseract  # noqa: F401
    from briefbank.ingest.readers.pdf import opened_pdf

    with suppress(SourceError), opened_pdf(Path("brief.pdf"), b"%PDF-1.7"):
        pass
    return sorted({"torch", "lancedb", "transformers", "onnxruntime", "bm25s"} & set(sys.modules))


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pool") / "scratch"


@pytest.fixture(scope="module")
def pool(scratch: Path) -> Iterator[GuardedPool]:
    with GuardedPool(SETTINGS, scratch) as started:
        yield started


def noted_processes(scratch: Path, note: str) -> list[int]:
    deadline = time.monotonic() + 60
    while len(noted := [word for found in scratch.glob(f"*/{note}") for word in found.read_text().split()]) != 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return [int(word) for word in noted]


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
def test_a_worker_that_hangs_is_killed_with_its_child_and_the_pool_goes_on(pool: GuardedPool, scratch: Path) -> None:
    future = pool.submit(hang_with_child, "hangs", timeout_s=5)
    with pytest.raises(TooSlowError):
        future.result()
    assert all_gone(noted_processes(scratch, "hangs"))
    assert pool.submit(answer, timeout_s=60).result() == 42


@linux_only
def test_a_cancelled_task_is_killed_with_its_child(pool: GuardedPool, scratch: Path) -> None:
    future = pool.submit(hang_with_child, "cancelled", timeout_s=200)
    processes = noted_processes(scratch, "cancelled")
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
        with GuardedPool(SETTINGS, tmp_path / "scratch") as pool:
            futures.append(pool.submit(hang_with_child, "left", timeout_s=200))
            futures.append(pool.submit(answer, timeout_s=200))
            processes.extend(noted_processes(tmp_path / "scratch", "left"))
            raise KeyboardInterrupt

    futures: list[object] = []
    processes: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        fail_while_working()
    assert all(future.cancelled() for future in futures)  # type: ignore[attr-defined]
    assert all_gone(processes)
    assert not (tmp_path / "scratch").exists()


@linux_only
def test_workers_and_their_children_end_when_the_program_is_killed(tmp_path: Path) -> None:
    script = (
        f"import sys; sys.path[:0] = [{str(Path(__file__).parent)!r}]\nfrom pathlib import Path\n"
        "from test_pool import GuardedPool, SETTINGS, hang_with_child\n"
        "if __name__ == '__main__':\n"
        "    with GuardedPool(SETTINGS, Path(sys.argv[1])) as pool:\n"
        "        pool.submit(hang_with_child, 'orphaned', timeout_s=200).result()\n"
    )
    program = tmp_path / "program.py"
    program.write_text(script)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    parent = subprocess.Popen([sys.executable, str(program), str(tmp_path / "scratch")], env=environment)
    processes = noted_processes(tmp_path / "scratch", "orphaned")
    parent.kill()
    parent.wait()
    assert all_gone(processes)


def try_to_write(target: str) -> str:
    try:
        Path(target).write_bytes(b"written by a hostile file")
    except OSError as error:
        return str(error.strerror)
    return "written"


def try_to_harm(victim: str) -> list[str]:
    """What is done to a file that is not the worker's own; the names of what went through."""
    done = []
    harms = {
        "append": lambda: Path(victim).open("ab").close(),
        "truncate": lambda: os.truncate(victim, 0),
        "remove": lambda: Path(victim).unlink(),
        "rename": lambda: Path(victim).rename(f"{victim}.taken"),
        "link": lambda: os.link(victim, "linked"),
        "folder": lambda: Path(victim).with_name("made").mkdir(),
        "by a child": lambda: subprocess.run(["sh", "-c", f"echo x >> {victim}"], stderr=-3, check=True),
    }
    for name, harm in harms.items():
        try:
            harm()
        except (OSError, subprocess.SubprocessError):
            continue
        done.append(name)
    return done


def sockets_opened() -> list[str]:
    families = ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_UNIX")
    return [name for name in families if can_open(getattr(socket, name))]


def can_open(family: int) -> bool:
    try:
        socket.socket(family, socket.SOCK_DGRAM).close()
    except OSError:
        return False
    return True


def write_without_end() -> None:
    with Path("endless").open("wb") as file:
        file.seek(1_000_000_000)
        file.write(b"more than any reader may write")


def kernel_keeps_writers_in() -> bool:
    return sys.platform == "linux" and ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1


@pytest.mark.skipif(not kernel_keeps_writers_in(), reason="this kernel has no Landlock")
def test_a_worker_writes_in_its_scratch_folder_and_nowhere_else(pool: GuardedPool, tmp_path: Path) -> None:
    victim = tmp_path / "brief.txt"
    victim.write_text("as it was")
    assert pool.submit(try_to_write, "own", timeout_s=60).result() == "written"
    assert pool.submit(try_to_write, os.devnull, timeout_s=60).result() == "written"
    assert pool.submit(try_to_write, str(tmp_path / "new"), timeout_s=60).result() == "Permission denied"
    assert pool.submit(try_to_write, str(Path.home() / "hostile"), timeout_s=60).result() == "Permission denied"
    assert pool.submit(try_to_harm, str(victim), timeout_s=60).result() == []
    assert [path.name for path in tmp_path.iterdir()] == ["brief.txt"]
    assert victim.read_text() == "as it was"


@linux_only
def test_a_worker_opens_no_socket_by_which_it_could_reach_anybody(pool: GuardedPool) -> None:
    assert pool.submit(sockets_opened, timeout_s=60).result() == []


@linux_only
def test_a_worker_cannot_fill_the_disk_with_one_file(pool: GuardedPool, scratch: Path) -> None:
    with pytest.raises(SourceError, match="File too large"):
        pool.submit(write_without_end, timeout_s=60).result()
    assert pool.submit(answer, timeout_s=60).result() == 42


def test_what_a_killed_run_left_in_the_scratch_folder_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "scratch" / "worker" / "document.doc"
    left.parent.mkdir(parents=True)
    left.write_text("text of a brief")
    with GuardedPool(SETTINGS, tmp_path / "scratch"):
        assert not left.exists()
    assert not (tmp_path / "scratch").exists()
