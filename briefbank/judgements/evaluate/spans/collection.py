"""Annotated clauses as a file: JSON lines with `file`, `category` and `clause`, word for word but for white space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from briefbank.errors import SourceError, UsageError
from briefbank.platform.files import COLLECTION_BYTES, read_bounded

_ADVICE = 'Each line is a JSON object with "file", "category" and "clause", in UTF-8.'


@dataclass(frozen=True, slots=True)
class AnnotatedSpan:
    """A clause of a file, the name of which is relative to its folder, and what it was annotated as."""

    file: str
    category: str
    clause: str


class _Line(msgspec.Struct):
    file: str
    category: str
    clause: str
    found: bool = True
    """False of a clause that the makers of the annotations could not place in the text."""


@dataclass(frozen=True, slots=True)
class AnnotatedSpans:
    """Annotated clauses, each once, and the files that were annotated, some of which may hold none of them."""

    spans: tuple[AnnotatedSpan, ...]
    files: frozenset[str]

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(sorted({each.category for each in self.spans}))


def read_spans(path: Path, categories: Sequence[str] = ()) -> AnnotatedSpans:
    """Read annotated clauses; those of some categories where any are named.

    Raises:
        SourceError: the file cannot be read, a line is wrong, or there is no clause.
        UsageError: there is no such category.
    """
    try:
        lines = read_bounded(path, COLLECTION_BYTES).split(b"\n")
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", _ADVICE) from error
    decode = msgspec.json.Decoder(_Line).decode
    spans = []
    for number, line in enumerate(lines, start=1):
        try:
            read = decode(line) if line.strip() else None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise SourceError(f"{path}, line {number}: {error}.", _ADVICE) from error
        if read and read.found and read.clause.strip():
            spans.append(AnnotatedSpan(read.file, read.category, read.clause))
    known = {each.category for each in spans}
    if missing := [each for each in categories if each not in known]:
        raise UsageError(f"No clause is annotated as {missing[0]}.", f"There are: {', '.join(sorted(known))}.")
    if not spans:
        raise SourceError(f"{path} holds no clause.", _ADVICE)
    wanted = dict.fromkeys(each for each in spans if not categories or each.category in categories)
    return AnnotatedSpans(tuple(wanted), frozenset(each.file for each in spans))
