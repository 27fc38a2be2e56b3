"""What a bank says of itself: what it holds, what failed, where it came from, what protects its readers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from briefbank.index.learned import Learned
from briefbank.index.manifest import read_info, read_unreadable
from briefbank.index.publish import live_generation
from briefbank.ingest.report import failure_of
from briefbank.office.provenance import read_provenance
from briefbank.office.repair.check import ledger_entries
from briefbank.platform.confine import missing_protection
from briefbank.platform.layout import Layout
from briefbank.platform.settings import retired_settings
from briefbank.values.state import BankStatus


def status_of(layout: Layout, alert_problems: Sequence[str]) -> BankStatus:
    """Put together what a bank says of itself; `alert_problems` is what is wrong with the office's list in force.

    Raises:
        BankDamagedError, BankNewerError, SettingsError: a record of the bank, or `bank.toml`, cannot be read.
        BankMissingError: there is no bank here.
    """
    live = layout.current()
    info = read_info(live_generation(layout)) if live else None
    learned = Learned.read(live_generation(layout)) if live else None
    unreadable = read_unreadable(live_generation(layout)) if live else None
    entries = ledger_entries(layout)
    names = (path.name for path in layout.generations.iterdir())
    return BankStatus(
        bank=str(layout.root),
        format=layout.require(),
        generation=live,
        other_generations=tuple(sorted(name for name in names if name != live and "." not in name)),
        documents=info.document_count if info else 0,
        passages=info.passage_count if info else 0,
        encoder=info.encoder_digest if info else "",
        precision=info.encoder_precision if info else "",
        files=len(entries),
        failures=tuple(failure_of(entry) for entry in entries if entry.is_failed),
        bytes=sum(_size_bytes(path) for path in layout.root.rglob("*") if path.is_file()),
        learned=learned.card.description if learned else "",
        installed=read_provenance(layout),
        missing_protection=missing_protection(),
        alert_problems=tuple(alert_problems),
        retired_settings=retired_settings(layout.settings_file),
        unreadable=unreadable,
    )


def _size_bytes(file: Path) -> int:
    """The size of a file, or 0 where an index run has just removed it."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
