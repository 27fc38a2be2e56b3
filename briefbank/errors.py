"""The errors that people are meant to see. Each class has its exit code and its own `code`, by which other programs and
the ledger tell errors apart; each error says what happened, and what to do about it.

Knows nothing of the rest of the package, so that every room may raise these, and window and command line may show them.
"""

from __future__ import annotations

import traceback
from enum import IntEnum
from pathlib import PurePath


class ExitCode(IntEnum):
    """What the process returns to its caller; explained to IT staff in `docs/operations.md`."""

    OK = 0
    OTHER = 1
    USAGE = 2
    SETTINGS = 3
    BANK_MISSING = 4
    IN_USE = 5
    NEWER = 6
    DAMAGED = 7
    SOURCE_UNREADABLE = 8
    MODEL = 9
    OCR_MISSING = 10
    NO_SPACE = 11
    SOME_FAILED = 12
    DISK = 13
    INTERRUPTED = 130


def fault_told(fault: BaseException) -> str:
    """Name a fault of the program by its type and the lines that led to it: "KeyError at bank.py:12, main.py:80". Its
    text is left out, because it may hold the user's words.
    """
    frames = traceback.extract_tb(fault.__traceback__)
    places = ", ".join(f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in frames)
    return f"{type(fault).__name__} at {places}"


class BriefBankError(Exception):
    """An expected failure. `message` says what happened, to which file; `advice` what the person can do about it, or is
    empty.
    """

    exit_code = ExitCode.OTHER
    code = "error"

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __reduce__(self) -> tuple[type[BriefBankError], tuple[str, str]]:
        return type(self), (self.message, self.advice)


class UsageError(BriefBankError):
    """What was asked for makes no sense: an empty query, an impossible range of dates, a name that is taken."""

    exit_code = ExitCode.USAGE
    code = "usage"


class SettingsError(BriefBankError):
    """A setting, or a list that IT keeps (`bank.toml`, alerts, citations), cannot be used as it is written."""

    exit_code = ExitCode.SETTINGS
    code = "settings"


class BankMissingError(BriefBankError):
    """There is no bank at that place, or no index in it yet."""

    exit_code = ExitCode.BANK_MISSING
    code = "bank-missing"


class BankInUseError(BriefBankError):
    """Another program is writing to the bank."""

    exit_code = ExitCode.IN_USE
    code = "in-use"


class BankNewerError(BriefBankError):
    """A newer version of the program wrote the bank or a part of it; this one would misread it."""

    exit_code = ExitCode.NEWER
    code = "newer"


class BankDamagedError(BriefBankError):
    """A file of the bank is missing or is not what was written."""

    exit_code = ExitCode.DAMAGED
    code = "damaged"


class ModelError(BriefBankError):
    """A model is missing, or its file does not have the digest that the manifest names."""

    exit_code = ExitCode.MODEL
    code = "model"


class LanguageModelError(ModelError):
    """The language model cannot be used, or its process died while it answered."""

    code = "language-model"


class ContextOverflowError(LanguageModelError):
    """A prompt is longer than the language model can take in."""

    code = "context-overflow"


class InvalidAnswerError(LanguageModelError):
    """The language model's answer is not of the form that was asked for. It is dropped, never mended."""

    code = "invalid-answer"


class TimeLimitError(LanguageModelError):
    """The language model did not answer within its time limit."""

    code = "time-limit"


class PackError(BriefBankError):
    """A pack is damaged, incomplete, or signed with a key that this machine does not trust. Nothing was changed."""

    exit_code = ExitCode.DAMAGED
    code = "pack"


class OcrMissingError(BriefBankError):
    """Pages need OCR, and the OCR program or server is not there."""

    exit_code = ExitCode.OCR_MISSING
    code = "ocr-missing"


class AccessError(BriefBankError):
    """The system refuses access to a file or folder: no permission, a read-only disk, a folder that is not there."""

    code = "access"


class NoSpaceError(BriefBankError):
    """The disk is full, or the user's share of it."""

    exit_code = ExitCode.NO_SPACE
    code = "no-space"


class DiskError(BriefBankError):
    """A disk or the machine that holds it fails: an input/output error, a stale handle, a device that is gone."""

    exit_code = ExitCode.DISK
    code = "disk"


class CancelledError(BriefBankError):
    """The user asked the work to stop. What was finished is kept."""

    exit_code = ExitCode.INTERRUPTED
    code = "cancelled"


class SourceError(BriefBankError):
    """A source file or folder cannot be read. An index run goes on with the other files."""

    exit_code = ExitCode.SOURCE_UNREADABLE
    code = "unreadable"


class DamagedFileError(SourceError):
    """The file is not a whole file of its kind."""

    code = "damaged-file"


class EncryptedFileError(SourceError):
    """The file can be opened only with a password."""

    code = "encrypted-file"


class UnsupportedFileError(SourceError):
    """The file is of a kind that no reader knows, or not of the kind that its name says."""

    code = "unsupported-file"


class ConverterMissingError(SourceError):
    """The program that converts this old format into one that can be read is not installed."""

    code = "converter-missing"


class ChangingFileError(SourceError):
    """The file was written, moved or removed while it was being read. The next run reads it."""

    code = "changing"


class OutsideFolderError(SourceError):
    """The file is a link out of the folder that is indexed. What it points to is not read."""

    code = "outside-folder"


class StrangeNameError(SourceError):
    """The name of a file or folder is not UTF-8. It is not opened."""

    code = "strange-name"


class NotAFileError(SourceError):
    """A pipe, a socket or a device lies where files do. It is not opened."""

    code = "not-a-file"


class DeadLinkError(SourceError):
    """A link leads to nothing."""

    code = "dead-link"


class EmptyFileError(SourceError):
    """The file holds no text, even after OCR."""

    code = "no-text"


class TooLargeError(SourceError):
    """The file has more pages, needs more memory, or unpacks to more than the limits allow."""

    code = "too-large"


class TooSlowError(SourceError):
    """Reading took longer than its time limit and was stopped."""

    code = "too-slow"


class ReaderDiedError(SourceError):
    """The process that read the file crashed over it, or did what it may not."""

    code = "reader-died"


class ReaderKilledError(SourceError):
    """The system killed the process that read the file, most likely for want of memory. The file may be sound."""

    code = "reader-killed"


class EngineDiedError(BriefBankError):
    """The process that was to answer ended before it did."""

    code = "engine-died"


def missing_package(fault: BaseException) -> BriefBankError | None:
    """Name a package that BriefBank needs and that is not installed; None where the fault is of another kind."""
    name = (getattr(fault, "name", None) or "").partition(".")[0]
    if not isinstance(fault, ModuleNotFoundError) or name in ("", "briefbank", "ui"):
        return None
    return BriefBankError(
        f"The Python package {name} is missing, which this needs.",
        "Install BriefBank, or the wheel that lacks it, together with what it needs (pip install, without --no-deps).",
    )
