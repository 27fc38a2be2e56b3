"""`briefbank status`: what the bank holds, and which files failed."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict
from typing import Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.visible import visible_name
from briefbank.values.state import BankStatus
from briefbank.values.unreadable import CITATIONS_NOT_READ, NEVER_OPENED, PAGES_MISSING, PARTS_MISSING, UnreadableFiles


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser("status", help="show what the bank holds and what failed")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the state of the bank."""
    status = open_bank(args).status()
    if args.json:
        output.out_json(asdict(status))
        return ExitCode.OK
    output.out(f"Bank        {status.bank} (format {status.format})")
    output.out(f"Generation  {status.generation or 'none yet: index a folder'}")
    output.out(f"Holds       {output.holding(status.documents, status.passages)}, {status.bytes / 1e6:.0f} MB")
    if status.installed:
        pack = status.installed
        # By its day an older pack is refused; one that an older program installed has none.
        state = f", as of {pack.updated_at}" if pack.updated_at else ""
        output.out(f"From pack   {pack.file or pack.pack[:16] + '…'}, generation {pack.generation}{state}")
        output.out(f"Signed by   {pack.signed_by} ({pack.fingerprint}), installed {pack.installed_at}")
    if status.encoder:
        output.out(f"Encoder     {status.encoder[:16]}… ({status.precision})")
    if status.learned:
        output.out(f"Learned     {status.learned}")
    if status.other_generations:
        output.out(f"Kept back   {', '.join(status.other_generations)} (briefbank rollback)")
    if not status.installed:  # whose files are known where it was indexed
        output.out(f"Files       {status.files} known, {len(status.failures)} failed")
    output.out(f"Unreadable  {_unreadable(status)}")
    if not status.missing_protection:
        output.out("Protection  readers of files are held by the kernel (Landlock, seccomp)")
    output.not_protected(status.missing_protection)
    for problem in status.alert_problems:
        output.out(f"Alerts      {visible_name(problem)}")
    for name in status.retired_settings:
        output.out(f"Settings    {name} in bank.toml is not used any more; remove its line")
    _print_files(status)
    return ExitCode.OK


def _print_files(status: BankStatus) -> None:
    """Name the files that failed here, as IT is told; and as all are told, what else the index lacks: all of it on a
    laptop, elsewhere pages that are missing of files that were read.
    """
    for failure in status.failures:
        output.out(f"Failed: {visible_name(failure.path)}\n    {visible_name(failure.error)}\n    {failure.advice}")
    failed = {failure.path for failure in status.failures}
    for file in status.unreadable.files if status.unreadable else ():
        if file.path not in failed:
            output.out(f"Unreadable: {visible_name(file.path)}\n    {file.problem}\n    {file.advice}")


def _unreadable(status: BankStatus) -> str:
    unreadable = status.unreadable
    if unreadable is None:
        older = "not known: an older program made this index; the next index run or pack tells"
        return older if status.generation else "not known yet"
    return f"{len(unreadable.files) or 'none'} of {output.counted(unreadable.known_files, 'file')}{_kinds(unreadable)}"


def _kinds(unreadable: UnreadableFiles) -> str:
    """Which of them failed, as "Files" counts them too, and which it does not count: files that were read but for some
    pages, and what no run opens, so that it is not even among the files that are known.
    """
    partly = {
        PAGES_MISSING: "with pages missing",
        PARTS_MISSING: "with parts not read",
        CITATIONS_NOT_READ: "with citations not read",
    }
    other = {**partly, **dict.fromkeys(NEVER_OPENED, "never opened")}
    kinds = Counter(other.get(each.code, "failed") for each in unreadable.files)
    return f": {', '.join(f'{kinds[kind]} {kind}' for kind in sorted(kinds))}" if kinds else ""
