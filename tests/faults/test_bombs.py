"""Files made to exhaust whoever reads them: each ends as a named failure, in time, and the next file is read."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import office
import pytest

from briefbank.errors import BriefBankError, SourceError
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.parse import FileRead, How, Scans, Waits
from briefbank.ingest.worker import WORKER, ReadFile
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.settings import Settings

SETTINGS = Settings(workers=1, read_timeout_s=40.0, ocr_page_timeout_s=20.0)
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


@pytest.fixture(scope="module")
def pool() -> Iterator[GuardedPool]:
    with GuardedPool(WORKER, SETTINGS) as started:
        yield started


def read(pool: GuardedPool, path: Path, scans: Scans = Scans.RECOGNISE) -> FileRead | Waits:
    task = ReadFile(SourcePlace(path.parent, path), How(SETTINGS, scans, is_cut=False))
    step_s = SETTINGS.ocr_page_timeout_s
    return pool.submit(task, timeout_s=SETTINGS.read_timeout_s, on_step=lambda _: step_s).result()


def write_word(path: Path, document: bytes) -> Path:
    """A Word file whose text is the given XML."""
    office.write_docx(path, "a")
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**parts, "word/document.xml": document}.items():
            archive.writestr(name, data)
    return path


def zeros(folder: Path) -> Path:
    return write_word(folder / "zeros.docx", bytes(60_000_000))


def lie(folder: Path) -> Path:
    """An archive that says it unpacks to a hundred bytes, and unpacks to 60 MB."""
    path = zeros(folder)
    data = bytearray(path.read_bytes())
    for magic, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.find(magic)
        while at >= 0:
            if struct.unpack_from("<I", data, at + place)[0] == 60_000_000:
                struct.pack_into("<I", data, at + place, 100)
            at = data.find(magic, at + 1)
    path.write_bytes(data)
    return path


def laughs(folder: Path) -> Path:
    """Entities of entities: a kilobyte that unfolds to gigabytes."""
    entities = ['<!ENTITY a0 "the troopers had no suspicion ">']
    entities += [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)]
    head = f"<?xml version='1.0'?><!DOCTYPE d [{''.join(entities)}]>"
    body = f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>&a9;</w:t></w:r></w:p></w:body></w:document>'
    return write_word(folder / "laughs.docx", (head + body).encode())


def nesting(folder: Path) -> Path:
    deep = 200_000
    inside = "<w:sdt><w:sdtContent>" * deep + "</w:sdtContent></w:sdt>" * deep
    return write_word(
        folder / "deep.docx", f'<w:document xmlns:w="{WORD}"><w:body>{inside}</w:body></w:document>'.encode()
    )


def pdf(path: Path, *objects: bytes) -> Path:
    """A PDF of these objects, numbered from 1, the first of which is the catalogue."""
    data, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    data += b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    path.write_bytes(data + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n0\n%%%%EOF\n" % count)
    return path


def stream(entries: bytes, packed: bytes) -> bytes:
    return b"<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (entries, len(packed), packed)


def packed(piece: bytes, times: int) -> bytes:
    """Deflate a piece so often repeated, without doing so: after a full flush, pieces stand by themselves."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    once = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    return b"\x78\xda" + once * times + b"\x03\x00" + bytes(4)


def page_of(folder: Path, resources: bytes, content: bytes, *more: bytes) -> Path:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << %s >> /Contents 4 0 R >>" % resources
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return pdf(folder / "page.pdf", b"<< /Type /Catalog /Pages 2 0 R >>", pages, page, content, *more)


def swelling_page(folder: Path) -> Path:
    """A page whose content of 3 MB unpacks to 3 GB."""
    return page_of(folder, b"", stream(b"", packed(b"q " * 5_000_000, 300)))


def pages_in_a_ring(folder: Path) -> Path:
    pages = b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 /Parent 2 0 R >>"
    return pdf(folder / "ring.pdf", b"<< /Type /Catalog /Pages 2 0 R >>", pages)


def mail_in_mails(folder: Path) -> Path:
    path = folder / "mail.eml"
    path.write_bytes(b"From: a@office.example\n" + b"Content-Type: message/rfc822\n\n" * 100_000)
    return path


BOMBS = (zeros, lie, laughs, nesting, pages_in_a_ring, mail_in_mails)


@pytest.mark.parametrize(
    "make", [*BOMBS, pytest.param(swelling_page, marks=pytest.mark.slow)], ids=lambda make: make.__name__
)
def test_a_bomb_ends_as_a_named_failure_and_the_next_file_is_read(
    pool: GuardedPool, tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    path = make(tmp_path)
    with pytest.raises(SourceError) as caught:
        read(pool, path)
    assert caught.value.advice
    brief = office.write_text(tmp_path / "brief.txt", office.memo("Arrays", office.LINEUP))
    found = read(pool, brief)
    assert isinstance(found, FileRead)
    assert found.document


@pytest.mark.slow
def test_a_picture_that_unpacks_to_gigabytes_costs_its_page(pool: GuardedPool, tmp_path: Path) -> None:
    size = b"/Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceGray"
    picture = stream(b"/Type /XObject /Subtype /Image " + size, packed(bytes(10_000_000), 360))
    content = b"<< /Length 31 >>\nstream\nq 612 0 0 792 0 0 cm /Im0 Do Q\nendstream"
    path = page_of(tmp_path, b"/XObject << /Im0 5 0 R >>", content, picture)
    assert path.stat().st_size < 10_000_000
    assert read(pool, path, Scans.REFUSE) is Waits.OCR
    try:
        found = read(pool, path, Scans.RECOGNISE)
    except BriefBankError as error:
        assert error.advice  # noqa: PT017  # a picture that MuPDF refuses may also end as a blank page
    else:
        assert isinstance(found, FileRead)
