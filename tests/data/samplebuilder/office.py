"""Writes the samples into folders as an office's share has them: by kind and year, with a draft and IT's table."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pymupdf

from samplebuilder.book import make_book
from samplebuilder.pdf import draw, to_bytes
from samplebuilder.plain import to_text
from samplebuilder.scan import scanned
from samplebuilder.source import Block, Caption, Paragraph, Source, read_source
from samplebuilder.word import to_docx

SCANS = ("scan", "rotated-scan")
UNREADABLE = ("encrypted-pdf", "truncated-pdf")
DRAFT_OF, DRAFT_DATED = "pruitt-brief-2021", "2021-05-17"
PASSWORD = "canal-row"
_FOLDERS = {"brief": "briefs", "internal": "memos", "directive": "directives"}
_SUFFIXES = {"docx": ".docx", "txt": ".txt"}
_OVERRIDE = ("renfrew-brief-2024", "outcome", "affirmed in part, remanded for resentencing")


def build(sources: Path, folder: Path, *, with_scans: bool = True) -> None:
    """Write every sample below `folder`; a file that is there already with the same content is left alone.

    So is an encrypted one: its key is salted, no two are alike, and nobody looks inside.
    """
    wanted = [source for source in read_all(sources) if with_scans or source.form not in SCANS]
    wanted = [source for source in wanted if source.form != "encrypted-pdf" or not (folder / place(source)).exists()]
    wanted.sort(key=lambda source: source.form not in SCANS)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for source, content in zip(wanted, pool.map(render, wanted), strict=True):
            _write(folder / place(source), content)
    name, column, value = _OVERRIDE
    overridden = place(read_source(sources / f"{name}.md")).as_posix()
    _write(folder / "briefbank.csv", f'file,{column}\n{overridden},"{value}"\n'.encode())


def read_all(sources: Path) -> Iterator[Source]:
    """Yield every sample, and after the one that it is derived from, the draft."""
    for path in sorted(sources.glob("*.md")):
        source = read_source(path)
        yield source
        if source.name == DRAFT_OF:
            yield as_draft(source)


def as_draft(source: Source) -> Source:
    """Return the Word draft that a filed brief came from: some sentences not yet added, some words not yet chosen."""
    blocks: list[Block] = []
    for at, block in enumerate(source.blocks):
        if isinstance(block, Caption):
            blocks.append(Caption(("^DRAFT", *block.lines)))
        elif isinstance(block, Paragraph) and block.role == "body":
            text = block.text.replace(" should be ", " must be ").replace("However, ", "But ")
            sentences = text.split(". ")
            if at % 9 == 0 and len(sentences) > 3 and "[^" not in sentences[-1] and "*" not in sentences[-1]:
                text = ". ".join(sentences[:-1]) + "."
            blocks.append(replace(block, text=text))
        else:
            blocks.append(block)
    return replace(source, name=source.name + "-draft", form="docx", filed=DRAFT_DATED, stamp="", blocks=tuple(blocks))


def place(source: Source) -> Path:
    """Return where a sample lies within the share."""
    suffix = _SUFFIXES.get(source.form, ".pdf")
    folder = Path(_FOLDERS[source.kind])
    return (folder / str(source.year) if source.kind == "brief" else folder) / f"{source.name}{suffix}"


def render(source: Source) -> bytes:
    """Return the file as it would lie on the share."""
    if source.form == "txt":
        return to_text(source).encode()
    book = make_book(source)
    if source.form == "docx":
        return to_docx(book)
    document = draw(book)
    if source.form in SCANS:
        return to_bytes(scanned(document, source.name, turned=source.form == "rotated-scan"))
    if source.form == "encrypted-pdf":
        return to_bytes(document, encryption=pymupdf.PDF_ENCRYPT_RC4_128, user_pw=PASSWORD, owner_pw=PASSWORD)
    content = to_bytes(document)
    return _cut_short(content) if source.form == "truncated-pdf" else content


def _cut_short(content: bytes) -> bytes:
    """Return a beginning of the file, as a broken copy leaves it, so short that no page survives repair."""
    length = len(content) * 6 // 10
    while _pages(content[:length]):
        length //= 2
    return content[:length]


def _pages(content: bytes) -> int:
    """Return how many pages can still be read."""
    pymupdf.TOOLS.mupdf_display_errors(on=False)
    try:
        with pymupdf.open(stream=content, filetype="pdf") as document:
            return sum(bool(page.get_text().strip()) for page in document)
    except (pymupdf.FileDataError, RuntimeError, ValueError):
        return 0


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)
