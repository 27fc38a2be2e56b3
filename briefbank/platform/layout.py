"""Where a bank keeps its files, and which format they have; must not know what is in them."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

import tomli_w

from briefbank import __version__
from briefbank.errors import BankDamagedError, BankMissingError, BankNewerError, SettingsError
from briefbank.platform.files import TABLE_BYTES, read_bounded, write_atomic

FORMAT_MAJOR = 1
"""Raised when an older program cannot read the bank any more; such a bank is refused."""
FORMAT_MINOR = 0
"""Raised when an older program can still read it."""


def default_bank() -> Path:
    """The bank in the user's data folder, or where BRIEFBANK_BANK points."""
    return own_place("BRIEFBANK_BANK", "bank")


def own_place(variable: str, name: str) -> Path:
    """Where an environment variable points, or else that name in the user's data folder."""
    if named := os.environ.get(variable):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_data_dir("briefbank", appauthor=False)) / name


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths below a bank's root, which is made absolute: readers of files work in folders of their own."""

    root: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", self.root.absolute())

    @property
    def settings_file(self) -> Path:
        return self.root / "bank.toml"

    @property
    def citations_file(self) -> Path:
        """The office's own citation patterns; the file need not be there."""
        return self.root / "citations.toml"

    @property
    def alerts_file(self) -> Path:
        """The office's list of authorities to be careful with; the file need not be there."""
        return self.root / "alerts.csv"

    @property
    def current_file(self) -> Path:
        return self.root / "current"

    @property
    def generations(self) -> Path:
        return self.root / "generations"

    @property
    def encoders(self) -> Path:
        return self.root / "encoders"

    @property
    def cache_file(self) -> Path:
        return self.root / "cache" / "cache.sqlite"

    @property
    def summaries_file(self) -> Path:
        return self.root / "cache" / "summaries.sqlite"

    @property
    def ledger_file(self) -> Path:
        return self.root / "ledger.sqlite"

    @property
    def lock_file(self) -> Path:
        return self.root / "writer.lock"

    @property
    def scratch(self) -> Path:
        """Where readers of untrusted files may write; there only while files are read."""
        return self.root / "scratch"

    def generation(self, name: str) -> Path:
        return self.generations / name

    def current(self) -> str | None:
        """Return the name of the live generation, or None where nothing is published yet."""
        try:
            return self.current_file.read_text(encoding="utf-8").strip() or None
        except FileNotFoundError:
            return None

    def create(self) -> None:
        """Make the folders of a new bank, readable by their owner only."""
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (self.generations, self.encoders, self.cache_file.parent):
            folder.mkdir(exist_ok=True, mode=0o700)
        if not self.settings_file.exists():
            self.root.chmod(0o700)
            told = {"format": f"{FORMAT_MAJOR}.{FORMAT_MINOR}", "created_by": f"briefbank {__version__}"}
            write_atomic(self.settings_file, tomli_w.dumps({"bank": told, "settings": {}}).encode())

    def require(self) -> None:
        """Check that this is a bank that this program can read.

        Raises:
            BankMissingError: there is no bank here.
            BankNewerError: a newer program wrote it.
            SettingsError: `bank.toml` is not TOML; the message names the line.
            BankDamagedError: it says nothing of a format.
        """
        if not self.settings_file.is_file():
            advice = "Index a folder first (briefbank index FOLDER), or name another bank with --bank."
            raise BankMissingError(f"There is no bank at {self.root}.", advice)
        try:
            told = tomllib.loads(read_bounded(self.settings_file, TABLE_BYTES).decode())["bank"]["format"]
            major = int(str(told).split(".", maxsplit=1)[0])
        except tomllib.TOMLDecodeError as error:
            advice = (
                "Mend that line; or run briefbank check --repair, which puts the file back as it was when the bank was "
                "last found sound."
            )
            raise SettingsError(f"{self.settings_file} is not valid TOML: {error}.", advice) from error
        except (UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
            advice = "Restore it from a copy, or write '[bank]' and 'format = \"1.0\"' into it."
            raise BankDamagedError(f"{self.settings_file} is damaged.", advice) from error
        if major > FORMAT_MAJOR:
            raise BankNewerError(
                f"This bank has format {told}; this program, briefbank {__version__}, reads up to "
                f"{FORMAT_MAJOR}.{FORMAT_MINOR}.",
                "Install the newer BriefBank that wrote it.",
            )
