"""A life of writing, run under strace: `python writer.py FOLDER WORK…`; says `done NAME` as each work is acknowledged.

Everything goes through the doors that the command line uses. Banks, packs and logs are made in FOLDER; what is read
lies beside it: `briefs`, a brief that comes later, a judged collection.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

# The rest is imported where it is used: readers' processes import this file first, and are confined while they have one
# thread; numpy starts more.

START = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def done(work: str) -> None:
    os.write(1, f"done {work}\n".encode())  # in one call


def create(folder: Path) -> None:
    """A new bank whose encoder needs no model."""
    from briefbank.bank.local import Bank
    from briefbank.platform.files import write_atomic

    Bank.create(folder / "bank")
    file = folder / "bank" / "bank.toml"
    own = b'encoder = "hashing"\nworkers = 1\nweak_below = 0.0\nsettle_s = 0.0\n'
    write_atomic(file, file.read_bytes() + own)  # its last table is that of the settings
    done("bank")


def index(folder: Path) -> None:
    from briefbank.bank.local import Bank

    Bank.open(folder / "bank").index(folder.parent / "briefs")
    done("bank")


def change(folder: Path) -> None:
    """The office changes its folder, which is no work of the program's."""
    shutil.copy(folder.parent / "more.txt", folder.parent / "briefs" / "more.txt")


def rollback(folder: Path) -> None:
    from briefbank.bank.local import Bank

    Bank.open(folder / "bank").rollback()
    done("bank")


def key(folder: Path) -> None:
    from briefbank.office.packs.signing_keys import make_key

    make_key("Office")


def pack(folder: Path) -> None:
    from briefbank.bank.local import Bank

    Bank.open(folder / "bank").pack(folder / "whole.bbpack")
    done("whole.bbpack")


def pack_next(folder: Path) -> None:
    from briefbank.bank.local import Bank

    Bank.open(folder / "bank").pack(folder / "next.bbpack")
    done("next.bbpack")


def install(folder: Path) -> None:
    from briefbank.bank.local import Bank

    Bank.install(folder / "laptop", folder / "whole.bbpack")
    done("laptop")


def install_next(folder: Path) -> None:
    from briefbank.bank.local import Bank

    Bank.install(folder / "laptop", folder / "next.bbpack")
    done("laptop")


def learn(folder: Path) -> None:
    from briefbank.cli.main import main

    words = ["learn", "--bank", str(folder / "bank"), "--judgements", str(folder.parent / "judged"), "--quiet"]
    assert main(words) == 0
    done("bank")


def judge(folder: Path) -> None:
    """Three marks, each acknowledged by itself, in the way the window keeps them."""
    from hits import result

    from briefbank.judgements.feedback.events import Event, Judged, Searched, shown_as
    from briefbank.judgements.feedback.log import FeedbackLog

    found = result("the stop", 1, 2, 3)
    with FeedbackLog(folder / "feedback.sqlite") as log:
        said = [Event("search", START, Searched(found.query, found.generation, 12.5, shown_as(found.hits)))]
        said += [
            Event(f"mark{n}", START + timedelta(minutes=n), Judged("search", f"doc{n}-3", is_relevant=True))
            for n in (1, 2, 3)
        ]
        for event in said:
            log.append([event])
            done("feedback.sqlite")


def merge(folder: Path) -> None:
    from briefbank.judgements.feedback.merge import merge_files

    merge_files([folder / "feedback.sqlite"], folder / "merged.sqlite")
    done("merged.sqlite")


WORKS: dict[str, Callable[[Path], None]] = {
    each.__name__: each
    for each in (create, index, change, rollback, key, pack, pack_next, install, install_next, learn, judge, merge)
}

if __name__ == "__main__":
    place = Path(sys.argv[1])
    for name in sys.argv[2:]:
        WORKS[name](place)
