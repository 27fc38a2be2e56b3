"""The list of models and the check of their files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from program import Briefbank

from briefbank.errors import ModelError
from briefbank.models.installed import ModelEntry, Role, model_folder, read_manifest


def entry_for(folder: Path, content: bytes) -> ModelEntry:
    (folder / "model.safetensors").write_bytes(content)
    return ModelEntry(
        name="a", role="encoder", licence="MIT", folder=str(folder), weights="model.safetensors",
        sha256=hashlib.sha256(content).hexdigest(), dimension=4, window=8,
    )  # fmt: skip


def test_the_shipped_list_names_the_embedded_encoder_first() -> None:
    first = read_manifest()[0]
    assert (first.name, first.role, first.dimension, first.window) == ("all-MiniLM-L6-v2", "encoder", 384, 256)
    assert len(bytes.fromhex(first.sha256)) == 32


@pytest.mark.parametrize("role", Role)
def test_a_model_can_be_added_for_every_role(role: Role, briefbank: Briefbank, tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"no model")
    result = briefbank("models", "add", tmp_path / "model.gguf", "--role", role.value, "--models", tmp_path / "models")
    assert result.code == 9, result.err


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    entry = entry_for(tmp_path, b"weights")
    (tmp_path / "model.safetensors").write_bytes(b"tampered with")
    with pytest.raises(ModelError, match="SHA-256"):
        model_folder(entry)
