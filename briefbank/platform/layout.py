"""Where a bank keeps its files, and which format they have; must not know what is in them."""

from __future__ import annotations

import os
import re
import tomllib
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import tomli_w

from briefbank import __version__
from briefbank.errors import BankDamagedError, BankMissingError, BankNewerError, DiskError, SettingsError, UsageError
from briefbank.platform import versions
from briefbank.platform.disk import refusal_of
from briefbank.platform.files import (
    TABLE_BYTES,
    make_folder,
    make_private,
    naming,
    parse_toml,
    patiently,
    read_bounded,
    write_atomic,
    write_new,
)
from briefbank.platform.windows.names import is_on_share

_CONTROLS = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""Unicode's categories of line ends, tabs and the like, and of bytes that are no text."""
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They turn the direction of writing, so that a path reads as another one (Unicode's technical report 36)."""
_IN_NO_NAME = re.compile(r"[^0-9A-Za-z-]")
"""What no generation's name has: it is a time, with a number behind it where two began in one second."""


PROFILE_SUFFIX = ".toml"


def profile_files(folder: Path) -> list[Path]:
    """The files of issue profiles in a folder, which need not be there, by name."""
    return sorted(folder.glob(f"[!.]*{PROFILE_SUFFIX}"))


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
    def authority_list(self) -> Path:
        """The list of all authorities that IT or a pack brought, of no generation; the file need not be there."""
        return self.root / "authorities.list"

    @property
    def profiles(self) -> Path:
        """Issue profiles, a file each; the folder need not be there."""
        return self.root / "profiles"

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
        """Return the name of the live generation, or None where nothing is published yet.

        In a damaged one every character that no generation's name has is replaced: it would lead elsewhere, or be
        refused by Windows as no name at all, and is to be missed like any other generation.
        """
        try:
            with naming(self.current_file):
                written = patiently(lambda: self.current_file.read_text(encoding="utf-8"))
                return _IN_NO_NAME.sub("_", written.strip()) or None
        except FileNotFoundError:
            return None

    def create(self) -> bool:
        """Make the folders of a new bank, readable by their owner only, or those that an existing one lacks.

        Returns whether this call made the bank's own folder: of several programs that do so at the same time exactly
        one is told True, and only that one may remove it again when what it does next fails.

        Raises:
            UsageError: there is a file under the bank's name, the name holds control characters, or on Windows it
                leads to a share.
            BankMissingError: it is a link to nothing.
        """
        _require_usable(self.root)
        is_new = make_folder(self.root)
        for folder in (self.generations, self.encoders, self.cache_file.parent):
            make_folder(folder)
        if not self.settings_file.exists():
            make_private(self.root)
            written = {"format": str(versions.BANK), "created_by": f"briefbank {__version__}"}
            write_new(self.settings_file, tomli_w.dumps({"bank": written, "settings": {}}).encode())
        return is_new

    def require(self) -> str:
        """Check that this is a bank that this program can read; returns its format.

        Raises:
            BankMissingError: there is no bank here.
            BankNewerError: a newer program wrote it.
            SettingsError: `bank.toml` is not TOML; the message names the line.
            BankDamagedError: it says nothing of a format.
            UsageError: as `create`.
        """
        _require_usable(self.root)
        if not self.settings_file.is_file():
            advice = "Index a folder first (briefbank index FOLDER), or name another bank with --bank."
            raise BankMissingError(f"There is no bank at {self.root}.", advice)
        try:
            written = parse_toml(read_bounded(self.settings_file, TABLE_BYTES).decode())["bank"]["format"]
            major = int(str(written).split(".", maxsplit=1)[0])
        except tomllib.TOMLDecodeError as error:
            advice = (
                "Mend that line; or run briefbank check --repair, which puts the file back as it was when the bank was "
                "last found sound."
            )
            raise SettingsError(f"{self.settings_file} is not valid TOML: {error}.", advice) from error
        except OSError as error:
            if isinstance(refusal := refusal_of(error, self.settings_file), DiskError):
                raise refusal from error
            advice = "Put a readable file in its place, such as the one of a copy of the bank."
            raise BankDamagedError(f"{self.settings_file} cannot be read: {error.strerror}.", advice) from error
        except (UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
            advice = f"Restore it from a copy, or write '[bank]' and 'format = \"{versions.BANK}\"' into it."
            raise BankDamagedError(f"{self.settings_file} is damaged.", advice) from error
        if major > versions.BANK.major:
            raise BankNewerError(
                f"This bank has format {written}; this program, briefbank {__version__}, reads up to {versions.BANK}.",
                "Install the newer BriefBank that wrote it.",
            )
        return str(written)

    def upgrade(self) -> None:
        """Say in `bank.toml` that the bank has today's format, so that older programs refuse it; other settings stay.

        Raises:
            SettingsError, BankDamagedError, BankNewerError: as `require`.
        """
        if int(self.require().partition(".")[0]) < versions.BANK.major:
            tables = parse_toml(read_bounded(self.settings_file, TABLE_BYTES).decode())
            tables["bank"]["format"] = str(versions.BANK)
            write_atomic(self.settings_file, tomli_w.dumps(tables).encode())


def _require_usable(root: Path) -> None:
    """Refuse a bank's path under which no folder can be, or which does not read as what it is."""
    if any(each in _DIRECTIONS or unicodedata.category(each) in _CONTROLS for each in str(root)):
        message = f"The bank's path {str(root)!a} holds control characters, or some that turn the direction of writing."
        raise UsageError(message, "Name a path without them; rename the folder where it has such a name.")
    if root.is_symlink() and not root.exists():
        advice = "Connect the disk or share that the link leads to, mend the link, or name another bank with --bank."
        raise BankMissingError(f"{root} is a link to {root.readlink()}, and there is nothing there.", advice)
    if root.exists() and not root.is_dir():
        raise UsageError(f"{root} is a file; a bank is a folder.", "Name a folder, which need not be there yet.")
    # LanceDB 0.40 loses the names of server and share, and would write the text of briefs to a local disk.
    if is_on_share(root):
        advice = "Name a folder on a disk of this machine; packs carry an index from one machine to another."
        raise UsageError(f"The bank at {root} would lie on another machine's share.", advice)
