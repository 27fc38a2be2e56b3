"""Reads a sample's source (`samples/FORMAT.md`) into blocks; must not know how they are laid out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

_MARKUP = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*|(?<!\w)_(?!_)(.+?)_(?!\w)|\[\^(\w+)\]")
_NOTE = re.compile(r"\[\^(\w+)\]:\s*(.*)")
_HEADING = re.compile(r"(#{1,4}) (?:([^|]*)\|)?(.*)")


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style; `note` is the label of a footnote mark, whose text is then empty."""

    text: str
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Caption:
    """The lines of a cover or memo head, as written."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is a major part, level 2 a point."""

    level: int
    number: str
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, a block quotation (`quote`) or a list item (`item`)."""

    text: str
    role: str = "body"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first row is the head."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """The lines of a signature block."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """Where the table of contents goes."""


@dataclass(frozen=True, slots=True)
class Authorities:
    """Groups of authorities: a title and entries."""

    groups: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class PageBreak:
    """A page ends here."""


Block = Caption | Heading | Paragraph | Table | Signature | Contents | Authorities | PageBreak


@dataclass(frozen=True, slots=True)
class Source:
    """A sample: what is true of it, its blocks in order, and its footnotes by label."""

    name: str
    form: str
    kind: str
    title: str
    court: str
    docket: str
    filed: str
    author: str
    outcome: str
    stamp: str
    running_head: str
    line_numbers: bool
    blocks: tuple[Block, ...]
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def year(self) -> int:
        """The year in which it was filed."""
        return date.fromisoformat(self.filed).year

    @property
    def is_typewritten(self) -> bool:
        """Whether the office still wrote in a typewriter face."""
        return self.year < 2002


def read_source(path: Path) -> Source:
    """Read one source file."""
    _, head, body = path.read_text(encoding="utf-8").split("+++\n", 2)
    truth = tomllib.loads(head)
    truth.pop("filed_in")
    lines = body.split("\n")
    notes = {found[1]: found[2] for line in lines if (found := _NOTE.match(line))}
    lines = [line.rstrip() for line in lines if not _NOTE.match(line)]
    defaults = {"stamp": "", "running_head": "", "line_numbers": False}
    return Source(name=path.stem, **{**defaults, **truth}, blocks=tuple(_blocks(lines)), notes=notes)


def _blocks(lines: list[str]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if line.startswith("::: "):
            end = lines.index(":::", at)
            yield _fenced(line[4:], lines[at + 1 : end])
            end += 1
        elif line == "\\newpage":
            yield PageBreak()
        elif found := _HEADING.fullmatch(line):
            yield Heading(len(found[1]), (found[2] or "").strip(), found[3].strip())
        elif line:
            while end < len(lines) and lines[end] and _goes_on(line, lines[end]):
                end += 1
            yield _unit(lines[at:end])
        at = end


def _goes_on(first: str, line: str) -> bool:
    """Return whether a line belongs to the same block as the `first` one."""
    if first.startswith(("\\signature", "| ", "> ")):
        return first.startswith("\\") or line[0] == first[0]
    return not line.startswith(("| ", "> ", "- ", "#", "\\", ":::"))


def _unit(lines: list[str]) -> Block:
    if lines[0] == "\\signature":
        return Signature(tuple(lines[1:]))
    if lines[0].startswith("| "):
        return Table(tuple(tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines))
    for mark, role in (("> ", "quote"), ("- ", "item")):
        if lines[0].startswith(mark):
            return Paragraph(" ".join(line.removeprefix(mark).strip() for line in lines), role)
    return Paragraph(" ".join(lines))


def _fenced(name: str, lines: list[str]) -> Block:
    if name == "caption":
        return Caption(tuple(lines))
    if name == "contents":
        return Contents()
    groups: list[tuple[str, tuple[str, ...]]] = []
    for line in filter(None, lines):
        if line.startswith("= "):
            groups.append((line[2:], ()))
        else:
            title, entries = groups.pop()
            groups.append((title, (*entries, line)))
    return Authorities(tuple(groups))


def runs(text: str, *, bold: bool = False, italic: bool = False, underlined: bool = False) -> list[Run]:
    """Resolve the markup of one paragraph."""
    found: list[Run] = []
    at = 0
    for mark in _MARKUP.finditer(text):
        if mark.start() > at:
            found.append(Run(text[at : mark.start()], bold, italic, underlined))
        if mark[4]:
            found.append(Run("", note=mark[4]))
        elif mark[1]:
            found += runs(mark[1], bold=True, italic=italic, underlined=underlined)
        elif mark[2]:
            found += runs(mark[2], bold=bold, italic=not italic, underlined=underlined)
        else:
            found += runs(mark[3], bold=bold, italic=italic, underlined=True)
        at = mark.end()
    if at < len(text):
        found.append(Run(text[at:], bold, italic, underlined))
    return found


def plain(text: str) -> str:
    """Return the text without its markup."""
    return "".join(run.text for run in runs(text))


def curly(text: str) -> str:
    """Return the text with typographic quotation marks, as word processors set them."""
    signs: list[str] = []
    for sign in text:
        if sign in "\"'":
            before = "".join(signs).rstrip("*_")[-1:]
            opens = not before or before in " ([“‘—–"
            signs.append(("“‘" if opens else "”’")[sign == "'"])
        else:
            signs.append(sign)
    return "".join(signs)


def front_length(source: Source) -> int:
    """Return how many blocks lie before the argument proper: cover and tables, numbered in roman."""
    tables = [at for at, block in enumerate(source.blocks) if isinstance(block, Contents | Authorities)]
    return tables[-1] + 1 if tables else 0
