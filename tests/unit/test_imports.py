"""What is imported when: heavy libraries only by what needs them, and never torch by a search."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from llm.tiny import write_tiny_gguf
from systems import signals

from briefbank.bank.local import Bank
from briefbank.errors import LanguageModelError
from briefbank.models.installed import Role, add_model
from briefbank.models.language import load_language_model
from briefbank.models.language.port import Message, Request, Speaker
from briefbank.values.records import Query

ROOT = Path(__file__).parents[2]
HEAVY = (
    "torch transformers sentence_transformers onnxruntime onnx lancedb pyarrow bm25s numba scipy pymupdf docx PIL "
    "matplotlib jinja2"
)


def modules_after(code: str) -> set[str]:
    """Names of the top-level modules loaded after running `code` in a process of its own."""
    script = f"import json, sys\n{code}\nprint(json.dumps(sorted({{n.partition('.')[0] for n in sys.modules}})))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("call", [["status"], ["--version"], ["search", "stop"]])
def test_a_package_that_was_not_installed_is_named_and_no_fault_told(call: list[str]) -> None:
    begun = [sys.executable, "-S", "-m", "briefbank", *call]  # without what pip installed
    done = subprocess.run(begun, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert (done.returncode, done.stderr.count("is missing, which this needs"), "pip install" in done.stderr) == (
        1,
        1,
        True,
    )
    assert not {"fault", "Traceback"} & set(done.stderr.replace(":", " ").split())


def test_a_package_that_llama_cpp_lacks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "llama_cpp.py").write_text("import never_installed.part", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    add_model(write_tiny_gguf(tmp_path / "tiny.gguf"), [Role.SUMMARY], folder=tmp_path / "models")
    model = load_language_model(Role.SUMMARY, folder=tmp_path / "models")
    with closing(model), pytest.raises(LanguageModelError, match="never_installed is missing"):
        model.answer(Request((Message(Speaker.USER, "a stop"),), 5, 60))


def commands(*calls: tuple[object, ...]) -> str:
    runs = "\n".join(f"assert main({[str(each) for each in call]!r}) == 0" for call in calls)
    return f"from briefbank.cli.main import main\n{runs}"


@pytest.mark.parametrize(
    "module",
    ["cli.main", "bank.local", "bank.child", "bank.remote", "models.language.child", "values.records", "errors"],
)
def test_what_starts_first_loads_no_heavy_library(module: str) -> None:
    assert not modules_after(f"import briefbank.{module}") & {*HEAVY.split(), "llama_cpp"}


def test_a_worker_that_reads_files_starts_without_models_or_databases() -> None:
    loaded = modules_after("import briefbank.ingest.worker, briefbank.ingest.parse")
    assert not loaded & {*HEAVY.split(), "numpy"}  # NumPy starts threads, and who is confined must have one


def test_pymupdf_comes_without_the_models_that_it_would_load() -> None:
    loaded = modules_after("from briefbank.ingest.readers.mupdf import import_pymupdf; import_pymupdf()")
    assert "pymupdf" in loaded
    assert not loaded & {"onnxruntime", "numpy"}
    doors = [each for each in (ROOT / "briefbank").rglob("*.py") if "    import pymupdf\n" in each.read_text("utf-8")]
    assert [each.name for each in doors] == ["mupdf.py"]


def test_searching_never_imports_what_only_indexing_needs(library_bank: Path) -> None:
    passage = Bank.open(library_bank).search(Query("consent")).hits[0].passage.id
    loaded = modules_after(
        commands(
            ("search", "consent to search", "--bank", library_bank),
            ("show", passage, "--bank", library_bank),
            ("documents", "--bank", library_bank),
            ("status", "--bank", library_bank),
            ("check", "--bank", library_bank),
        )
    )
    assert "lancedb" in loaded
    assert not loaded & set("torch transformers sentence_transformers onnx pymupdf docx bm25s scipy urllib3".split())


def test_the_telemetry_of_onnx_runtime_is_off_before_it_can_load() -> None:
    modules_after("import os, briefbank; assert os.environ['ORT_DISABLE_TELEMETRY'] == '1'")


WINDOW = """
import os, signal
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from ui import app, application

def ask():
    from ui.window import MainWindow
    window = next(each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow))
    window.search_space.ask("consent to search")
    answered = window._engine.bank.facets()  # asked later, so answered later
    answered.add_done_callback(lambda _: os.kill(os.getpid(), signal.SIGTERM))

make = application.make_application
def make_and_ask():
    made = make()
    QTimer.singleShot(0, made, ask)
    return made
application.make_application = make_and_ask
app.main(["--bank", {bank!r}])
"""


@signals
def test_the_process_of_the_window_imports_nothing_heavy(
    library_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("BRIEFBANK_FEEDBACK", str(tmp_path / "feedback.sqlite"))
    loaded = modules_after(WINDOW.format(bank=str(library_bank)))
    assert "PySide6" in loaded
    assert not loaded & {*HEAVY.split(), "llama_cpp", "numpy", "tokenizers"}


def test_an_engine_process_is_on_its_way_before_qt_is_imported() -> None:
    assert "PySide6" not in modules_after("import ui.app")
