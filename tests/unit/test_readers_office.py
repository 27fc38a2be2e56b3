"""Old formats through the LibreOffice that is installed here; what it is given is made for the tests."""

from __future__ import annotations

import http.server
import os
import shutil
import struct
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from briefbank.bank.local import Bank
from briefbank.errors import (
    ConverterMissingError,
    DamagedFileError,
    EncryptedFileError,
    ExitCode,
    SourceError,
    TooLargeError,
    TooSlowError,
    UnsupportedFileError,
)
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.parse import How
from briefbank.ingest.readers import read_file
from briefbank.ingest.readers.office import find_converter
from briefbank.ingest.worker import WORKER, Convert
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.settings import Settings
from briefbank.values.records import Query, Reading

HEADING, ARGUMENT, NOTE = (
    "THE STOP WAS PROLONGED.",
    "The troopers had no reasonable suspicion.",
    "Resentencing is moot.",
)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
needs_libreoffice = pytest.mark.skipif(find_converter() is None, reason="LibreOffice is not installed")


def write_rtf(path: Path, footnote: str = NOTE) -> Path:
    note = rf"{{\footnote {footnote}}}" if footnote else ""
    path.write_text(rf"{{\rtf1\ansi {{\b {HEADING}}}\par {ARGUMENT}{note}\par}}", encoding="ascii")
    return path


def write_wpd(path: Path) -> Path:
    """WordPerfect 5.1: a header that says so, and lines."""
    header = b"\xffWPC" + struct.pack("<IBBBBHH", 16, 1, 10, 0, 1, 0, 0)
    path.write_bytes(header + f"{HEADING}\n\n{ARGUMENT}\n".encode("ascii"))
    return path


def write_odt(path: Path, body: str = "") -> Path:
    spaces = " ".join(
        f'xmlns:{name}="{uri}"'
        for name, uri in {
            "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
            "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
            "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
            "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
            "xlink": "http://www.w3.org/1999/xlink",
        }.items()
    )
    content = f'<office:document-content {spaces} office:version="1.2"><office:body><office:text>'
    content += f"<text:h>{HEADING}</text:h>"
    content += f"<text:p>{ARGUMENT}</text:p>{body}</office:text></office:body></office:document-content>"
    entry = '<manifest:file-entry manifest:full-path="{}" manifest:media-type="{}"/>'
    kind = "application/vnd.oasis.opendocument.text"
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    manifest += entry.format("/", kind) + entry.format("content.xml", "text/xml") + "</manifest:manifest>"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("content.xml", content, zipfile.ZIP_DEFLATED)
        archive.writestr("META-INF/manifest.xml", manifest)
    return path


def write_doc(path: Path) -> Path:
    """A Word 97 file, which only LibreOffice itself writes."""
    source, profile = write_rtf(path.with_suffix(".rtf")), path.with_name("profile").as_uri()
    words = ["soffice", "--headless", f"-env:UserInstallation={profile}", "--convert-to", "doc:MS Word 97"]
    subprocess.run([*words, "--outdir", str(path.parent), str(source)], capture_output=True, timeout=120, check=True)
    source.unlink()
    assert path.read_bytes().startswith(OLE)
    return path


def text_of(reading: Reading) -> str:
    return "\n".join(line.text for page in reading.pages for line in page.lines)


@needs_libreoffice
@pytest.mark.parametrize(
    "write",
    [
        write_rtf,
        pytest.param(write_wpd, marks=pytest.mark.slow),
        pytest.param(write_odt, marks=pytest.mark.slow),
        pytest.param(write_doc, marks=pytest.mark.slow),
    ],
    ids=["rtf", "wpd", "odt", "doc"],
)
def test_a_file_of_an_old_word_processor_is_read(tmp_path: Path, write: Callable[[Path], Path]) -> None:
    path = write(tmp_path / f"state v. quince {'é' * 100}.{write.__name__.removeprefix('write_')}")
    before = sorted(tmp_path.iterdir())
    reading = read_file(path, Settings())
    assert HEADING in text_of(reading)
    assert ARGUMENT in text_of(reading).replace(" 1", "")
    assert not reading.has_pages
    assert sorted(tmp_path.iterdir()) == before  # LibreOffice works on a copy
    if write in (write_rtf, write_doc):
        page, line, _ = next(each for each in reading.styles if each[2] == "Footnote")
        assert NOTE in reading.pages[page - 1].lines[line].text


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("locked.docx", OLE + b"x" * 600 + "EncryptedPackage".encode("utf-16-le"), EncryptedFileError),
        pytest.param("cut off.doc", OLE + bytes(3000), DamagedFileError, marks=needs_libreoffice),
        ("not a zip.odt", b"PK\x03\x04" + b"x" * 300, DamagedFileError),
        ("page.doc", b"<html><body>A page</body></html>", UnsupportedFileError),
        ("noise.wpd", bytes(range(256)) * 20, UnsupportedFileError),
    ],
)
def test_what_cannot_be_converted_is_named(tmp_path: Path, name: str, data: bytes, expected: type[SourceError]) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(expected) as caught:
        read_file(path, Settings())
    assert name in caught.value.message
    assert caught.value.advice


def test_a_bomb_is_never_given_to_libreoffice(tmp_path: Path, no_libreoffice: None) -> None:
    path = tmp_path / "bomb.odt"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", bytes(200_000_000))
    with pytest.raises(TooLargeError, match="unpacks to"):
        read_file(path, Settings())


@pytest.fixture
def no_libreoffice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in the place of LibreOffice that fails the test when it is run."""
    monkeypatch.setattr("briefbank.ingest.readers.office.find_converter", lambda: Path("/never/run"))


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for LibreOffice is a shell script")
def test_a_conversion_that_hangs_is_killed_with_all_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    made = folder / "soffice"
    sleep = f"sleep 300.{os.getpid()}"
    made.write_text(f"#!/bin/sh\n{sleep} &\nwait\n", encoding="ascii")
    made.chmod(0o700)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    path = write_rtf(tmp_path / "endless.rtf")
    with GuardedPool(WORKER, Settings(workers=1), tmp_path / "scratch") as pool:
        ended = pool.submit(Convert(SourcePlace(tmp_path, path), How(Settings())), timeout_s=3)
        error = ended.exception(timeout=100)
        assert type(error) is TooSlowError
        assert "read_timeout_s" in error.advice
        assert not [each for each in psutil.process_iter(["cmdline"]) if " ".join(each.info["cmdline"] or ()) == sleep]


def test_without_libreoffice_one_line_says_what_waits_and_it_is_read_once_it_is_there(
    briefbank: Any, empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rtf(folder / "old.rtf")
    write_wpd(folder / "older.WPD")
    monkeypatch.setattr("briefbank.ingest.readers.find_converter", lambda: None)
    told = briefbank("index", folder, "--bank", empty_bank, "--quiet")
    assert told.code == ExitCode.SOME_FAILED
    assert "LibreOffice is not installed: 2 files wait for it (1 .rtf, 1 .wpd)." in told.out
    assert "old.rtf" not in told.out
    assert told.out.count("LibreOffice") == 2  # the line, and what to install
    codes = {Path(each.path).name: each.code for each in Bank.open(empty_bank).status().failures}
    assert codes == {"old.rtf": ConverterMissingError.code, "older.WPD": ConverterMissingError.code}
    monkeypatch.undo()
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice is not installed")
    bank = Bank.open(empty_bank)
    assert bank.index(folder).indexed == 2
    assert any("Resentencing" in hit.passage.text for hit in bank.search(Query("resentencing is moot")).hits)


class _Listener(http.server.BaseHTTPRequestHandler):
    asked: list[str]

    def parse_request(self) -> bool:
        """Note whatever is asked, by whatever method."""
        is_whole = super().parse_request()
        self.asked.append(self.path)
        return is_whole

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """Where a document could phone home to, and what it asked for there."""
    _Listener.asked = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Listener) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/beacon.png", _Listener.asked
        server.shutdown()
        thread.join()


@needs_libreoffice
@pytest.mark.slow
def test_a_document_that_links_to_another_machine_is_not_followed(
    tmp_path: Path, listener: tuple[str, list[str]]
) -> None:
    link, asked = listener
    picture = f'<draw:image xlink:href="{link}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/>'
    frame = f'<draw:frame text:anchor-type="as-char" svg:width="3cm" svg:height="3cm">{picture}</draw:frame>'
    source = f'<text:section-source xlink:href="{link}" xlink:type="simple"/>'
    section = f'<text:p>{frame}</text:p><text:section text:name="s">{source}</text:section>'
    reading = read_file(write_odt(tmp_path / "beacon.odt", section), Settings())
    assert ARGUMENT in text_of(reading)
    assert asked == []
