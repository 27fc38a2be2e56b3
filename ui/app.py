"""The program `briefbank-ui`: starts the engine, then the window while it loads, and ends both.

Imports Qt inside `main`, so that the engine process is on its way first.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from briefbank import __version__
from briefbank.bank.remote import start_engine
from briefbank.platform.layout import default_bank
from briefbank.platform.processes.this_process import keep_private

_LOG = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Show the window until it is closed, and return the exit code."""
    root = _parser().parse_args(arguments).bank or default_bank()
    keep_private()
    logging.basicConfig(level=logging.ERROR, format="%(name)s: %(message)s")
    if lacking := _missing_libraries():
        _LOG.error("%s", _LIBRARIES_MISSING.format(", ".join(lacking)))
        return 1
    early = start_engine(root)
    from PySide6.QtCore import QTimer

    from briefbank.bank.remote import RemoteSummaries
    from briefbank.judgements.feedback.log import default_log
    from briefbank.matters.log import default_log as default_matters
    from ui.application import FaultReporter, end_on_signal, make_application
    from ui.engine import EngineClient
    from ui.matters.keeper import MatterStore
    from ui.recorder import Recorder
    from ui.session import Session

    app = make_application()
    engine = EngineClient(root)
    engine.bank.start(early)
    recorder = Recorder(default_log())
    matters = MatterStore(default_matters())
    summaries = RemoteSummaries(root)
    try:
        session = Session(engine, recorder, summaries, matters)
        window = session.make_window()
        sys.excepthook = FaultReporter()
        end_on_signal(app)
        window.show()
        QTimer.singleShot(0, window, _spare_what_stays)
        return app.exec()
    finally:
        sys.excepthook = sys.__excepthook__
        if lost := recorder.close():
            _LOG.error("%d entries of feedback could not be written", lost)
        if lost := matters.close():
            _LOG.error("%d changes of matters could not be written", lost)
        summaries.close()
        engine.close()


_LIBRARIES = ("libEGL.so.1", "libGL.so.1", "libxkbcommon.so.0", "libfontconfig.so.1", "libdbus-1.so.3")
_LIBRARIES_OF_X11 = ("libxkbcommon-x11.so.0", "libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-keysyms.so.1")
_LIBRARIES_MISSING = (
    "The window needs libraries of the system that are not installed: {}. On Debian and Ubuntu: sudo apt-get install "
    "libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libdbus-1-3 fontconfig"
)


def _missing_libraries() -> list[str]:
    """What Qt needs of a Linux and does not find; it would end the process without a word about most of it."""
    if sys.platform != "linux" or getattr(sys, "frozen", False):
        return []
    is_x11 = "DISPLAY" in os.environ and not {"WAYLAND_DISPLAY", "QT_QPA_PLATFORM"} & os.environ.keys()
    missing = []
    for name in (*_LIBRARIES, *(_LIBRARIES_OF_X11 if is_x11 else ())):
        try:
            ctypes.CDLL(name)
        except OSError:
            missing.append(name)
    return missing


def _spare_what_stays() -> None:
    """Take what was loaded out of the garbage collector's rounds: a full one would halt the window for 40 ms."""
    gc.collect()
    gc.freeze()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="briefbank-ui", description="Search the briefs that your office has written, in a window."
    )
    parser.add_argument("--version", action="version", version=f"briefbank {__version__}")
    parser.add_argument(
        "--bank", type=Path, metavar="DIR", help="the bank (default: BRIEFBANK_BANK, else in your data folder)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
