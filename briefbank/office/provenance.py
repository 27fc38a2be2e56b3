"""What a bank says of the pack that it was installed from. Such a bank has neither source files nor ledger."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from pathlib import Path

import msgspec
import tomli_w

from briefbank.errors import BankDamagedError, UsageError
from briefbank.platform.files import write_atomic
from briefbank.platform.layout import Layout
from briefbank.reports import Provenance


def provenance_file(layout: Layout) -> Path:
    """Where that stands."""
    return layout.root / "installed.toml"


def write_provenance(layout: Layout, provenance: Provenance) -> None:
    """Say where the bank comes from."""
    write_atomic(provenance_file(layout), tomli_w.dumps({"installed": asdict(provenance)}).encode())


def read_provenance(layout: Layout) -> Provenance | None:
    """Return where the bank comes from, or None where it was indexed on this machine.

    Raises:
        BankDamagedError: the record cannot be understood.
    """
    path = provenance_file(layout)
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8"))["installed"], Provenance)
    except FileNotFoundError:
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, msgspec.ValidationError) as error:
        raise BankDamagedError(f"{path} is damaged.", "Install the newest pack again.") from error


def require_not_installed(layout: Layout) -> None:
    """Refuse to write a generation into a bank that came as a pack: it would hold nothing of the office's.

    Raises:
        UsageError: it did.
    """
    if provenance_file(layout).exists():
        advice = "Index into a bank of its own (--bank DIR); learn where the packs are made."
        raise UsageError("This bank was installed from the office's pack; only another pack changes it.", advice)
