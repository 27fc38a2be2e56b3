"""Everything the program does, where no network can be reached and where every attempt would be seen.

Index (a scan and an old word processor's file too), search, models, summaries, the window, keys, pack and install: once
in a network namespace without any interface, once under a system-call trace of all processes.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import office
import pytest
from program import ROOT, command

from briefbank.ingest.readers.office import find_converter

QUESTION = "is consent to search valid if the stop was prolonged"
_INTERNET = re.compile(r"socket\((AF_INET6?|PF_INET6?),|sa_family=AF_INET")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Every kind of file that is read: text, PDF, DOCX, a scan, a mail, an old word processor's."""
    made = tmp_path / "briefs"
    office.write_library(made)
    for name in ("broken.pdf", "plan.xls"):
        (made / name).unlink()
    office.write_scan(made / "scanned-memo.pdf", office.memo("Consent", office.CONSENT))
    office.write_text(
        made / "mail.eml", f"From: a@office.example\nSubject: Arrays\n\n{office.paragraph(office.LINEUP)}\n"
    )
    if find_converter():
        office.write_text(made / "old.rtf", rf"{{\rtf1\ansi {office.paragraph(office.SENTENCE)}\par}}")
    return made


@pytest.fixture
def script(tmp_path: Path, folder: Path) -> str:
    """The whole of it as a shell script that stops at the first failure."""
    bank, laptop, pack = tmp_path / "bank", tmp_path / "laptop", tmp_path / "office.bbpack"
    steps = [
        command("index", folder, "--bank", bank, "--quiet"),
        command("search", QUESTION, "--bank", bank),
        command("check", "--bank", bank),
        *_summarised(tmp_path, bank),
        [sys.executable, str(ROOT / "tests" / "e2e" / "tour.py"), bank, tmp_path / "seen.sqlite", QUESTION],
        command("keys", "make", "Test office"),
        command("pack", pack, "--bank", bank, "--quiet"),
        command("install", pack, "--bank", laptop, "--quiet"),
        command("search", QUESTION, "--bank", laptop),
    ]
    return "set -e\n" + "\n".join(shlex.join(map(str, step)) for step in steps)


def _summarised(tmp_path: Path, bank: Path) -> list[list[object]]:
    """Steps that have a real language model of random weights write summaries, where llama.cpp is installed."""
    try:
        import llama_cpp  # noqa: F401
    except ImportError:
        return []
    sys.path.insert(0, str(ROOT / "tests" / "llm"))
    from tiny import write_tiny_gguf

    write_tiny_gguf(tmp_path / "tiny.gguf")
    add = command("models", "add", tmp_path / "tiny.gguf", "--role", "summary", "--quiet")
    first = (
        f"{shlex.join(command('documents', '--bank', str(bank), '--json'))} | {sys.executable} -c {shlex.quote(_FIRST)}"
    )
    words = command("summarize", "--document", "DOCUMENT", "--bank", bank, "--quiet")
    summarize = shlex.join(map(str, words)).replace("DOCUMENT", '"$1"')
    return [add, ["sh", "-c", f"set -- $({first}); {summarize} || test $? -eq 12"]]


_FIRST = "import json, sys; print(json.load(sys.stdin)['documents'][0]['document_id'])"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Everything that the program keeps for its user lies below the test's folder."""
    kept = {name: str(tmp_path / name.lower()) for name in ("BRIEFBANK_MODELS", "BRIEFBANK_KEYS")}
    homes = {f"XDG_{name}_HOME": str(tmp_path / "home" / name) for name in ("DATA", "CONFIG", "CACHE", "STATE")}
    return {**os.environ, **kept, **homes, "BRIEFBANK_FEEDBACK": str(tmp_path / "feedback.sqlite")}


def run(words: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=1700, check=False
    )


def can_leave_the_network() -> bool:
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not can_leave_the_network(), reason="this machine lets nobody make a network namespace")
def test_everything_works_without_any_network_interface(script: str, environment: dict[str, str]) -> None:
    done = run(["unshare", "-rn", "sh", "-c", script], environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("best match") >= 2 or done.stdout.count("consent") >= 2


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_no_process_opens_a_socket_that_leads_to_a_network(
    script: str, environment: dict[str, str], tmp_path: Path
) -> None:
    trace = tmp_path / "trace"
    traced = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=%network", "-o", str(trace)]
    done = run([*traced, "sh", "-c", script], environment)
    if "Operation not permitted" in done.stderr:
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stdout + done.stderr
    calls = trace.read_text(encoding="utf-8", errors="replace").splitlines()
    assert any("AF_UNIX" in call for call in calls)  # the trace sees sockets
    assert [call for call in calls if _INTERNET.search(call)] == []
