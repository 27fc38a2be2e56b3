"""Everything the command line prints: results on standard output, progress and errors on standard error."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING

from briefbank.errors import BriefBankError
from briefbank.platform.progress import Progress, Reporter, silent
from briefbank.platform.visible import visible, visible_json, visible_name

if TYPE_CHECKING:
    from briefbank.values.records import Document

_KNOWS_CODES = os.name != "nt"
"""Whether terminals take codes; a console of Windows may show them."""
_PLAIN_EVERY_S = 10.0
"""How often progress is told where standard error is not a terminal."""


def out(line: str = "") -> None:
    """Print a line of the result, control and direction characters as codes: titles and names may hold anything."""
    sys.stdout.write(f"{visible(line)}\n")


def out_styled(pieces: Iterable[tuple[str, str]]) -> None:
    """Print a line made of pieces as `out` does; on a terminal each has its style in Rich's words (`bold`)."""
    safe = [(visible(text), style) for text, style in pieces]
    if not sys.stdout.isatty():
        sys.stdout.write("".join([*(text for text, _ in safe), "\n"]))
        return
    from rich.console import Console
    from rich.text import Text

    # `NO_COLOR` asks for text as it is (no-color.org); Rich by itself would leave out colours and keep bold.
    console = Console(file=sys.stdout, color_system=None if os.environ.get("NO_COLOR") else "auto", soft_wrap=True)
    console.print(Text.assemble(*safe))


def out_json(value: object) -> None:
    """Print the whole result as one JSON document."""
    sys.stdout.write(visible_json(json.dumps(value, ensure_ascii=False, indent=2, default=str)) + "\n")


def warn(line: str) -> None:
    """Print a line that is not part of the result, in the place of what a terminal shows of progress."""
    sys.stderr.write(f"{_cleared() if sys.stderr.isatty() else ''}{visible(line)}\n")


def _cleared() -> str:
    """What takes away the line that a terminal shows, and begins it again."""
    return "\r\x1b[2K" if _KNOWS_CODES else f"\r{' ' * (shutil.get_terminal_size().columns - 1)}\r"


def error(problem: BriefBankError) -> None:
    """Print what went wrong and what to do."""
    warn(f"briefbank: {visible_name(problem.message)}")
    if problem.advice:
        warn(textwrap.indent(problem.advice, "  "))


class LogFormatter(logging.Formatter):
    """What is logged on standard error, control and direction characters as codes."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as printed."""
        return visible(super().format(record))


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 file`, `2 files`; `many` is the plural where that is not `one` with an s."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def not_protected(missing: Iterable[str]) -> None:
    """Tell IT what does not hold a reader of hostile files on this machine."""
    for sentence in missing:
        out(f"Not protected: {sentence}")


def holding(documents: int, passages: int) -> str:
    """Return what an index holds: `6 documents, 40 passages`."""
    return f"{counted(documents, 'document')}, {counted(passages, 'passage')}"


def filed_day(day: date | None) -> str:
    """Return the day that a brief was filed, or that this is not known."""
    return day.isoformat() if day else "undated"


def brief_line(document: Document, *place: str) -> str:
    """Return a brief by its day and title, and behind them what names a place in it; what is empty is left out."""
    said = (filed_day(document.filed), document.metadata.title.value, *place)
    return visible_name("  ".join(filter(None, said)))


def duration(seconds: float) -> str:
    """Return a time as people say it: `8 s`, `4 min`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    hours, minutes = divmod(round(whole / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


@contextmanager
def progress_reporter(*, quiet: bool = False, after_s: float = 0.0) -> Iterator[Reporter]:
    """Yield a reporter that writes to standard error: one moving line on a terminal, else a line now and then, the
    first of which no sooner than `after_s`.
    """
    if quiet:
        yield silent
        return
    if sys.stderr.isatty():
        yield lambda progress: _show(f"{_cleared()}{_fitting(visible_name(_in_words(progress)))}")
        _show(_cleared())
        return
    last = [time.monotonic() - _PLAIN_EVERY_S + after_s]

    def report(progress: Progress) -> None:
        now = time.monotonic()
        if now - last[0] >= _PLAIN_EVERY_S:
            last[0] = now
            _show(f"{visible_name(_in_words(progress))}\n")

    yield report


def _show(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _in_words(progress: Progress) -> str:
    parts = [progress.stage]
    if progress.files_total:
        parts.append(f"{progress.files_done} of {progress.files_total} {progress.unit}")
    if progress.pages_done:
        rate = progress.pages_done / progress.elapsed_s if progress.elapsed_s else 0.0
        parts.append(f"{progress.pages_done} pages ({rate:.1f}/s)")
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.seconds_left is not None:
        parts.append(f"about {duration(progress.seconds_left)} left")
    if progress.current:
        parts.append(progress.current)
    return " · ".join(parts)


def _fitting(line: str) -> str:
    """As much of a line as the terminal shows in one: a longer one would not be cleared by the next."""
    columns = shutil.get_terminal_size().columns - 1
    return line if len(line) <= columns else f"{line[: columns - 1]}…"
