"""Writes a sample as plain text of 72 columns; notes stand at the end."""

from __future__ import annotations

import textwrap

from samplebuilder.source import Block, Caption, Heading, Paragraph, Signature, Source, Table, runs

_COLUMNS = 72


def to_text(source: Source) -> str:
    """Return the sample as plain text with underlined headings."""
    parts = [_block(block) for block in source.blocks]
    if source.notes:
        parts.append(_underlined("NOTES"))
        parts += [_wrapped(f"[{label}] {_marked(text)}") for label, text in source.notes.items()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Caption):
        return "\n".join(line[1:].center(_COLUMNS).rstrip() if line.startswith("^") else line for line in block.lines)
    if isinstance(block, Heading):
        return _underlined(f"{block.number} {_marked(block.text)}".strip())
    if isinstance(block, Table):
        return "\n".join(_row(row) for row in block.rows)
    if isinstance(block, Signature):
        return "\n".join(block.lines)
    if isinstance(block, Paragraph):
        first, rest = {"quote": ("     ", "     "), "item": ("  - ", "    ")}.get(block.role, ("", ""))
        return _wrapped(_marked(block.text), first, rest)
    return ""


def _row(cells: tuple[str, ...]) -> str:
    width = _COLUMNS // len(cells) - 2
    wrapped = [textwrap.wrap(_marked(cell), width) or [""] for cell in cells]
    height = max(map(len, wrapped))
    rows = zip(*(column + [""] * (height - len(column)) for column in wrapped), strict=True)
    return "\n".join("  ".join(part.ljust(width) for part in row).rstrip() for row in rows)


def _underlined(text: str) -> str:
    lines = textwrap.wrap(text, _COLUMNS)
    return "\n".join([*lines, "-" * max(map(len, lines))])


def _wrapped(text: str, first: str = "", rest: str = "") -> str:
    return textwrap.fill(
        text, _COLUMNS, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def _marked(text: str) -> str:
    return "".join(f"[{run.note}]" if run.note else run.text for run in runs(text))
