"""The error tree: each error owns its exit code and says what to do about it.

Knows nothing of the rest of the package, so that every layer may raise and every door may show these.
"""

from __future__ import annotations

import traceback
from enum import IntEnum
from pathlib import PurePath


class ExitCode(IntEnum):
    """What the process tells its caller; documented for IT staff in `docs/operations.md`."""

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
    """Name a fault of the program and the lines that led to it, without its text, which may hold the user's words."""
    frames = traceback.extract_tb(fault.__traceback__)
    places = ", ".join(f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in frames)
    return f"{type(fault).__name__} at {places}"


class BriefBankError(Exception):
    """An expected failure: what happened, and `advice`, what the person can do about it."""

    exit_code = ExitCode.OTHER
    code = "error"

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __reduce__(self) -> tuple[type[BriefBankError], tuple[str, str]]:
        return type(self), (self.message, self.advice)


class UsageError(BriefBankError):
    """The call itself makes no sense: an empty query, an impossible date range."""

    exit_code = ExitCode.USAGE
    code = "usage"


class SettingsError(BriefBankError):
    exit_code = ExitCode.SETTINGS
    code = "settings"


class BankMissingError(BriefBankError):
    exit_code = ExitCode.BANK_MISSING
    code = "bank-missing"


class BankInUseError(BriefBankError):
    exit_code = ExitCode.IN_USE
    code = "in-use"


class BankNewerError(BriefBankError):
    exit_code = ExitCode.NEWER
    code = "newer"


class BankDamagedError(BriefBankError):
    exit_code = ExitCode.DAMAGED
    code = "damaged"


class ModelError(BriefBankError):
    """A model is missing, or is not the file that its digest names."""

    exit_code = ExitCode.MODEL
    code = "model"


class LanguageModelError(ModelError):
    """The language model cannot be used, or died over a request."""

    code = "language-model"


class ContextOverflowError(LanguageModelError):
    """A prompt does not fit into the model's context."""

    code = "context-overflow"


class InvalidAnswerError(LanguageModelError):
    """The model's answer is not what was asked for; it is dropped, never mended."""

    code = "invalid-answer"


class TimeLimitError(LanguageModelError):
    """The model did not answer within its time limit."""

    code = "time-limit"


class PackError(BriefBankError):
    """A pack is damaged, cut off, or signed by nobody this machine trusts; nothing was changed."""

    exit_code = ExitCode.DAMAGED
    code = "pack"


class OcrMissingError(BriefBankError):
    exit_code = ExitCode.OCR_MISSING
    code = "ocr-missing"


class AccessError(BriefBankError):
    """The system refuses a file or folder: no permission, a read-only disk, a folder that is not there."""

    code = "access"


class NoSpaceError(BriefBankError):
    exit_code = ExitCode.NO_SPACE
    code = "no-space"


class DiskError(BriefBankError):
    """A disk, or the machine that holds it, fails: an input/output error, a stale handle, a device that is gone."""

    exit_code = ExitCode.DISK
    code = "disk"


class CancelledError(BriefBankError):
    """The user asked to stop; what was finished is kept."""

    exit_code = ExitCode.INTERRUPTED
    code = "cancelled"


class SourceError(BriefBankError):
    """One source file or folder cannot be read; the run goes on with the others."""

    exit_code = ExitCode.SOURCE_UNREADABLE
    code = "unreadable"


class DamagedFileError(SourceError):
    code = "damaged-file"


class EncryptedFileError(SourceError):
    code = "encrypted-file"


class UnsupportedFileError(SourceError):
    code = "unsupported-file"


class ConverterMissingError(SourceError):
    """The program that turns an old format into one that is read is not installed."""

    code = "converter-missing"


class ChangingFileError(SourceError):
    """The file was written, moved or removed while it was being read; the next run sees what became of it."""

    code = "changing"


class OutsideFolderError(SourceError):
    """The file is a link that leads out of the folder that is indexed: what it leads to is nobody's brief."""

    code = "outside-folder"


class EmptyFileError(SourceError):
    """The file holds no text at all, even after OCR."""

    code = "no-text"


class TooLargeError(SourceError):
    """The file broke a limit of pages, memory or unpacked size."""

    code = "too-large"


class TooSlowError(SourceError):
    """Reading was stopped at its time limit."""

    code = "too-slow"


class ReaderDiedError(SourceError):
    """The child process that parsed the file died of it, or broke its bounds."""

    code = "reader-died"


class ReaderKilledError(SourceError):
    """The system killed the child process that parsed the file, most likely for want of memory; the file itself may be
    sound.
    """

    code = "reader-killed"


class EngineDiedError(BriefBankError):
    """The child process that was to answer died."""

    code = "engine-died"
