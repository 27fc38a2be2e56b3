"""Everything the program does, where no network can be reached and where every attempt would be seen.

Index (a scan and an old word processor's file too), search, models, summaries, the window, keys, pack and install: once
in a network namespace without any interface, once under a system-call trace of all processes.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import office
import pytest
from namespaces import needs_no_network
from program import ROOT, command

from briefbank.ingest.readers.office import find_converter

QUESTION = "is consent to search valid if the stop was prolonged"
_INTERNET = re.compile(r"socket\((AF_INET6?|PF_INET6?),|sa_family=AF_INET")
_HAS_LLAMA = importlib.util.find_spec("llama_cpp") is not None
_TRACED = "strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=%network,execve", "-o"

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
    steps: list[Sequence[object]] = [
        _kept(tmp_path / "index.json", "index", folder, "--bank", bank, "--quiet"),
        _kept(tmp_path / "search.json", "search", QUESTION, "--bank", bank),
        command("check", "--bank", bank),
        *_summarised(tmp_path, bank),
        [sys.executable, str(ROOT / "tests" / "e2e" / "tour.py"), bank, tmp_path / "seen.sqlite", QUESTION],
        command("keys", "make", "Test office"),
        command("pack", pack, "--bank", bank, "--quiet"),
        command("install", pack, "--bank", laptop, "--quiet"),
        _kept(tmp_path / "laptop.json", "search", QUESTION, "--bank", laptop),
    ]
    return "set -e\n" + "\n".join(shlex.join(map(str, step)) for step in steps)


def _kept(told: Path, *words: object) -> list[str]:
    """The step that keeps in `told` what a command answers as JSON."""
    return ["sh", "-c", f"{shlex.join(command(*words, '--json'))} > {shlex.quote(str(told))}"]


def _summarised(tmp_path: Path, bank: Path) -> list[list[str]]:
    """Steps that have a real language model of random weights write summaries, where llama.cpp is installed."""
    if not _HAS_LLAMA:
        return []
    sys.path.insert(0, str(ROOT / "tests" / "llm"))
    from tiny import write_tiny_gguf

    write_tiny_gguf(tmp_path / "tiny.gguf", context=8192)
    add = command("models", "add", tmp_path / "tiny.gguf", "--role", "summary", "--quiet")
    last = f"{shlex.join(command('documents', '--bank', bank, '--json'))} | {sys.executable} -c {shlex.quote(_LAST)}"
    summarize = shlex.join(command("summarize", "--bank", bank, "--quiet", "--json"))
    return [add, ["sh", "-c", f'set -- $({last}); {summarize} --document "${{1:?}}" > {tmp_path}/summaries.json']]


_LAST = "import json, sys; print(json.load(sys.stdin)['documents'][-1]['document_id'])"


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


def assert_done(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert done.returncode == 0, done.stdout + done.stderr
    told = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.parent.glob("*.json")}
    index, here, on_laptop = told["index"], told["search"], told["laptop"]
    assert index["failures"] == []
    assert index["documents"] == sum(path.is_file() for path in folder.rglob("*"))
    assert "consent" in next(hit["text"] for hit in here["hits"] if hit["rank"] == 1).lower()
    assert [hit["passage_id"] for hit in on_laptop["hits"]] == [hit["passage_id"] for hit in here["hits"]]
    assert not _HAS_LLAMA or told["summaries"]["written"] > 0


def traced(words: list[str], environment: dict[str, str], trace: Path) -> subprocess.CompletedProcess[str]:
    done = run([*_TRACED, str(trace), *words], environment)
    if "Operation not permitted" in done.stderr:
        pytest.skip("strace may not trace here")
    return done


@needs_no_network
def test_everything_works_without_any_network_interface(script: str, environment: dict[str, str], folder: Path) -> None:
    assert_done(run(["unshare", "-rn", "sh", "-c", script], environment), folder)


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_no_process_opens_a_socket_that_leads_to_a_network(
    script: str, environment: dict[str, str], folder: Path, tmp_path: Path
) -> None:
    assert_done(traced(["sh", "-c", script], environment, tmp_path / "trace"), folder)
    calls = (tmp_path / "trace").read_text(encoding="utf-8", errors="replace").splitlines()
    started = "\n".join(call for call in calls if "execve(" in call and "= -1" not in call)
    assert "briefbank.bank.child" in started
    assert "briefbank.ingest.worker" in started
    assert "soffice" in started or not find_converter()
    assert "briefbank.models.language.child" in started or not _HAS_LLAMA
    assert [call for call in calls if _INTERNET.search(call)] == []


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6"])
def test_the_trace_sees_a_socket_of_a_child_of_a_child(
    family: str, environment: dict[str, str], tmp_path: Path
) -> None:
    opens = shlex.join([sys.executable, "-c", f"import socket; socket.socket(socket.{family}, socket.SOCK_DGRAM)"])
    assert traced(["sh", "-c", f"({opens}); true"], environment, tmp_path / "trace").returncode == 0
    assert _INTERNET.search((tmp_path / "trace").read_text(encoding="utf-8"))
