"""What tests of index runs look at."""

from __future__ import annotations

from pathlib import Path

from briefbank.bank.local import Bank
from briefbank.values.state import IndexReport


def sources(bank: Bank) -> list[str]:
    return sorted(Path(each.source_path).name for each in bank.documents())


def counts(report: IndexReport) -> tuple[int, int, int, int]:
    return report.indexed, report.unchanged, report.removed, len(report.failures)
