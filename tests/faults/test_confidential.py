"""What is kept is its owner's alone, and nothing that is logged or told on the way holds words of briefs or queries."""

from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import office
import pytest
from program import ROOT, command

PLANTED, ASKED = "zymotrophic", "quokkaquery"
BRIEF = office.brief("Alder Quince", "A-1482-17T4", "May 4, 2018", ("THE STOP.", f"{office.STOP} {PLANTED} stop."))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Briefs that hold the planted word, and files in which reading fails behind it."""
    made = tmp_path / "briefs"
    office.write_text(made / "quince.txt", BRIEF)
    office.write_docx(made / "hale.docx", BRIEF)
    office.write_pdf(made / "lorne.pdf", BRIEF)
    (made / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Title (" + PLANTED.encode() + b")")
    (made / "broken.docx").write_bytes(b"PK\x03\x04" + PLANTED.encode() * 20)
    (made / "broken.eml").write_bytes(b"\x01" + PLANTED.encode())
    return made


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The user's own folders, below the test's."""
    homes = {f"XDG_{name}_HOME": str(tmp_path / "home") for name in ("DATA", "CONFIG", "CACHE", "STATE")}
    named = {name: str(tmp_path / "home" / name) for name in ("BRIEFBANK_KEYS", "BRIEFBANK_MODELS")}
    return {**os.environ, **homes, **named, "PYTHONDEVMODE": ""}


@pytest.fixture
def usual_umask() -> Iterator[None]:
    """What users have who never thought of it: their files are everybody's to read."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def run(environment: dict[str, str], *arguments: object) -> subprocess.CompletedProcess[str]:
    words = command("--verbose", *arguments)
    return subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=250, check=False
    )


def test_no_log_and_no_message_holds_words_of_briefs_or_queries(
    folder: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    bank = office.write_bank(tmp_path / "bank")
    told = [
        run(environment, "index", folder, "--bank", bank),
        run(environment, "search", f"{ASKED} {PLANTED} stop", "--bank", bank),
        run(environment, "search", f'"{PLANTED} stop" /s {ASKED}', "--bank", bank),
        run(environment, "status", "--bank", bank),
        run(environment, "check", "--bank", bank),
    ]
    assert [each.returncode for each in told] == [12, 0, 0, 0, 0]
    assert PLANTED in told[1].stdout  # it is there to be found
    assert "failed: damaged-file" in told[0].stderr  # something was logged
    for each in told:
        assert PLANTED not in each.stderr
        assert ASKED not in each.stderr
    assert not [told[at].args for at in (0, 3, 4) if PLANTED in told[at].stdout]


def test_nothing_is_logged_of_texts_at_any_level(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from briefbank.bank.local import Bank
    from briefbank.values.records import Query

    caplog.set_level(logging.DEBUG)
    bank = Bank.open(office.write_bank(tmp_path / "bank"))
    bank.index(folder)
    assert bank.search(Query(f"{ASKED} {PLANTED} stop")).hits
    assert caplog.records
    assert PLANTED not in caplog.text
    assert ASKED not in caplog.text


@pytest.mark.skipif(os.name != "posix", reason="needs permissions as Unix has them")
def test_whatever_is_kept_is_readable_by_its_owner_only(
    folder: Path, environment: dict[str, str], tmp_path: Path, usual_umask: None
) -> None:
    from briefbank.judgements.feedback.log import FeedbackLog

    bank = tmp_path / "bank"
    office.write_bank(bank).joinpath("bank.toml").chmod(0o600)  # the test's own file
    assert run(environment, "index", folder, "--bank", bank).returncode == 12
    office.write_text(folder / "memo.txt", office.memo("Arrays", office.LINEUP))
    assert run(environment, "index", folder, "--bank", bank).returncode == 12
    assert run(environment, "keys", "make", "Office").returncode == 0
    feedback = tmp_path / "feedback" / "feedback.sqlite"
    FeedbackLog(feedback).close()
    kept = [bank, feedback.parent, tmp_path / "home"]
    found = [path for top in kept for path in (top, *top.rglob("*"))]
    assert len(found) > 20
    open_to_others = [str(path) for path in found if stat.S_IMODE(path.lstat().st_mode) & 0o077]
    assert open_to_others == []
    assert not (bank / "scratch").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows leaves no core dumps")
@pytest.mark.parametrize(
    "program",
    [
        "from briefbank.cli import main as told; told.build_parser = stop_at",
        "from ui import app as told; told.start_engine = tell",
    ],
)
def test_the_command_line_and_the_window_leave_no_core_and_make_files_for_their_owner(program: str) -> None:
    script = f"""
import os, resource, sys, types
def tell(*_):
    print(os.umask(0), resource.getrlimit(resource.RLIMIT_CORE))
    sys.exit()
def stop_at(_):
    return types.SimpleNamespace(parse_args=lambda _: types.SimpleNamespace(verbose=False, run=tell))
os.umask(0o022)
{program}
told.main([])
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout.split("\n")[0] == f"{0o077} (0, 0)", done.stderr
