"""Fixtures of the window's tests: the office's bank behind a real engine process, and folders of each test's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

# The offscreen platform's own screen is 800 by 800, into which no window of this size is put.
os.environ.setdefault("QT_QPA_PLATFORM", f"offscreen:configfile={Path(__file__).with_name('screen.json')}")

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QApplication
from windows import opened, started

from briefbank.bank.port import EngineState
from ui.engine import EngineClient
from ui.preferences import TextSize
from ui.theme import LIGHT, sheet
from ui.window import MainWindow


@pytest.fixture(autouse=True)
def user_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders for what the user's programs keep, empty at the start of each test; returns their parent."""
    home = tmp_path / "home"
    for name in ("DATA", "CONFIG", "CACHE", "STATE"):
        folder = home / name.lower()
        folder.mkdir(parents=True)
        monkeypatch.setenv(f"XDG_{name}_HOME", str(folder))
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    for name in (
        "BRIEFBANK_BANK",
        "BRIEFBANK_FEEDBACK",
        "BRIEFBANK_MATTERS",
        "BRIEFBANK_FOLLOWS",
        "BRIEFBANK_CORRECTIONS",
        "BRIEFBANK_PROFILES",
    ):
        monkeypatch.delenv(name, raising=False)
    QCoreApplication.setOrganizationName("briefbank")
    for kind in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(kind, QSettings.Scope.UserScope, str(home / "config"))
    return home


@pytest.fixture(autouse=True)
def looks(qapp: QApplication) -> Iterator[Callable[[TextSize], None]]:
    """Gives the program the shapes that users see, with a size of text; what a test gave it is taken back."""
    font, style_sheet = qapp.font(), qapp.styleSheet()

    def dress(size: TextSize) -> None:
        sized = QFont(font)
        sized.setPointSizeF(size.points)
        qapp.setFont(sized)
        qapp.setStyleSheet(sheet(LIGHT))

    yield dress
    if qapp.styleSheet() != style_sheet:
        qapp.setStyleSheet(style_sheet)
    if qapp.font() != font:
        qapp.setFont(font)


@pytest.fixture(scope="session")
def office_bank(library_bank: Path) -> Path:
    """A bank of the invented office's library; shared, so never written to."""
    return library_bank


@pytest.fixture(scope="session")
def engine(qapp: QApplication, office_bank: Path) -> Iterator[EngineClient]:
    """A started engine on the office's bank, its processes running; shared, so never killed, closed or indexed with."""
    with started(office_bank) as running:
        yield running


@pytest.fixture
def start_engine(qapp: QApplication) -> Iterator[Callable[[Path], EngineClient]]:
    """Start an engine on any bank, for tests that kill or index; it is closed at the end."""
    started: list[EngineClient] = []

    def start(root: Path) -> EngineClient:
        engine = EngineClient(root)
        started.append(engine)
        engine.bank.start()
        return engine

    yield start
    for engine in started:
        if engine.notice.state is not EngineState.CLOSED:
            engine.close()
    qapp.processEvents()


@pytest.fixture
def own_engine(start_engine: Callable[[Path], EngineClient], own_bank: Path) -> EngineClient:
    """An engine of this test alone, on a copy of the office's bank."""
    return start_engine(own_bank)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where the window of a test keeps what is said."""
    return tmp_path / "feedback.sqlite"


@pytest.fixture
def window(engine: EngineClient, log: Path) -> Iterator[MainWindow]:
    """The window over the office's bank."""
    with opened(engine, log) as shown:
        yield shown


@pytest.fixture
def own_window(own_engine: EngineClient, log: Path) -> Iterator[MainWindow]:
    """A window over a bank of this test alone, whose engine can be stopped and keeps corrections in its own folder."""
    with opened(own_engine, log) as shown:
        yield shown


def pytest_sessionfinish() -> None:
    """Empty the clipboard while there is an application: Qt would delete what Python put there after Python is gone."""
    if QGuiApplication.instance():
        QGuiApplication.clipboard().clear()
