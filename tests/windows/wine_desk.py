"""A screen for Windows programs under Wine: real keys go in, pictures come out."""

from __future__ import annotations

import os
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from under_wine import WINE, windows_path

_SIZE = (1366, 768)
_HEADER_WORDS = 25
_COLOUR_BYTES = 12
_NUMBER = 93
"""Of the display; the other tests use lower ones."""


@dataclass(frozen=True, slots=True)
class Desk:
    """A virtual screen with one program on it; `folder` holds the screen's memory."""

    folder: Path
    program: subprocess.Popen[bytes]

    def press(self, *keys: str) -> None:
        """Press keys by their X names, one after the other."""
        self._xdotool("key", "--delay", "120", *keys)

    def type(self, text: str) -> None:
        """Type words."""
        self._xdotool("type", "--delay", "60", text)

    def click(self, x: int, y: int) -> None:
        """Click there."""
        self._xdotool("mousemove", str(x), str(y), "click", "1")

    def picture(self) -> Image.Image:
        """What the screen shows."""
        memory = (self.folder / "Xvfb_screen0").read_bytes()
        header = struct.unpack(f">{_HEADER_WORDS}I", memory[: 4 * _HEADER_WORDS])
        width, height, line, colours = header[4], header[5], header[12], header[19]
        pixels = memory[header[0] + colours * _COLOUR_BYTES :]
        return Image.frombuffer("RGBX", (width, height), pixels, "raw", "BGRX", line, 1).convert("RGB")

    def shows_something(self, seconds: float) -> None:
        """Wait until the screen is no longer of one colour; at most that long."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and len(self.picture().getcolors(maxcolors=2**24) or ()) < 2:
            time.sleep(0.25)

    def settled(self, seconds: float, *, quiet: float = 3.0) -> Image.Image:
        """The screen once nothing on it has changed for a while; at the latest after `seconds`."""
        deadline = time.monotonic() + seconds
        shown, since = self.picture(), time.monotonic()
        while time.monotonic() < deadline and time.monotonic() - since < quiet:
            time.sleep(0.25)
            now = self.picture()
            if now.tobytes() != shown.tobytes():
                shown, since = now, time.monotonic()
        return shown

    def wait(self, seconds: float) -> int:
        """Wait for the program's end and return its exit code."""
        return self.program.wait(seconds)

    @staticmethod
    def _xdotool(*words: str) -> None:
        command = ["sh", str(WINE), "run", "xdotool", *words]
        subprocess.run(command, env=_environment(), check=True, capture_output=True, timeout=120)


def _environment(**more: str) -> dict[str, str]:
    return {**os.environ, **more, "DISPLAY": f":{_NUMBER}"}


@contextmanager
def opened(program: Path | str, *words: object, folder: Path, **environment: str) -> Iterator[Desk]:
    """Start a Windows program on a screen of its own; whatever happens, both are gone afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    screen = [
        "Xvfb",
        f":{_NUMBER}",
        "-screen",
        "0",
        f"{_SIZE[0]}x{_SIZE[1]}x24",
        "-nolisten",
        "tcp",
        "-fbdir",
        str(folder),
    ]
    with subprocess.Popen(screen, stderr=subprocess.DEVNULL) as server:
        try:
            time.sleep(2)
            named = [windows_path(word) if isinstance(word, Path) else str(word) for word in (program, *words)]
            command = ["sh", str(WINE), "run", "wine", *named]
            with subprocess.Popen(command, env=_environment(**environment)) as started:
                try:
                    yield Desk(folder, started)
                finally:
                    started.kill()
        finally:
            server.terminate()
