"""Workers that hang, swell, die, lie or are cancelled: each costs one task, and nothing is left running."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import guarded
import psutil
import pytest
from guarded import (
    Answer,
    BlameTheBank,
    Die,
    FillTheScratchFolder,
    ForkForEver,
    HangWithChild,
    HeavyModules,
    InterruptSelf,
    Leave,
    LeaveSomeoneBehind,
    Refuse,
    Say,
    SocketsOpened,
    StartProcess,
    Swell,
    TryToHarm,
    TryToWrite,
    TryToWriteConverted,
    WhoAmI,
    Work,
    WriteWithoutEnd,
)
from hostile import HOSTILE, Escape, answered, frame
from systems import signals

from briefbank.errors import (
    EncryptedFileError,
    ReaderDiedError,
    ReaderKilledError,
    SourceError,
    TooLargeError,
    TooSlowError,
)
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.settings import Settings

SETTINGS = Settings(workers=1, read_memory_bytes=400_000_000)
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs the Linux kernel's help")


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pool") / "scratch"


@pytest.fixture(scope="module")
def pool(scratch: Path) -> Iterator[GuardedPool]:
    with guarded.on_the_path(), GuardedPool(guarded.WORKER, SETTINGS, scratch) as started:
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
    assert pool.submit(Answer(), timeout_s=60).result() == 42
    with pytest.raises(EncryptedFileError) as caught:
        pool.submit(Refuse(), timeout_s=60).result()
    assert caught.value.advice == "Remove the password."


@linux_only
def test_a_worker_that_swells_is_named_and_the_pool_goes_on(pool: GuardedPool) -> None:
    with pytest.raises(TooLargeError):
        pool.submit(Swell(), timeout_s=60).result()
    assert pool.submit(Answer(), timeout_s=60).result() == 42


@pytest.mark.parametrize(
    ("number", "named"),
    [
        (signal.SIGSEGV, ReaderDiedError),
        (signal.SIGABRT, ReaderDiedError),
        pytest.param(getattr(signal, "SIGKILL", 0), ReaderKilledError, marks=linux_only),
    ],
)
def test_a_worker_that_dies_is_told_from_one_that_the_system_killed_and_the_pool_goes_on(
    pool: GuardedPool, number: int, named: type[SourceError]
) -> None:
    with pytest.raises(SourceError) as caught:
        pool.submit(Die(number), timeout_s=60).result()
    assert type(caught.value) is named
    assert caught.value.advice
    assert pool.submit(Answer(), timeout_s=60).result() == 42


def test_a_worker_that_was_killed_between_two_tasks_costs_none(pool: GuardedPool) -> None:
    worker = psutil.Process(pool.submit(WhoAmI(), timeout_s=60).result())
    worker.kill()
    worker.wait(20)
    assert pool.submit(Answer(), timeout_s=60).result() == 42


def test_a_task_that_comes_to_a_pool_that_has_ended_is_cancelled(tmp_path: Path) -> None:
    """Else a thread that still reads a file would wait for ever."""
    with GuardedPool(guarded.WORKER, SETTINGS, tmp_path / "scratch") as ended:
        pass
    assert ended.submit(Answer(), timeout_s=60).cancelled()


@linux_only
def test_a_pool_that_has_ended_adopts_nobody_any_more(tmp_path: Path) -> None:
    """Else whoever indexed once collects zombies as long as it lives."""
    script = """
import subprocess, sys, psutil
from pathlib import Path
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.settings import Settings

with GuardedPool("no.module", Settings(workers=1), Path(sys.argv[1])):
    pass
left = int(subprocess.check_output(["sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!"]))
print(psutil.Process(left).ppid() == psutil.Process().pid)
psutil.Process(left).kill()
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "scratch")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == "False\n"


@linux_only
def test_a_pool_that_was_stopped_and_left_takes_no_orphans_from_the_next(tmp_path: Path) -> None:
    script = """
import subprocess, sys, psutil
from pathlib import Path
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.settings import Settings

with GuardedPool("no.module", Settings(workers=1), Path(sys.argv[1])) as pool:
    pool.stop()
with GuardedPool("no.module", Settings(workers=1), Path(sys.argv[1])):
    left = int(subprocess.check_output(["sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!"]))
    print(psutil.Process(left).ppid() == psutil.Process().pid)
    psutil.Process(left).kill()
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "scratch")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == "True\n"


@linux_only
def test_a_worker_that_cannot_be_written_to_is_ended_and_its_file_tried_again_later(pool: GuardedPool) -> None:
    worker = pool.submit(WhoAmI(), timeout_s=60).result()
    held = {_leads_to(each) for each in Path(f"/proc/{worker}/fd").iterdir()} - {""}
    (end,) = (each for each in Path("/proc/self/fd").iterdir() if _leads_to(each) in held and _is_written_to(each))
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, int(end.name), inheritable=False)
    os.close(full)
    with pytest.raises(ReaderKilledError, match="No space left"):
        pool.submit(Answer(), timeout_s=60).result(20)
    assert pool.submit(Answer(), timeout_s=60).result() == 42


def _leads_to(descriptor: Path) -> str:
    """The pipe behind a descriptor; empty where there is none."""
    try:
        name = str(descriptor.readlink())
    except OSError:  # that of the listing itself
        return ""
    return name if name.startswith("pipe:") else ""


def _is_written_to(descriptor: Path) -> bool:
    flags = Path("/proc/self/fdinfo", descriptor.name).read_text(encoding="ascii").split()[3]
    return bool(_leads_to(descriptor) and int(flags, 8) & os.O_ACCMODE == os.O_WRONLY)


def test_what_a_worker_says_of_the_run_itself_fails_its_file_alone(pool: GuardedPool) -> None:
    with pytest.raises(SourceError, match="The bank is damaged"):
        pool.submit(BlameTheBank(), timeout_s=60).result()


@linux_only
def test_a_worker_that_hangs_is_killed_with_its_child_and_the_pool_goes_on(pool: GuardedPool, scratch: Path) -> None:
    future = pool.submit(HangWithChild("hangs"), timeout_s=5)
    processes = noted_processes(scratch, "hangs")
    with pytest.raises(TooSlowError):
        future.result()
    assert all_gone(processes)
    assert pool.submit(Answer(), timeout_s=60).result() == 42


@linux_only
def test_a_cancelled_task_is_killed_with_its_child(pool: GuardedPool, scratch: Path) -> None:
    future = pool.submit(HangWithChild("cancelled"), timeout_s=200)
    processes = noted_processes(scratch, "cancelled")
    assert future.cancel()
    with pytest.raises(CancelledError):
        future.result()
    assert all_gone(processes)
    assert pool.submit(Answer(), timeout_s=60).result() == 42


@linux_only
@pytest.mark.parametrize("dies", [True, False])
def test_what_a_worker_left_behind_ends_with_it(dies: bool, tmp_path: Path) -> None:
    with guarded.on_the_path(), GuardedPool(guarded.WORKER, SETTINGS, tmp_path / "scratch") as pool:
        ended = pool.submit(LeaveSomeoneBehind(dies), timeout_s=8)
        assert isinstance(ended.exception(), SourceError) is dies
        assert pool.submit(Answer(), timeout_s=60).result() == 42
    assert running_with(tmp_path) == []


@linux_only
def test_readers_start_no_process(pool: GuardedPool) -> None:
    assert pool.submit(StartProcess(), timeout_s=60).result() == []


@linux_only
@pytest.mark.parametrize("has_namespaces", [True, False])
@pytest.mark.parametrize("hangs", [True, False])
def test_processes_that_fork_for_ever_end_with_their_task(hangs: bool, has_namespaces: bool, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched, guarded.on_the_path():
        if not has_namespaces:
            patched.setenv("NO_NAMESPACES", "1")
        with GuardedPool(guarded.WORKER, SETTINGS, tmp_path / "scratch") as pool:
            ended = pool.submit(ForkForEver(hangs), timeout_s=4)
            while not ended.done():  # who is not reaped would take the machine's process numbers
                assert len(psutil.Process().children(recursive=True)) < 300
                time.sleep(0.05)
            assert (type(ended.exception(timeout=100)) is TooSlowError) is hangs
            assert running_with(tmp_path / "scratch" / "tmp") == []
            assert pool.submit(Answer(), timeout_s=60).result() == 42
    assert running_with(tmp_path) == []


@linux_only
def test_a_run_that_is_killed_leaves_nobody_forking(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from guarded import WORKER, Answer, ForkForEver
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.settings import Settings
with GuardedPool(WORKER, Settings(workers=1), Path(sys.argv[1])) as pool:
    pool.submit(ForkForEver(True), timeout_s=200, on_step=print).result()
"""
    with guarded.on_the_path():
        parent = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "scratch")])
    while len(running_with(tmp_path / "scratch" / "tmp")) < 3:
        assert parent.poll() is None
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 60
    while running_with(tmp_path):
        assert time.monotonic() < deadline


@linux_only
def test_a_stopped_worker_is_ended_and_one_that_works_is_given_its_processor_time(pool: GuardedPool) -> None:
    """The pool's limit is of the processor: the same task with others beside it takes longer by the clock."""
    beside = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3 * (os.cpu_count() or 1))]
    try:
        assert pool.submit(Work(2.5), timeout_s=3).result() == 42
        with pytest.raises(TooSlowError):
            pool.submit(Work(300), timeout_s=1).result()
        with pytest.raises(TooSlowError):
            pool.submit(Die(signal.SIGSTOP), timeout_s=2).result()
    finally:
        for each in beside:
            each.kill()
            each.wait()


def running_with(word: Path) -> list[int]:
    """Processes that were started with this word, as workers and what they fork are."""
    return [each.pid for each in psutil.process_iter(["cmdline"]) if str(word) in " ".join(each.info["cmdline"] or ())]


@signals
def test_workers_ignore_ctrl_c(pool: GuardedPool) -> None:
    assert pool.submit(InterruptSelf(), timeout_s=60).result() == "still here"


def test_a_worker_imports_no_model_library(pool: GuardedPool) -> None:
    assert pool.submit(HeavyModules(), timeout_s=60).result() == []


@linux_only
def test_leaving_by_an_error_cancels_what_waits_and_kills_what_runs(tmp_path: Path) -> None:
    def fail_while_working() -> None:
        with guarded.on_the_path(), GuardedPool(guarded.WORKER, SETTINGS, tmp_path / "scratch") as pool:
            futures.append(pool.submit(HangWithChild("left"), timeout_s=200))
            futures.append(pool.submit(Answer(), timeout_s=200))
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
    script = """
import sys
from pathlib import Path
from guarded import WORKER, HangWithChild
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.settings import Settings
with GuardedPool(WORKER, Settings(workers=1), Path(sys.argv[1])) as pool:
    pool.submit(HangWithChild("orphaned"), timeout_s=200).result()
"""
    with guarded.on_the_path():
        parent = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "scratch")])
    processes = noted_processes(tmp_path / "scratch", "orphaned")
    parent.kill()
    parent.wait()
    assert all_gone(processes)


def kernel_keeps_writers_in() -> bool:
    return sys.platform == "linux" and ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1


@pytest.mark.skipif(not kernel_keeps_writers_in(), reason="this kernel has no Landlock")
def test_a_converter_writes_in_its_scratch_folder_alone_and_a_reader_nowhere(
    pool: GuardedPool, scratch: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "brief.txt"
    victim.write_text("as it was")
    assert pool.submit(TryToWriteConverted("own"), timeout_s=60).result() == "written"
    assert list(scratch.iterdir()) == []  # a converter's folder goes with it
    for task in (TryToWrite, TryToWriteConverted):
        assert pool.submit(task(os.devnull), timeout_s=60).result() == "written"
        for place in (tmp_path / "new", Path.home() / "hostile", scratch / "own"):
            assert pool.submit(task(str(place)), timeout_s=60).result() == "Permission denied"
    assert pool.submit(TryToWrite("own"), timeout_s=60).result() == "Permission denied"
    assert pool.submit(TryToHarm(str(victim)), timeout_s=60).result() == []
    assert [path.name for path in tmp_path.iterdir()] == ["brief.txt"]
    assert victim.read_text() == "as it was"


@linux_only
def test_a_worker_opens_no_socket_by_which_it_could_reach_anybody(pool: GuardedPool) -> None:
    assert pool.submit(SocketsOpened(), timeout_s=60).result() == []


@linux_only
def test_a_worker_cannot_fill_the_disk_with_one_file(pool: GuardedPool, scratch: Path) -> None:
    with pytest.raises(SourceError, match="File too large"):
        pool.submit(WriteWithoutEnd(), timeout_s=60).result()
    assert pool.submit(Answer(), timeout_s=60).result() == 42


@linux_only
@pytest.mark.parametrize("how", ["large", "empty", "removed", "mapped"])
def test_a_converter_that_fills_its_scratch_folder_is_stopped_and_the_pool_goes_on(
    pool: GuardedPool, scratch: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.platform.confine.quota.MOST_BYTES", 50_000_000)
    monkeypatch.setattr("briefbank.platform.confine.quota.MOST_FILES", 500)
    with pytest.raises(TooLargeError, match="filled the disk"):
        pool.submit(FillTheScratchFolder(how), timeout_s=60).result()
    assert list(scratch.iterdir()) == []
    assert pool.submit(Answer(), timeout_s=60).result() == 42


def test_what_a_killed_run_left_in_the_scratch_folder_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "scratch" / "worker" / "document.doc"
    left.parent.mkdir(parents=True)
    left.write_text("text of a brief")
    with GuardedPool(guarded.WORKER, SETTINGS, tmp_path / "scratch"):
        assert not left.exists()
    assert not (tmp_path / "scratch").exists()


@linux_only
def test_what_a_worker_makes_is_private_and_it_leaves_no_core(pool: GuardedPool) -> None:
    assert pool.submit(Leave(), timeout_s=60).result() == (0o077, 0)


@linux_only
def test_the_frame_that_hostile_ones_resemble_is_a_right_one(tmp_path: Path) -> None:
    with guarded.on_the_path(), GuardedPool(guarded.WORKER, SETTINGS) as pool:
        assert pool.submit(Say(answered(7)), timeout_s=60).result() == 7


@linux_only
@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_worker_that_lies_fails_its_file_and_harms_nobody(data: bytes, tmp_path: Path) -> None:
    with guarded.on_the_path(), GuardedPool(guarded.WORKER, SETTINGS) as pool:
        with pytest.raises(ReaderDiedError, match="broke its bounds") as caught:
            pool.submit(Say(data), timeout_s=60).result()
        assert caught.value.advice
        assert pool.submit(Answer(), timeout_s=60).result() == 42


@linux_only
@pytest.mark.parametrize("is_framed", [True, False])
def test_a_confined_reader_cannot_have_its_parent_make_a_folder(tmp_path: Path, is_framed: bool) -> None:
    """What once escaped: an object that runs code in the process that unpickles it."""
    pickled = pickle.dumps(Escape(tmp_path / "made by the parent"))
    with guarded.on_the_path(), GuardedPool(guarded.WORKER, SETTINGS) as pool:
        data = frame(pickled) if is_framed else pickled
        with pytest.raises(ReaderDiedError):
            pool.submit(Say(data), timeout_s=60).result()
        with pytest.raises(ReaderDiedError):
            pool.submit(Say(answered(pickled)), timeout_s=60).result()
    assert list(tmp_path.iterdir()) == []
    pickle.loads(pickled)  # it would have worked
    assert [each.name for each in tmp_path.iterdir()] == ["made by the parent"]


@linux_only
@pytest.mark.parametrize("data", [b"\x10\x00", struct.pack("<I", 1_000_000) + b"\x93" * 10])
def test_a_worker_that_never_ends_what_it_says_is_ended_at_the_time_limit(data: bytes) -> None:
    with guarded.on_the_path(), GuardedPool(guarded.WORKER, SETTINGS) as pool:
        with pytest.raises(TooSlowError):
            pool.submit(Say(data), timeout_s=3).result()
        assert pool.submit(Answer(), timeout_s=60).result() == 42


@linux_only
def test_what_a_worker_says_beyond_its_answer_costs_no_other_file() -> None:
    with guarded.on_the_path(), GuardedPool(guarded.WORKER, SETTINGS) as pool:
        assert pool.submit(Say(answered(42) + answered(13, 7)), timeout_s=60).result() == 42
        assert pool.submit(Answer(), timeout_s=60).result() == 42
