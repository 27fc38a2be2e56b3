"""The bank in child processes, so that the window imports nothing heavy and outlives whatever dies.

The children, each started anew when it dies: the engine (search, passages, facts of the bank), the page renderer
(untrusted files are rendered there, so a hostile one costs its page and no search), what looks summaries up or has
them written, and, while they run, an index run, an export, the check of a draft and a checklist. Must not know Qt.
"""

from __future__ import annotations

from briefbank.bank.services.bank import ChecklistRun, DraftRun, IndexRun, RemoteBank, start_engine
from briefbank.bank.services.calls import EngineNotice, EngineState

__all__ = ["ChecklistRun", "DraftRun", "EngineNotice", "EngineState", "IndexRun", "RemoteBank", "start_engine"]
