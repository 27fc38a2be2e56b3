"""`briefbank status`: what the bank holds, and which files failed."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.visible import visible_name


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
    if pack := status.installed:
        output.out(
            f"From pack   {pack.file or pack.pack[:16] + '…'}, generation {pack.generation}{_state(pack.updated_at)}"
        )
        output.out(f"Signed by   {pack.signed_by} ({pack.fingerprint}), installed {pack.installed_at}")
    if status.encoder:
        output.out(f"Encoder     {status.encoder[:16]}… ({status.precision})")
    if status.learned:
        output.out(f"Learned     {status.learned}")
    if status.other_generations:
        output.out(f"Kept back   {', '.join(status.other_generations)} (briefbank rollback)")
    if not status.installed:  # whose files are known where it was indexed
        output.out(f"Files       {status.files} known, {len(status.failures)} failed")
    if not status.missing_protection:
        output.out("Protection  readers of files are held by the kernel (Landlock, seccomp)")
    output.not_protected(status.missing_protection)
    for problem in status.alert_problems:
        output.out(f"Alerts      {visible_name(problem)}")
    for name in status.retired_settings:
        output.out(f"Settings    {name} in bank.toml is not used any more; remove its line")
    for failure in status.failures:
        output.out(f"Failed: {visible_name(failure.path)}\n    {visible_name(failure.error)}\n    {failure.advice}")
    return ExitCode.OK


def _state(updated_at: str) -> str:
    """How new a pack is, by which an older one is refused; nothing where an older program installed it."""
    return f", as of {updated_at}" if updated_at else ""
