"""Whether a pack can go into a bank: its format, what a delta builds on, space, and who indexed the bank.

Only looks; must not know how a pack is unpacked.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from briefbank.errors import BankNewerError, ModelError, NoSpaceError, UsageError
from briefbank.index.generation import find_damage, read_info
from briefbank.ingest.ledger import Ledger
from briefbank.models.encoders.onnx import read_card
from briefbank.office.packs.contents import GENERATION_MANIFEST
from briefbank.office.packs.format import ENCODER, Manifest
from briefbank.platform.files import file_sha256
from briefbank.platform.layout import FORMAT_MAJOR, FORMAT_MINOR, Layout

_SPARE_BYTES = 32 << 20
SPACE_ADVICE = "Free some space on that disk and install the pack again. The bank searches as before."
ASK_FOR_A_WHOLE_ONE = "Ask IT for a whole pack (briefbank pack without --since). The bank searches as before."


def require_understood(manifest: Manifest) -> None:
    """Refuse a pack whose bank is of a newer format. Raises BankNewerError."""
    if int(manifest.bank_format.partition(".")[0]) > FORMAT_MAJOR:
        raise BankNewerError(
            f"This pack holds a bank of format {manifest.bank_format}; this program reads up to "
            f"{FORMAT_MAJOR}.{FORMAT_MINOR}.",
            "Install the newer BriefBank that made it. The bank searches as before.",
        )


def base_folder(layout: Layout, manifest: Manifest) -> Path | None:
    """The earlier generation that a delta builds on, intact."""
    if not manifest.base:
        return None
    folder = layout.generation(manifest.base)
    file = folder / GENERATION_MANIFEST
    if not file.is_file() or file_sha256(file) != manifest.base_digest:
        has = f"this bank holds {layout.current()}" if layout.current() else "there is none here"
        raise UsageError(
            f"This pack holds only what changed since generation {manifest.base}; {has}.", ASK_FOR_A_WHOLE_ONE
        )
    if damage := find_damage(folder):
        raise UsageError(
            f"This pack builds on generation {manifest.base}, which is damaged: {damage[0].message}",
            ASK_FOR_A_WHOLE_ONE,
        )
    if manifest.encoder_digest == read_info(folder).encoder_digest and not _is_packed(manifest, ENCODER):
        _require_encoder(layout, manifest)
    return folder


def _is_packed(manifest: Manifest, prefix: str) -> bool:
    return any(file.path.startswith(prefix) for file in manifest.files)


def _require_encoder(layout: Layout, manifest: Manifest) -> None:
    folder = layout.encoders / manifest.encoder_digest
    if not folder.is_dir():
        return  # the encoder of the tests has no files
    try:
        read_card(folder, manifest.encoder_digest)
    except ModelError as error:
        raise UsageError(
            f"This pack needs the query encoder of the bank: {error.message}", ASK_FOR_A_WHOLE_ONE
        ) from error


def holds(folder: Path, manifest: Manifest) -> bool:
    """Whether a folder is the pack's generation, unharmed."""
    file = folder / GENERATION_MANIFEST
    return file.is_file() and file_sha256(file) == manifest.digest and not find_damage(folder)


def require_space(root: Path, manifest: Manifest) -> None:
    """Refuse a pack that does not fit on the disk. Raises NoSpaceError."""
    place = next(each for each in (root, *root.absolute().parents) if each.exists())
    free, needed = shutil.disk_usage(place).free, manifest.unpacked_bytes + _SPARE_BYTES
    if free < needed:
        told = f"The pack needs {needed / 1e6:.0f} MB on the disk of {place}; {free / 1e6:.0f} MB are free."
        raise NoSpaceError(told, SPACE_ADVICE)


def require_not_indexed(layout: Layout) -> None:
    """Refuse a bank that is indexed on this machine. Raises UsageError."""
    if not layout.ledger_file.exists():
        return
    with Ledger(layout.ledger_file) as ledger:
        if ledger.entries():
            advice = "Install the pack into a bank of its own: --bank DIR."
            raise UsageError("This bank is indexed from folders on this machine.", advice)
