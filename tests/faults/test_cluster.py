"""An index run on a cluster makes the bank that one machine makes, whatever dies meanwhile."""

from __future__ import annotations

import os
import platform
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import killing_encoder
import office
import pytest
import slow_encoder
import talkative_programs
from clusters import Attacks, content, index_by_cluster, index_here, index_with, kill
from killing_encoder import DEADLY

from briefbank.bank.local import Bank
from briefbank.errors import EngineDiedError, ReaderKilledError, SourceError
from briefbank.ingest.cluster import head, keep
from briefbank.ingest.cluster.certificates import machine_certificates
from briefbank.ingest.cluster.dispatch import Dispatch, Unit
from briefbank.ingest.cluster.head import Cluster
from briefbank.ingest.cluster.local import LocalCluster, local_cluster
from briefbank.ingest.cluster.share import JobFolder, ListedFile
from briefbank.models.encoders.substitute import VARIABLE
from briefbank.platform.progress import CancelToken, Progress
from briefbank.values import IndexReport

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

POINTS = (office.STOP, office.CONSENT, office.HEARSAY, office.CHARGE, office.SENTENCE, office.LINEUP)


PATIENT_S = 600
"""The time limit for reading is of clocks: no file may fail by it in one run alone where the machine is busy."""


@pytest.fixture(scope="module")
def briefs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of twelve briefs, a copy, a scan, and two files that cannot be read."""
    folder = tmp_path_factory.mktemp("cluster") / "briefs"
    for number in range(12):
        one, other = POINTS[number % 6], POINTS[(number + 1 + number // 6) % 6]
        text = office.brief(
            f"Client {number}", f"A-{1000 + number}-20", f"May {number + 1}, 2020", ("ONE.", one), ("TWO.", other)
        )
        office.write_text(folder / f"{number % 3}" / f"brief-{number:02d}.txt", text)
    shutil.copy(folder / "0" / "brief-00.txt", folder / "copy.txt")
    office.write_scan(folder / "scan.pdf", office.memo("Arrays", office.LINEUP), dpi=120)
    (folder / "empty.txt").write_bytes(b"")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    return folder


@pytest.fixture(scope="module")
def alone(briefs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bank that one machine makes of it."""
    bank = office.write_bank(tmp_path_factory.mktemp("alone") / "bank")
    index_here(briefs, bank)
    return bank


@pytest.mark.parametrize("workers", [1, 2])
def test_a_cluster_makes_the_bank_that_one_machine_makes(
    briefs: Path, alone: Path, tmp_path: Path, workers: int
) -> None:
    share = tmp_path / "share"
    bank = office.write_bank(tmp_path / "bank")
    report = index_by_cluster(briefs, bank, workers, share)
    assert content(bank) == content(alone)
    assert (report.indexed, len(report.failures), report.copies) == (14, 2, 1)
    assert not any(share.iterdir()), "no text stays on the share"
    assert not index_here(briefs, bank).published


def test_units_become_smaller_towards_the_end_and_no_file_is_counted_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, bank, sizes = tmp_path / "briefs", office.write_bank(tmp_path / "bank"), []
    for number in range(24):
        office.write_text(folder / f"memo-{number:02d}.txt", office.memo(f"Matter {number:02d}", POINTS[number % 6]))
    put_list = JobFolder.put_list

    def noted(self: JobFolder, unit: str, files: tuple[ListedFile, ...]) -> None:
        sizes.append(len(files))
        put_list(self, unit, files)

    monkeypatch.setattr(JobFolder, "put_list", noted)
    told: list[int] = []
    with local_cluster(folder, CancelToken(), workers=1) as local:
        index_with(local, folder, bank, lambda at: told.append(at.files_done) if at.stage == "reading" else None)
    assert sum(sizes) == 24
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1] == 1
    assert max(told) == 24


def index_until(briefs: Path, bank: Path, share: Path, happens: Callable[[LocalCluster], object]) -> IndexReport:
    """Index on a cluster of two workers; something `happens` once, when the first files have been read."""
    happened: list[object] = []
    with local_cluster(briefs, CancelToken(), workers=2, share=share) as local:

        def look(progress: Progress) -> None:
            if progress.stage == "reading" and progress.files_done and not happened:
                happened.append(happens(local))

        report = index_with(local, briefs, bank, look)
    assert happened
    return report


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["worker", "scheduler"])
def test_a_run_outlives_what_is_killed(briefs: Path, alone: Path, tmp_path: Path, victim: str) -> None:
    bank, share = office.write_bank(tmp_path / "bank"), tmp_path / "share"
    report = index_until(
        briefs, bank, share, lambda local: kill((local.workers if victim == "worker" else local.scheduler).pids[0])
    )
    assert content(bank) == content(alone)
    assert len(report.failures) == 2
    assert not any(share.iterdir())


@pytest.mark.slow
def test_a_share_may_vanish_and_come_back(briefs: Path, alone: Path, tmp_path: Path) -> None:
    bank, share, elsewhere = office.write_bank(tmp_path / "bank"), tmp_path / "share", tmp_path / "elsewhere"
    timer = threading.Timer(2.0, lambda: elsewhere.rename(share))

    def vanish(_: LocalCluster) -> None:
        share.rename(elsewhere)
        timer.start()

    index_until(briefs, bank, share, vanish)
    timer.join()
    assert content(bank) == content(alone)


@pytest.mark.slow
def test_a_share_that_stays_away_ends_the_run_and_the_next_goes_on(briefs: Path, alone: Path, tmp_path: Path) -> None:
    bank, share, elsewhere = office.write_bank(tmp_path / "bank"), tmp_path / "share", tmp_path / "elsewhere"

    def vanish(local: LocalCluster) -> None:
        local.cluster.ways.patience_s = 1.0
        share.rename(elsewhere)

    with pytest.raises(SourceError, match="went away while the cluster was reading"):
        index_until(briefs, bank, share, vanish)
    elsewhere.rename(share)
    index_by_cluster(briefs, bank, 1, share)
    assert content(bank) == content(alone)


def test_what_lies_on_the_share_is_taken_without_being_read_again(
    briefs: Path, alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, share = office.write_bank(tmp_path / "bank"), tmp_path / "share"
    with monkeypatch.context() as patched:  # as if this machine had died before it took anything
        for name in ("forget", "end", "pause"):
            patched.setattr(JobFolder, name, lambda *_: None)
        index_by_cluster(briefs, bank, 1, share)
    for lost in ("ledger.sqlite", "current"):
        (bank / lost).unlink()
    shutil.rmtree(bank / "cache")
    nobody = Cluster("tls://127.0.0.1:9", machine_certificates(_certificates(tmp_path)), share, patience_s=0.0)
    with Bank.open(bank) as opened:
        opened.index(briefs, elsewhere=nobody)
    assert content(bank) == content(alone)
    assert not any(share.iterdir())


def _certificates(tmp_path: Path) -> Path:
    from briefbank.ingest.cluster.certificates import make_certificates

    [folder] = make_certificates(tmp_path / "keys", ["127.0.0.1"], days=1)
    return folder


@pytest.mark.slow
def test_a_worker_that_would_read_otherwise_is_refused_by_name(
    briefs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(head, "engine_name", lambda _: "tesseract-9.9/2")
    warned: list[str] = []
    bank = office.write_bank(tmp_path / "bank")
    with (
        local_cluster(briefs, CancelToken(), workers=1, patience_s=15.0, warn=warned.append) as local,
        pytest.raises(EngineDiedError, match="No machine of the cluster"),
    ):
        index_with(local, briefs, bank)
    [told] = warned
    assert told.startswith(f"{platform.node()} takes no part")
    assert told.endswith("instead of tesseract-9.9/2.")


def test_neither_names_of_files_nor_texts_go_through_the_scheduler_at_its_most_talkative(
    briefs: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looks into all that scheduler and workers know of tasks, events and logs in the middle of a run, and all they say
    with every log turned up.
    """
    from briefbank.ingest.cluster.engine import Engine

    monkeypatch.setattr(keep, "_MODULE", talkative_programs.__name__)
    places = [str(Path(talkative_programs.__file__).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, places)))
    dumped = tmp_path / "state"

    def dump(local: LocalCluster) -> None:
        ways = local.cluster.ways
        engine = Engine(ways.address, ways.certificates, 30)
        engine._client.dump_cluster_state(str(dumped), write_from_scheduler=False, format="yaml")
        engine.close()

    index_until(briefs, office.write_bank(tmp_path / "bank"), tmp_path / "share", dump)
    said = "".join(capfd.readouterr())
    assert "DEBUG:distributed" in said
    known = dumped.with_suffix(".yaml").read_text(encoding="utf-8")
    assert "briefbank-" in known, "the units are in there"
    for word in ("brief-0", "copy.txt", "scan.pdf", "broken", str(briefs), "troopers", "Client 1", "Carty"):
        assert word not in known + said


@pytest.mark.slow
def test_a_file_that_kills_its_workers_fails_alone_and_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one unit with others, which are read all the same; once it kills no more, the next run reads it."""
    folder, bank = tmp_path / "briefs", office.write_bank(tmp_path / "bank")
    for number in range(4):
        office.write_text(folder / f"memo-{number}.txt", office.memo(f"Matter {number}", POINTS[number]))
    deadly = office.write_text(folder / "deadly.txt", office.memo("Mushrooms", f"{office.STOP} {DEADLY}"))
    monkeypatch.setattr(head, "_UNITS_PER_WORKER", 1)
    with monkeypatch.context() as patched:
        killing = Path(killing_encoder.__file__)
        patched.setenv(VARIABLE, f"hashing={killing}:KillingEncoder")
        patched.setenv("PYTHONPATH", os.pathsep.join([str(killing.parent), os.environ.get("PYTHONPATH", "")]))
        with local_cluster(folder, CancelToken(), workers=1) as local:
            report = index_with(local, folder, bank)
    [failure] = report.failures
    assert (failure.path, failure.code) == (str(deadly), ReaderKilledError.code)
    assert "died 3 times while they read this file" in failure.error
    assert report.indexed == 4
    whole = office.write_bank(tmp_path / "whole")
    index_here(folder, whole)
    with Bank.open(bank) as opened:
        assert opened.index(folder, retry_failed=True).indexed == 1
    assert content(bank) == content(whole)


@pytest.fixture(scope="module")
def many_briefs(briefs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of 72 briefs."""
    folder = tmp_path_factory.mktemp("many") / "briefs"
    for copy in range(6):
        for file in sorted(briefs.rglob("brief-*.txt")):
            text = file.read_text(encoding="utf-8").replace("CLIENT", f"PERSON {copy} CLIENT")
            office.write_text(folder / f"{copy}" / file.name, text)
    return folder


@pytest.fixture(scope="module")
def many_alone(many_briefs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    bank = office.write_bank(tmp_path_factory.mktemp("many-alone") / "bank", read_timeout_s=PATIENT_S)
    assert index_here(many_briefs, bank).indexed == 72
    return bank


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(5))
def test_fifty_kills_of_workers_and_ten_of_the_scheduler_change_nothing(
    many_briefs: Path,
    many_alone: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
    seed: int,
) -> None:
    """Ten and two for each seed, at random moments, and the share goes once; run after run until all have happened."""
    died: list[Unit] = []
    after_death = Dispatch._after_death

    def noted(self: Dispatch, unit: Unit) -> None:
        died.append(unit)
        after_death(self, unit)

    monkeypatch.setattr(Dispatch, "_after_death", noted)
    slow = Path(slow_encoder.__file__)
    monkeypatch.setenv(VARIABLE, f"hashing={slow}:SlowEncoder")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(slow.parent), os.environ.get("PYTHONPATH", "")]))
    bank, share = tmp_path / "bank", tmp_path / "share"
    with local_cluster(many_briefs, CancelToken(), workers=2, share=share) as local:
        attacks, runs = Attacks(local, share, seed, ["worker"] * 10 + ["scheduler"] * 2 + ["share"]), 0
        while attacks.left:
            runs += 1
            shutil.rmtree(bank, ignore_errors=True)
            office.write_bank(bank, read_timeout_s=PATIENT_S)
            with attacks.under_way() as on_progress:
                report = index_with(local, many_briefs, bank, on_progress)
            if report.failures:  # files over which three workers died
                assert {each.code for each in report.failures} == {ReaderKilledError.code}
                report = index_with(local, many_briefs, bank)
            assert content(bank) == content(many_alone)
    record_property("runs", runs)
    record_property("units that were being read when a worker died", len(died))
    assert died
