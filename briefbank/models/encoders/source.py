"""Where the encoder that the settings name lies: a sentence-transformers folder, or an export (ONNX) alone.

Says what a folder is by its files (digest, prefixes, window, pooling), without torch or transformers, so that a model's
identity is known before anything heavy is imported. With an export passages are encoded where torch is not installed;
its digest is its source's, so that a bank made here and one made with torch search alike.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from briefbank.errors import ModelError
from briefbank.models.encoders.onnx import CARD_NAME, FORM, is_intact, read_card
from briefbank.models.installed import Role, installed_models, model_folder, read_manifest, verify_models
from briefbank.platform.files import replaced_folder, sha256_once
from briefbank.platform.settings import Settings

SHIPPED = Path(__file__).resolve().parent / "shipped"
"""Where the offline bundle has a folder for each encoder that comes with it, under its name; not in the source tree."""
_ADVICE = "Name a complete sentence-transformers folder in the setting 'encoder', or leave it empty."


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """An encoder's folder and what is put in front of the texts it encodes."""

    folder: Path
    query_prefix: str
    passage_prefix: str
    digest: str


def find_source(settings: Settings) -> EncoderSource:
    """The encoder that the settings name: a model that ships or was added, a folder, or (empty) the embedded default.

    A folder's prefixes are its own prompts `query` and `document` (or `passage`).

    Raises:
        ModelError: the model is missing, incomplete, or not the one that its digest names.
    """
    entries = [entry for entry in read_manifest() if entry.role == "encoder"]
    for entry in entries:
        if settings.encoder in ("", entry.name):
            return describe_folder(model_folder(entry), entry.query_prefix, entry.passage_prefix)
    folder = _added_folder(settings.encoder) or Path(settings.encoder)
    if not (folder / "modules.json").is_file():
        raise ModelError(f"There is no sentence-transformers model in {folder}", _ADVICE)
    prompts = _prompts(folder)
    return describe_folder(folder, prompts.get("query", ""), prompts.get("document", prompts.get("passage", "")))


def _added_folder(name: str) -> Path | None:
    """The folder of the encoder that was added to the models folder under that name, its files verified."""
    for model in installed_models():
        if model.name == name and Role.ENCODER in model.roles:
            for finding in verify_models(name=name):
                raise ModelError(finding.problem, finding.advice)
            return Path(model.folder)
    return None


def describe_folder(folder: Path, query_prefix: str = "", passage_prefix: str = "") -> EncoderSource:
    """Digest a folder: one SHA-256 over those of weights, tokeniser and configurations, and over the prefixes."""
    weights = sorted(folder.rglob("*.safetensors"))
    if not weights or not (folder / "tokenizer.json").is_file():
        raise ModelError(f"{folder} holds no model.safetensors with a tokenizer.json", _ADVICE)
    names = ("tokenizer.json", "config.json", "modules.json", "sentence_bert_config.json")
    configs = [folder / name for name in names if (folder / name).is_file()] + sorted(folder.glob("*/config.json"))
    lines = [f"{path.relative_to(folder).as_posix()} {sha256_once(path)}" for path in [*weights, *configs]]
    lines += [f"query {query_prefix!r}", f"passage {passage_prefix!r}"]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return EncoderSource(folder, query_prefix, passage_prefix, digest)


def _prompts(folder: Path) -> dict[str, str]:
    path = folder / "config_sentence_transformers.json"
    config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return dict(config.get("prompts") or {})


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


def require_form(export: Path) -> str:
    """The digest of an export that passages can be cut with as its source would.

    Raises:
        ModelError: the export is damaged, or an earlier program made it.
    """
    card = read_card(export)
    if card.form != FORM:
        raise ModelError(
            f"The encoder in {export} was exported by another version of BriefBank.",
            "Take it from the folder 'encoders' of a bank that was indexed with this version.",
        )
    return card.source_digest


def copy_export(source: Path, folder: Path) -> None:
    """Copy a verified export, whole or not at all; an intact one is kept. Raises ModelError if it is damaged."""
    digest = export_digest(source)
    if is_intact(folder, digest):
        return
    with replaced_folder(folder) as fresh:
        shutil.copytree(source, fresh, dirs_exist_ok=True)
