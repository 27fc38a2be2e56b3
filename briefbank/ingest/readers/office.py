"""Old formats of word processors (DOC, WPD, RTF, ODT), turned into DOCX by LibreOffice and read as such.

DOCX, not PDF: it keeps headings, styles and footnotes as what they are, and these files have no pages to cite: where a
page ends depends on fonts and printers that are gone. LibreOffice parses untrusted files: it works on a copy in a
scratch folder, with a profile of its own that runs no macros and follows no links, and ends
with the process that runs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from briefbank.errors import ConverterMissingError, DamagedFileError, EncryptedFileError, SourceError
from briefbank.ingest.beneath import Readable
from briefbank.ingest.readers.outlook import CONTAINER
from briefbank.platform.processes.this_process import die_with_parent
from briefbank.platform.settings import Settings
from briefbank.values.records import Reading
from briefbank.values.source_files import MAIL_SUFFIXES

_START_AGAIN = 81
"""What LibreOffice ends with where it has only set up its new profile."""

_PLACES = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.exe",
)
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel"><value>3</value>
</prop><prop oor:name="DisableMacrosExecution"><value>true</value></prop><prop oor:name="DisableActiveContent">
<value>true</value></prop><prop oor:name="BlockUntrustedRefererLinks"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link"><value>0</value></prop></item>
</oor:items>
"""


class OfficeFormat(NamedTuple):
    """A format by the suffix and the import filter that LibreOffice knows it by."""

    suffix: str
    filter: str


_WORD = OfficeFormat(".doc", "MS Word 97")
_OLDER_WORD = {
    0x65: OfficeFormat(".doc", "MS WinWord 6.0"),
    0x68: OfficeFormat(".doc", "MS Word 95"),
}
"""Those of before 1997, by the version in the head of their text (nFib), each with a filter of its own."""
_OLDER_MARK = b"\xdc\xa5"
_SECTOR_BYTES = 64
"""The smallest; those of large streams begin at its multiples too."""
_WRITER = OfficeFormat(".odt", "writer8")
_BY_MAGIC = {
    CONTAINER: _WORD,
    b"{\\rtf": OfficeFormat(".rtf", "Rich Text Format"),
    b"\xffWPC": OfficeFormat(".wpd", "WordPerfect"),
}
_WRITER_MARK = b"application/vnd.oasis.opendocument.text"


def office_format(path: Readable, head: bytes) -> OfficeFormat | None:
    """Tell from the first bytes of a file which of the formats it has, if any."""
    if head.startswith(b"PK\x03\x04") and (_WRITER_MARK in head[:200] or path.suffix.lower() == _WRITER.suffix):
        return _WRITER
    if path.suffix.lower() in MAIL_SUFFIXES:  # Outlook's have the container of Word's older files
        return None
    return next((known for magic, known in _BY_MAGIC.items() if head.startswith(magic)), None)


def find_converter() -> Path | None:
    """Return LibreOffice's program, or None where it is not installed."""
    found = shutil.which("soffice") or next((place for place in _PLACES if Path(place).is_file()), None)
    if found is None:
        return None
    program = Path(found).resolve()
    engine = program.with_name("soffice.bin")  # what the script starts; it can be killed by itself
    return engine if engine.is_file() and sys.platform == "linux" else program


def missing(path: Readable) -> ConverterMissingError:
    """The error for a file that waits for LibreOffice."""
    advice = "Install LibreOffice and index again"
    if sys.platform == "linux":
        advice += "; on Debian and Ubuntu: sudo apt-get install libreoffice-writer-nogui"
    return ConverterMissingError(f"{path.suffix.lower()} files need LibreOffice, which is not installed.", f"{advice}.")


def read_office(path: Readable, kind: OfficeFormat, settings: Settings) -> Reading:
    """Convert a file and read what comes of it.

    Raises:
        SourceError: ConverterMissingError, EncryptedFileError, DamagedFileError or TooLargeError.
    """
    from briefbank.ingest.readers.docx import archive_members, read_docx

    if kind is _WRITER:
        archive_members(path)
    elif kind is _WORD:
        data = path.read_bytes()
        _refuse_encrypted(path, data)
        kind = _word_format(data)
    program = find_converter()
    if program is None:
        raise missing(path)
    with tempfile.TemporaryDirectory(prefix="office-") as scratch:
        copy = Path(scratch, f"document{kind.suffix}")
        with path.open("rb") as source, copy.open("wb") as target:
            shutil.copyfileobj(source, target)
        made = _convert(program, copy, kind)
        if not made.is_file():
            raise DamagedFileError(
                f"{path.name} is damaged or protected: LibreOffice cannot open it.",
                "Open it in the program that wrote it, and save it without a password as PDF or DOCX.",
            )
        try:
            return read_docx(made, settings)
        except SourceError as error:
            raise type(error)(error.message.replace(made.name, path.name), error.advice) from error


def _word_format(data: bytes) -> OfficeFormat:
    """Tell Word's formats apart by the head of their text, which begins a sector."""
    for start in range(_SECTOR_BYTES, len(data), _SECTOR_BYTES):
        if data.startswith(_OLDER_MARK, start):
            return _OLDER_WORD.get(data[start + 2 : start + 3].ljust(1, b"\0")[0], _OLDER_WORD[0x65])
    return _WORD


def _refuse_encrypted(path: Readable, data: bytes) -> None:
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise EncryptedFileError(
            f"{path.name} is protected by a password.", "Save a copy without the password and use that."
        )


def _convert(program: Path, source: Path, kind: OfficeFormat) -> Path:
    """Run LibreOffice on a file in a folder of its own; returns where its DOCX is, if it made one."""
    home = source.parent
    profile = home / "profile"
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(_PROFILE, encoding="utf-8")
    command = [
        str(program), "--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck",
        f"--infilter={kind.filter}", "--convert-to", "docx:MS Word 2007 XML", "--outdir", str(home / "made"),
        str(source),
    ]  # fmt: skip
    while _run([*command, f"-env:UserInstallation={profile.as_uri()}"], home) == _START_AGAIN:
        profile = profile.rename(home / f"{profile.name}-")  # the socket that bore its name cannot be taken away
    return home / "made" / f"{source.stem}.docx"


def _run(command: Sequence[str], home: Path) -> int:
    """Run LibreOffice to its end; returns what it ended with. Whoever started this process keeps its time, and ends
    what it left behind.
    """
    return subprocess.run(
        command,
        cwd=home,
        env={**os.environ, "HOME": str(home), "TMPDIR": str(home), "SAL_USE_VCLPLUGIN": "svp"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=die_with_parent if os.name == "posix" else None,  # a worker has one thread
        check=False,
    ).returncode
