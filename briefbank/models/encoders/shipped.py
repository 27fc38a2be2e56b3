"""An encoder that is there in its ONNX form alone: inside the program's folder, or one that the settings name.

So passages are encoded where torch is not installed. Its digest is its source's, so that a bank made here and one made
with torch search alike. Must not know how an export is made.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from briefbank.models.encoders.onnx import CARD_NAME, is_intact, read_card
from briefbank.models.installed import read_manifest
from briefbank.platform.files import replaced_folder
from briefbank.platform.settings import Settings

SHIPPED = Path(__file__).resolve().parent / "shipped"
"""Where the offline bundle has a folder for each encoder that comes with it, under its name; not in the source tree."""


def find_export(settings: Settings) -> Path | None:
    """The folder of the export that the settings name; None where they name a model with its weights.

    Raises:
        ModelError: the list of models is missing or malformed.
    """
    names = (entry.name for entry in read_manifest() if entry.role == "encoder")
    named = next((SHIPPED / name for name in names if settings.encoder in ("", name)), Path(settings.encoder))
    return named if (named / CARD_NAME).is_file() else None


def export_digest(folder: Path) -> str:
    """The digest of the encoder that the export was made from. Raises ModelError if the export is damaged."""
    return read_card(folder).source_digest


def copy_export(source: Path, folder: Path) -> None:
    """Copy a verified export, whole or not at all; an intact one is kept. Raises ModelError if it is damaged."""
    digest = export_digest(source)
    if is_intact(folder, digest):
        return
    with replaced_folder(folder) as fresh:
        shutil.copytree(source, fresh, dirs_exist_ok=True)
