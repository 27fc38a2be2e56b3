"""Whether a pack can go into a bank: its format and age, what a delta builds on, space, and who indexed the bank.

Only looks; must not know how a pack is unpacked.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from briefbank.errors import BankNewerError, BriefBankError, ModelError, NoSpaceError, UsageError
from briefbank.index.manifest import find_damage, read_info
from briefbank.ingest.ledger import Ledger
from briefbank.models.encoders.onnx import read_card
from briefbank.office.packs.contents import GENERATION_MANIFEST
from briefbank.office.packs.format import ENCODER, PackManifest
from briefbank.office.provenance import read_provenance
from briefbank.platform import versions
from briefbank.platform.files import file_sha256
from briefbank.platform.layout import Layout

_SPARE_BYTES = 32 << 20
SPACE_ADVICE = "Free some space on that disk and install the pack again. The bank searches as before."
ASK_FOR_A_WHOLE_ONE = "Ask IT for a whole pack (briefbank pack without --since). The bank searches as before."


def require_understood(manifest: PackManifest) -> None:
    """Refuse a pack whose bank is of a newer format. Raises BankNewerError."""
    if int(manifest.bank_format.partition(".")[0]) > versions.BANK.major:
        raise BankNewerError(
            f"This pack holds a bank of format {manifest.bank_format}; this program reads up to {versions.BANK}.",
            "Install the newer BriefBank that made it. The bank searches as before.",
        )


def base_folder(layout: Layout, manifest: PackManifest) -> Path | None:
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


def _is_packed(manifest: PackManifest, prefix: str) -> bool:
    return any(file.path.startswith(prefix) for file in manifest.files)


def require_not_older(layout: Layout, manifest: PackManifest) -> None:
    """Refuse a pack that is older than the live generation and its lists, whoever signed it. Raises UsageError."""
    try:
        here = _state_of_live(layout)
    except BriefBankError:
        return  # damaged: installing mends it
    if here and manifest.state_of < here:
        message = (
            f"This pack is older than what is searched here: it is of {_shown(manifest.state_of)}, the bank of "
            f"{_shown(here)}. It would bring back an old list of cases to be careful with."
        )
        # Not `rollback`: it changes the index, and where a list alone is newer there may be none to go back to.
        advice = "Install the newest pack; or take this one on purpose: briefbank install --older."
        raise UsageError(message, advice)


def _state_of_live(layout: Layout) -> datetime | None:
    """How new the live generation and its lists are, as far as this is told."""
    name = layout.current()
    if name is None:
        return None
    provenance = read_provenance(layout)
    updated_at = (provenance.updated_at if provenance else "") or read_info(layout.generation(name)).created_at
    return datetime.fromisoformat(updated_at) if updated_at else None


def _shown(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _require_encoder(layout: Layout, manifest: PackManifest) -> None:
    folder = layout.encoders / manifest.encoder_digest
    if not folder.is_dir():
        return  # the encoder of the tests has no files
    try:
        read_card(folder, manifest.encoder_digest)
    except ModelError as error:
        raise UsageError(
            f"This pack needs the query encoder of the bank: {error.message}", ASK_FOR_A_WHOLE_ONE
        ) from error


def holds(folder: Path, manifest: PackManifest) -> bool:
    """Whether a folder is the pack's generation, unharmed."""
    file = folder / GENERATION_MANIFEST
    return file.is_file() and file_sha256(file) == manifest.digest and not find_damage(folder)


def require_space(root: Path, manifest: PackManifest) -> None:
    """Refuse a pack that does not fit on the disk. Raises NoSpaceError."""
    place = next(each for each in (root, *root.absolute().parents) if each.exists())
    free, needed = shutil.disk_usage(place).free, manifest.unpacked_bytes + _SPARE_BYTES
    if free < needed:
        message = f"The pack needs {needed / 1e6:.0f} MB on the disk of {place}; {free / 1e6:.0f} MB are free."
        raise NoSpaceError(message, SPACE_ADVICE)


def require_not_indexed(layout: Layout) -> None:
    """Refuse a bank that is indexed on this machine. Raises UsageError."""
    if not layout.ledger_file.exists():
        return
    with Ledger(layout.ledger_file) as ledger:
        if ledger.entries():
            advice = "Install the pack into a bank of its own: --bank DIR."
            raise UsageError("This bank is indexed from folders on this machine.", advice)
