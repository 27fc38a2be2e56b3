"""Opens the real window without a screen, asks, reads a page, opens a summary, judges, and closes it.

`python tests/e2e/tour.py BANK FEEDBACK QUESTION`; ends with an error where a step does not come about.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from screenshots import Driver


def main() -> None:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from briefbank.bank.remote import RemoteSummaries
    from ui.application import make_application
    from ui.engine import EngineClient
    from ui.matters.keeper import MatterStore
    from ui.recorder import Recorder
    from ui.session import Session

    bank, feedback, question = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    app = make_application()
    engine, recorder, summaries = EngineClient(bank), Recorder(feedback), RemoteSummaries(bank)
    matters = MatterStore(feedback.with_name("matters.sqlite"))
    engine.bank.start()
    try:
        session = Session(engine, recorder, summaries, matters)
        window = session.make_window()
        window.show()
        window.activateWindow()
        driver = Driver(window, feedback.parent, "")
        driver.until(lambda: window.search_space.generation, "the engine is ready")
        driver.ask(question)
        driver.press("Ctrl+J")
        driver.until(lambda: window.search_space.pane.list.current, "a result has the focus")
        driver.until(lambda: window.search_space.page.view.pages, "the page is there")
        driver.press("R", "S")
        driver.until(lambda: window.search_space.search.shown, "the result stays")
        window.close()
        app.processEvents()
    finally:
        lost = recorder.close() + matters.close()
        summaries.close()
        engine.close()
    sys.exit(f"{lost} judgements were lost" if lost else 0)


if __name__ == "__main__":
    main()
