"""The `briefbank` command: finds the verb, runs it, turns errors into advice and an exit code."""

from __future__ import annotations

import argparse
import atexit
import gc
import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from briefbank import __version__
from briefbank.cli import output
from briefbank.errors import BriefBankError, ExitCode, NoSpaceError, fault_told
from briefbank.platform.disk import refusal_of
from briefbank.platform.processes.this_process import keep_private

_VERBS = (
    "index cluster summarize search follow show documents outline arguments profile card matter draft checklist "
    "alerts authorities status check rollback pack install keys models evaluate feedback synthesize learn"
).split()
"""In the order of the help; each is a module of this package with `register`."""

_GARBAGE_AFTER = 500_000
"""Objects made until garbage is looked for, in place of 700. What a command imports and opens, 60,000 objects, stays to
its end: a cold search spent a tenth of its processor time on looking through them, half of that when it was done.
"""

_log = logging.getLogger(__name__)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of the whole command line; where `arguments` begin with a verb, without the others.

    Importing every verb takes a tenth of the time of a search from a cold start.
    """
    parser = argparse.ArgumentParser(
        prog="briefbank",
        description="Search the briefs that your office has written. Everything stays on this machine.",
        epilog="Exit codes: 0 ok, 2 usage, 3 settings, 4 no bank, 5 in use, 6 newer, 7 damaged, 8 source unreadable, "
        "9 model, 10 OCR missing, 11 no space, 12 some files failed, 13 disk failing, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"briefbank {__version__}")
    parser.add_argument("--verbose", action="store_true", help="log what is done, never texts, to standard error")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in [each for each in arguments[:1] if each in _VERBS] or _VERBS:
        import_module(f"briefbank.cli.{verb}").register(verbs)
    return parser


def _log_to_stderr(level: int) -> None:
    """Set the level on the handler: bm25s sets its own logger to the lowest level when it is imported."""
    handler = logging.StreamHandler()
    handler.setLevel(level)
    handler.setFormatter(output.LogFormatter("%(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=level)


def _refusal(fault: Exception, bank: Path | None) -> BriefBankError | None:
    """What disk or system refused. Not by guess the bank's disk where one is full: it may be that of the output."""
    known = refusal_of(fault)
    return known if isinstance(known, NoSpaceError) and isinstance(fault, OSError) else refusal_of(fault, bank)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):  # first, for help is printed by what follows
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else arguments
    if arguments is None:  # a process of its own
        gc.set_threshold(_GARBAGE_AFTER)
        atexit.register(gc.freeze)
    args = argparse.Namespace()
    try:
        args = build_parser(given).parse_args(given)
        keep_private()
        _log_to_stderr(logging.INFO if args.verbose else logging.ERROR)
        code: ExitCode = args.run(args)
        sys.stdout.flush()
    except BriefBankError as problem:
        output.error(problem)
        return problem.exit_code
    except KeyboardInterrupt:
        output.warn("Interrupted.")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except Exception as fault:  # noqa: BLE001  # the last resort: a bug of ours
        if refusal := _refusal(fault, getattr(args, "bank", None)):
            output.error(refusal)
            return refusal.exit_code
        _log.error("this is a fault in BriefBank: %s", fault_told(fault))
        return ExitCode.OTHER
    return code
