"""A desk for the screen reader's tests: a virtual screen with a window manager, a bus, the program, and who listens."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import psutil
from program import ROOT, python_path

SYSTEM_PYTHON = "/usr/bin/python3"
_CLIENT = Path(__file__).with_name("client.py")
_BINDINGS = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
_PACKAGES = "xvfb openbox dbus at-spi2-core python3-gi gir1.2-atspi-2.0"
_WAIT_S = 60.0
_ONE_MOMENT_S = 0.1
_Found = TypeVar("_Found")


class Node(msgspec.Struct, frozen=True):
    """Something on the screen as a screen reader is told of it."""

    depth: int
    role: str
    name: str
    label: str
    description: str
    states: frozenset[str]

    @property
    def spoken(self) -> str:
        return self.name or self.label


class Event(msgspec.Struct, frozen=True):
    """Something that a screen reader was told by itself: `type` is announcement, focused or checked."""

    type: str
    said: str
    name: str
    role: str
    is_on: bool


def missing() -> str:
    """Why the tests cannot run here; empty where they can."""
    lacking = [each for each in ("Xvfb", "openbox", "dbus-daemon", SYSTEM_PYTHON) if shutil.which(each) is None]
    if not lacking and subprocess.run([SYSTEM_PYTHON, "-c", _BINDINGS], capture_output=True, check=False).returncode:
        lacking = ["the bindings of AT-SPI"]
    return f"not installed: {', '.join(lacking)}; sudo apt-get install {_PACKAGES}" if lacking else ""


class Listener:
    """A screen reader: what it is told, and the keys that are pressed."""

    def __init__(self, client: subprocess.Popen[str]) -> None:
        self._client = client
        self._heard: list[Event] = []

    def tree(self) -> list[Node]:
        """What is on the screen, in the order in which it is gone through."""
        return msgspec.convert(self._ask(do="tree"), list[Node])

    def named(self, name: str) -> Node:
        """What bears a name, as soon as it is on the screen."""
        return self.until(lambda: next((each for each in self.tree() if each.spoken == name), None), name)

    @property
    def focused(self) -> str:
        """The name of what has the focus; a list names its entry too."""
        return " / ".join(each.spoken for each in self.tree() if "focused" in each.states and each.spoken)

    def press(self, *keys: str) -> None:
        for each in keys:
            self._ask(do="press", keys=each)

    def type(self, text: str) -> None:
        self.press(*("Space" if each == " " else each for each in text))

    def hears(self, wanted: Callable[[Event], bool], what: str) -> list[Event]:
        """Wait until something is told that is wanted; return what was told up to then, and forget it."""

        def told() -> list[Event]:
            self._heard += msgspec.convert(self._ask(do="heard"), list[Event])
            found = next((number for number, each in enumerate(self._heard, start=1) if wanted(each)), 0)
            events, self._heard = self._heard[:found], self._heard[found:]
            return events

        return self.until(told, what)

    def until(self, found: Callable[[], _Found | None], what: str) -> _Found:
        end = time.monotonic() + _WAIT_S
        while time.monotonic() < end:
            if result := found():
                return result
            time.sleep(_ONE_MOMENT_S)
        shown = "; ".join(f"{each.role} {each.spoken[:60]}" for each in self.tree() if "focusable" in each.states)
        raise AssertionError(f"waited in vain for {what}; the focus is on {self.focused[:200]}, and there are {shown}")

    def _ask(self, **request: str) -> Any:
        assert self._client.stdin
        assert self._client.stdout
        self._client.stdin.write(json.dumps(request) + "\n")
        self._client.stdin.flush()
        return json.loads(self._client.stdout.readline())


@dataclass(frozen=True)
class Desk:
    """Where the program is started and listened to."""

    environment: dict[str, str]

    @contextmanager
    def listening(self, bank: Path, home: Path) -> Iterator[Listener]:
        """Start the program as a person does, wait until its window has the focus, and end it."""
        own = {f"XDG_{name}_HOME": str(home) for name in ("DATA", "CONFIG", "CACHE", "STATE")}
        program = [sys.executable, "-m", "ui", "--bank", str(bank)]
        with (
            _running([SYSTEM_PYTHON, str(_CLIENT)], self.environment, is_asked=True) as client,
            _running(program, self.environment | own),
        ):
            listener = Listener(client)
            listener.until(lambda: "Search the briefs" in listener.focused, "the window")
            yield listener


@contextmanager
def set_up() -> Iterator[Desk]:
    """A screen, a bus and a window manager of these tests' own."""
    environment = {name: each for name, each in os.environ.items() if name not in ("WAYLAND_DISPLAY", "DISPLAY")}
    environment |= {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "PYTHONPATH": python_path(ROOT)}
    with _telling(
        ["Xvfb", "-displayfd", "{}", "-screen", "0", "1366x768x24", "-nolisten", "tcp"], environment
    ) as display:
        environment["DISPLAY"] = f":{display}"
        with _telling(["dbus-daemon", "--session", "--nofork", "--print-address={}"], environment) as address:
            environment["DBUS_SESSION_BUS_ADDRESS"] = address
            with _running(["openbox", "--sm-disable"], environment):
                yield Desk(environment)


@contextmanager
def _telling(words: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Run a program for as long as this lasts, and yield the line that it writes into the file named by {}."""
    read, write = os.pipe()
    filled = [each.format(write) for each in words]
    process = subprocess.Popen(filled, env=environment, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as told:
            yield told.readline().strip()
    finally:
        _end(process)


@contextmanager
def _running(
    words: list[str], environment: dict[str, str], *, is_asked: bool = False
) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE if is_asked else None
    process = subprocess.Popen(words, env=environment, stdin=pipe, stdout=pipe, encoding="utf-8")
    try:
        while psutil.Process(process.pid).cmdline()[:1] != words[:1]:  # until then it bears the name of this one
            time.sleep(_ONE_MOMENT_S)
        yield process
    finally:
        _end(process)


def _end(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    process.wait()
    for each in (process.stdin, process.stdout):
        if each:
            each.close()
