"""Which files of a bank a pack carries: all that searching and reading need, nothing of the source files.

Pages are set from the passages that the generation holds, so neither cache nor ledger travels.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from briefbank.errors import BankDamagedError, SettingsError
from briefbank.index.manifest import MANIFEST_NAME, GenerationInfo, read_digests, read_info
from briefbank.index.publish import live_generation
from briefbank.models.encoders import substitute_with
from briefbank.models.encoders.onnx import CARD_NAME, read_card
from briefbank.models.installed.folder import read_models, store_folder
from briefbank.office.packs.format import ENCODER, GENERATION, MODELS, SETTINGS, SUMMARIES, is_allowed
from briefbank.office.provenance import OfficeLists, lists_of, read_provenance
from briefbank.platform.files import file_sha256
from briefbank.platform.layout import Layout
from briefbank.platform.scratch import scratch_folder

_EARLIEST = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class FileToPack:
    """A file to be packed: its path in the pack, where it lies, and its SHA-256 as far as the bank knows it."""

    path: str
    file: Path
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """What goes into a pack. `digest` is the SHA-256 of the generation's own manifest; `updated_at` is when the newest
    of the index and the office's lists was made.
    """

    generation: str
    info: GenerationInfo
    digest: str
    updated_at: str
    sources: tuple[FileToPack, ...]


@contextmanager
def contents_of(layout: Layout, models: Path | None, *, with_summaries: bool) -> Iterator[Contents]:
    """Collect the live generation and what belongs to it; `models` is the folder of models to add, if any.

    Raises:
        BankMissingError, BankDamagedError, ModelError: there is no index, or it cannot be used.
        SettingsError: a list of the office cannot travel in a pack.
    """
    folder = live_generation(layout)
    info = read_info(folder)
    lists = lists_of(layout, folder)
    sources = [
        *_generation_sources(folder),
        *_encoder_sources(layout, info.encoder_digest),
        FileToPack(SETTINGS, layout.settings_file),
        *_list_sources(lists),
        *(_model_sources(models) if models else ()),
    ]
    with scratch_folder() as scratch:
        if with_summaries and layout.summaries_file.is_file():
            sources.append(FileToPack(SUMMARIES, _snapshot(layout.summaries_file, scratch)))
        sources.sort(key=lambda source: source.path)
        digest = file_sha256(folder / MANIFEST_NAME)
        yield Contents(folder.name, info, digest, _updated_at(layout, info, lists), tuple(sources))


def _list_sources(lists: OfficeLists) -> Iterator[FileToPack]:
    """The office's lists; a profile under a name that no program installs is told here, not to all who get the pack."""
    for name, file in lists.files().items():
        if not is_allowed(name):
            advice = "Call it by small letters, digits and hyphens, as `briefbank profile new` does, or remove it."
            raise SettingsError(f"{file} cannot travel in a pack under this name.", advice)
        yield FileToPack(name, file)


def _updated_at(layout: Layout, info: GenerationInfo, lists: OfficeLists) -> str:
    """When the newest of the index and the lists was made; where they came as a pack, what that said."""
    provenance = read_provenance(layout)
    if provenance:
        return provenance.updated_at or info.created_at
    changed = [datetime.fromtimestamp(int(file.stat().st_mtime), UTC) for file in lists.files().values()]
    return max(datetime.fromisoformat(info.created_at), *changed, _EARLIEST).isoformat(timespec="seconds")


def _generation_sources(folder: Path) -> list[FileToPack]:
    digests: dict[str, str | None] = {**read_digests(folder), MANIFEST_NAME: None}
    return [FileToPack(GENERATION + name, folder / name, sha256) for name, sha256 in sorted(digests.items())]


def _encoder_sources(layout: Layout, digest: str) -> list[FileToPack]:
    if substitute_with(digest):
        return []
    folder = layout.encoders / digest
    card = read_card(folder, digest)
    names = {CARD_NAME: None, **card.files}
    return [FileToPack(ENCODER + name, folder / name, sha256) for name, sha256 in names.items()]


def _model_sources(folder: Path) -> list[FileToPack]:
    """The models folder as its manifest has it."""
    models = read_models(folder).model
    if not models:
        return []
    files = [
        FileToPack(
            f"{MODELS}{store_folder(Path(), model.id).as_posix()}/{file.path}",
            Path(model.folder, file.path),
            file.sha256,
        )
        for model in models
        for file in model.files
    ]
    return [FileToPack(f"{MODELS}manifest.toml", folder / "manifest.toml"), *files]


def _snapshot(database: Path, scratch: Path) -> Path:
    """Copy a database that may be in use, so that the same content gives the same file."""
    copy = scratch / database.name
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            opened.execute("VACUUM INTO ?", (str(copy),))
    except sqlite3.DatabaseError as error:
        advice = "Leave them out (--no-summaries), or have them mended: briefbank check --repair"
        raise BankDamagedError(f"The stored summaries cannot be read: {error}.", advice) from error
    return copy
