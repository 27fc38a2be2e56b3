"""Which files of the office could not be read, in words for whoever searches: no search finds what stands in them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath

PAGES_MISSING = "pages-missing"
"""Code of a file that was read but for some pages."""
CITATIONS_NOT_READ = "citations-not-read"
"""Code of a file whose words are searched and whose citations could not be read by the rules now in force."""
PARTS_MISSING = "parts-missing"
"""Code of a file that holds something besides its text that was not read."""
UNSUPPORTED = "unsupported-file"
"""Code of a file of a kind that is not read."""
NOT_LISTED = "not-listed"
"""Code of a file or folder that could not even be looked at."""
STRANGE_NAME, NOT_A_FILE, DEAD_LINK = "strange-name", "not-a-file", "dead-link"
NEVER_OPENED = frozenset({NOT_LISTED, STRANGE_NAME, NOT_A_FILE, DEAD_LINK})
"""Codes of what a run finds in a folder and does not open, so that the ledger knows nothing of it."""

_WORDS = {
    "ocr-missing": (
        "This is a scan, and the program that reads scans was not there when the files were indexed.",
        "Ask IT to mend it (Tesseract) where the files are indexed, and to index them again.",
    ),
    "converter-missing": (
        "It is in an old format, and the program that converts it was not there when the files were indexed.",
        "Ask IT to install it (LibreOffice) where the files are indexed, or save the file as PDF or Word document.",
    ),
    "encrypted-file": ("It is protected by a password.", "Put a copy without the password in its place."),
    "damaged-file": (
        "The file is damaged, or was not copied to its end.",
        "Open it in the program that wrote it and save it again, or put a good copy in its place.",
    ),
    UNSUPPORTED: (
        "It is of a kind that is not read: a picture, a spreadsheet or the like.",
        "If it is a brief, save it as PDF or Word document.",
    ),
    "no-text": ("No text was found in it.", "If its pages are not blank, scan them again."),
    CITATIONS_NOT_READ: (
        "Its citations could not be read anew: those of before stand, if there were any, and warnings may be missing.",
        "Check its citations yourself, and ask IT to index the files again.",
    ),
    "too-large": ("It is larger than IT allows a file to be.", "Split it, or ask IT to raise the limit."),
    "too-slow": ("Reading it took too long and was stopped.", "Save it as a new PDF, or ask IT to allow more time."),
    "reader-died": ("The program that reads files failed on it.", "Save it as a new PDF and put that in its place."),
    "reader-killed": ("There was not enough memory to read it.", "Ask IT to index the files again."),
    "outside-folder": ("It is a link to a file elsewhere, which is not followed.", "Put the file itself in its place."),
    "unreadable": ("It could not be opened.", "Ask IT to see that the account that indexes the files may read it."),
    NOT_LISTED: (
        "It could not be looked at. Where it is a folder, nothing is known of new files in it.",
        "Ask IT to see that the account that indexes the files may read it.",
    ),
    STRANGE_NAME: (
        "Its name is not UTF-8, so that it was not opened. Where it is a folder, nothing of what it holds was read.",
        "Rename it.",
    ),
    NOT_A_FILE: ("It is neither a file nor a folder, and was not opened.", "Ask IT to move it out of the folder."),
    DEAD_LINK: ("It is a link that leads to nothing.", "Put the file itself in its place."),
}
_OTHERWISE = "It could not be read.", "Ask IT to look into it: briefbank status says more."


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file that could not be read, or not to its end: its path where it was indexed, the code of the error
    (`BriefBankError.code`), and what is missing, in words: the numbers of pages ("3, 5"), or the names of parts.
    """

    path: str
    code: str
    pages: str = ""

    @property
    def name(self) -> str:
        """Its name without folders, whatever system it was indexed on."""
        return (PurePosixPath if self.path.startswith("/") else PureWindowsPath)(self.path).name

    @property
    def problem(self) -> str:
        if self.code == PAGES_MISSING:
            many = "Pages" if "," in self.pages else "Page"
            return f"{many} {self.pages} could not be read by OCR; the rest of the file is searched."
        if self.code == PARTS_MISSING:
            return f"It holds {self.pages}, not read; the rest of the file is searched."
        return _WORDS.get(self.code, _OTHERWISE)[0]

    @property
    def advice(self) -> str:
        if self.code == PAGES_MISSING:
            return "Look at them in the file itself, or scan them again."
        if self.code == PARTS_MISSING:
            return "Open the file, and save what matters beside it."
        return _WORDS.get(self.code, _OTHERWISE)[1]


@dataclass(frozen=True, slots=True)
class UnreadableFiles:
    """The files that an index lacks, by path, out of `known_files` that were found when it was made."""

    known_files: int
    files: tuple[UnreadableFile, ...] = ()

    @property
    def told(self) -> str:
        """Return "2 of 109 unreadable"; empty where there are none."""
        count = len({each.path for each in self.files})
        return f"{count:,} of {self.known_files:,} unreadable" if self.files else ""
