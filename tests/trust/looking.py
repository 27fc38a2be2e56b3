"""What a person would see of a bank, a pack and a log; each raises whatever the program raises over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from briefbank.bank.local import Bank
from briefbank.errors import BankMissingError
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.office.packs.read import open_pack
from briefbank.values.records import Query

QUESTION = Query("was there a reasonable suspicion at the stop")


def bank_seen(bank: Path) -> Any:
    """What a bank answers, None where there is none yet."""
    try:
        opened = Bank.open(bank)
        found = opened.search(QUESTION)
    except BankMissingError:
        return None
    return found.generation, [document.id for document in opened.documents()], [hit.passage for hit in found.hits]


def log_seen(path: Path) -> Any:
    """The events of a log in their order, none where there is no log; looking makes none."""
    if not path.exists():
        return ()
    with FeedbackLog(path) as log:
        return tuple(log.event_ids())


def pack_seen(path: Path) -> Any:
    """What a pack holds, None where there is none; it is unpacked and verified to its end."""
    if not path.exists():
        return None
    with open_pack(path) as reader:
        for _, pieces in reader.files():
            for _ in pieces:
                pass
        return reader.manifest.documents, reader.manifest.passages


SEEN: dict[str, Callable[[Path], Any]] = {
    "bank": bank_seen,
    "laptop": bank_seen,
    "whole.bbpack": pack_seen,
    "next.bbpack": pack_seen,
    "feedback.sqlite": log_seen,
    "merged.sqlite": log_seen,
}
"""Whatever the tests write, by its name, and how it is looked at."""
