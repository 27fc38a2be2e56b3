"""The conditions that results are to meet, as options that several verbs share."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import first_date, ids_and_files, last_date
from briefbank.values.records import FACT_FILTERS, DocumentKind, Filters, SectionKind, SortOrder

if TYPE_CHECKING:
    from pathlib import Path

    from briefbank.bank.local import Bank
    from briefbank.search.unindexed import UnindexedFiles
    from briefbank.values.reading import Facets

_WORD = re.compile(r"\w+")
_CLOSE = 0.5
"""How much of a name must be alike to be offered, of 1."""
_PROGRESS_AFTER_S = 2.0
"""A file of usual length is read sooner, and nothing need be told of it."""


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Add the conditions that every result of a search is to meet."""
    parser.add_argument("--kind", action="append", default=[], choices=[kind.value for kind in DocumentKind])
    parser.add_argument("--since", type=first_date, metavar="DATE", help="filed on or after, e.g. 2020 or 2020-06-30")
    parser.add_argument("--until", type=last_date, metavar="DATE", help="filed on or before, e.g. 2023")
    parser.add_argument("--section-kind", action="append", default=[], choices=[kind.value for kind in SectionKind])
    for each in FACT_FILTERS:
        parser.add_argument(f"--{each.fact}", action="append", default=[], metavar=each.metavar, help=each.help)
    parser.add_argument("--docket", action="append", default=[], metavar="NUMBER")
    parser.add_argument(
        "--document",
        action="append",
        default=[],
        metavar="ID|FILE",
        help="this document alone; or a file that is in no bank, of which nothing is kept",
    )


def add_sort(parser: argparse.ArgumentParser, default: SortOrder) -> None:
    """Add the order in which results are shown."""
    parser.add_argument(
        "--sort",
        choices=[order.value for order in SortOrder],
        default=default.value,
        help="outcome: cases won first, lost ones last (%(default)s)",
    )


def filters_and_files(args: argparse.Namespace) -> tuple[Filters, tuple[Path, ...]]:
    """The conditions that the call sets, and the files that are in no bank among the documents that it names.

    Raises:
        SourceError: there is no such file.
    """
    ids, files = ids_and_files(args.document)
    filters = Filters(
        kinds=tuple(DocumentKind(kind) for kind in args.kind),
        since=args.since,
        until=args.until,
        section_kinds=tuple(SectionKind(kind) for kind in args.section_kind),
        **{each.field: tuple(getattr(args, each.fact)) for each in FACT_FILTERS},
        dockets=tuple(args.docket),
        documents=ids,
    )
    return filters, files


def opened_files(bank: Bank, files: Sequence[Path]) -> UnindexedFiles:
    """Read files that are in no bank into memory, telling of it where it takes long."""
    with long_work("file", after_s=_PROGRESS_AFTER_S) as work:
        return bank.open_files(files, **work)


def with_full_names(filters: Filters, facets: Callable[[], Facets]) -> Filters:
    """Replace parts of the names of courts, authors and outcomes by the full names in the bank, saying so for each.
    `facets` gives the names where they are needed.
    """
    asked = [each for each in FACT_FILTERS if getattr(filters, each.field)]
    if not asked:
        return filters
    known = facets()
    named: dict[str, Any] = {
        each.field: _names(each.fact, getattr(filters, each.field), getattr(known, each.field)) for each in asked
    }
    return replace(filters, **named)


def _names(option: str, given: Sequence[str], known: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    taken: list[str] = []
    by_key = {name.casefold(): name for name, _ in known}
    for words in given:
        if words.strip().casefold() in by_key:
            taken.append(words)
            continue
        wanted = set(_WORD.findall(words.casefold()))
        found = [name for key, name in by_key.items() if wanted and wanted <= set(_WORD.findall(key))]
        if found:
            output.warn(f"--{option} {words} is taken as: {'; '.join(found)}")
        else:
            close = [by_key[key] for key in get_close_matches(words.casefold(), by_key, cutoff=_CLOSE)]
            told = f"close to it: {'; '.join(close)}" if close else "`briefbank documents` shows those that there are"
            output.warn(f"No {option} here is called {words}; {told}.")
        taken += found or [words]
    return tuple(taken)
