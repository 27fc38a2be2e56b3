"""Options that several verbs share."""

from __future__ import annotations

import argparse
import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.errors import SourceError, UsageError
from briefbank.platform.files import require_new

if TYPE_CHECKING:
    from briefbank.bank.local import Bank


def add_bank(parser: argparse.ArgumentParser) -> None:
    """Add `--bank` and `--json`."""
    parser.add_argument(
        "--bank", type=Path, metavar="DIR", help="the bank (default: BRIEFBANK_BANK, else in your data folder)"
    )
    add_json(parser)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")


def add_action(actions: Any, name: str, run: Any, help_text: str, *, log: str) -> argparse.ArgumentParser:
    """Add an action with `--log`, which names a log of the kind that `log` says, `--bank` and `--json`."""
    parser: argparse.ArgumentParser = actions.add_parser(name, help=help_text)
    parser.add_argument("--log", type=Path, metavar="LOG", help=f"{log} (default: yours)")
    add_bank(parser)
    parser.set_defaults(run=run)
    return parser


def open_bank(args: argparse.Namespace) -> Bank:
    """Open the bank that the call names."""
    from briefbank.bank.local import Bank
    from briefbank.platform.layout import default_bank

    return Bank.open(args.bank or default_bank(), is_pinned=True)


def require_word_name(out: Path) -> None:
    """Refuse a name for a report that is taken or that Word would not open. Raises UsageError."""
    if out.suffix.lower() != ".docx":
        raise UsageError(f"{out.name} is no name of a Word document.", "End the name with .docx.")
    require_new(out)


def ids_and_files(named: Sequence[str]) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Part ids of documents from files: what is a file here, or is written like one, is a file.

    Raises:
        SourceError: there is no such file.
    """
    ids, files = [], []
    for each in named:
        path = Path(each)
        if path.is_file():
            files.append(path)
        elif path.suffix or path.name != each:
            raise SourceError(f"There is no file {each}.", "Name a Word, PDF, RTF or text file, or a document's id.")
        else:
            ids.append(each)
    return tuple(ids), tuple(files)


def feedback_log(args: argparse.Namespace) -> Path:
    """The log that the call names, or the user's own. Raises SourceError where the latter is not there yet."""
    from briefbank.judgements.feedback.log import default_log

    log: Path = args.log or default_log()
    if not args.log and not log.exists():
        advice = "The log is made by the first search in the window; or name another with --log."
        raise SourceError(f"There is no feedback yet: {log} is not there.", advice)
    return log


def only_qrels(folder: Path) -> str:
    """The name of the judgements of a BEIR folder that has one set.

    Raises:
        UsageError: it has none or several.
        SourceError: there is no such folder.
    """
    if not folder.is_dir():
        raise SourceError(f"There is no folder {folder}.", "Name a folder with corpus.jsonl, queries.jsonl and qrels/.")
    names = sorted(path.stem for path in folder.glob("qrels/*.tsv"))
    if len(names) == 1:
        return names[0]
    advice = f"It has {', '.join(names)}: choose with --qrels." if names else "Put the judgements in qrels/NAME.tsv."
    raise UsageError(f"{folder} has {len(names) or 'no'} sets of judgements.", advice)


def first_date(text: str) -> date:
    """Read a date from which on; a year or month alone means its first day."""
    return _dates(text)[0]


def last_date(text: str) -> date:
    """Read a date up to which; a year or month alone means its last day."""
    return _dates(text)[1]


def _dates(text: str) -> tuple[date, date]:
    match = re.fullmatch(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a date like 2021-11-30, 2021-11 or 2021")
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        first = date(year or 0, month or 1, day or 1)
        last_month = month or 12
        return first, date(first.year, last_month, day or monthrange(first.year, last_month)[1])
    except ValueError:
        raise argparse.ArgumentTypeError(f"there is no day {text}") from None
