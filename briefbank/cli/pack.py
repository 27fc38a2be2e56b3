"""`briefbank pack OUT`: write the live index into one signed archive."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from briefbank.cli import output
from briefbank.cli.interrupt import ctrl_c_cancels
from briefbank.cli.keys import add_passphrase, passphrase_of
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.progress import CancelToken


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "pack",
        help="write the index into one signed file, to be installed on laptops",
        description="Write the live index, the query encoder and the stored summaries into OUT, signed with the "
        "office's key.",
    )
    parser.add_argument("out", type=Path, metavar="OUT.bbpack")
    parser.add_argument(
        "--since", default="", metavar="EARLIER", help="only what changed since an earlier pack, or a generation"
    )
    parser.add_argument("--models", action="store_true", help="add the models of this machine's models folder")
    parser.add_argument("--no-summaries", action="store_true", help="leave the stored summaries out")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the private key (default: that of briefbank keys)")
    add_passphrase(parser)
    parser.add_argument(
        "--volume-size", type=_size, metavar="SIZE", help="size of the parts of a large pack, like 700M (default: 4G)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Pack, then tell what came of it."""
    cancel = CancelToken()
    bank = open_bank(args)
    with ctrl_c_cancels(cancel, "step"), output.progress_reporter(quiet=args.quiet) as reporter:
        report = bank.pack(
            args.out,
            args.key,
            passphrase_of(args),
            since=args.since,
            with_models=args.models,
            with_summaries=not args.no_summaries,
            volume_bytes=args.volume_size,
            reporter=reporter,
            cancel=cancel,
        )
    if args.json:
        output.out_json(asdict(report))
        return ExitCode.OK
    for part in report.parts:
        output.out(part)
    changed = f", what changed since {report.base}" if report.base else ""
    output.out(
        f"Generation {report.generation}{changed}: {output.holding(report.documents, report.passages)}, "
        f"{report.bytes / 1e6:.1f} MB in {output.duration(report.seconds)}."
    )
    return ExitCode.OK


def _size(text: str) -> int:
    """Read a size like 700M or 2G; 4G means the most that a FAT stick takes."""
    from briefbank.office.packs.volumes import LARGEST_VOLUME_BYTES

    unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:].upper(), 0)
    digits = text[:-1] if unit else text
    if not digits.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a size like 700M or 2G")
    return min(int(digits) * (unit or 1), LARGEST_VOLUME_BYTES)
