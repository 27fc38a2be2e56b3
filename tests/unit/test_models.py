"""The list of models and the check of their files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from briefbank.errors import ModelError
from briefbank.models.installed import ModelEntry, model_folder, read_manifest, verify_file


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


@pytest.mark.parametrize(
    "text", ["[[model]]\nname = 'a'", "[[model]\n", "[[model]]\nspeed = 1"], ids=["keys missing", "not TOML", "unknown"]
)
def test_a_malformed_list_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"manifest\.toml"):
        read_manifest(path)


def test_a_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="missing"):
        read_manifest(tmp_path / "manifest.toml")


def test_the_folder_of_intact_weights_is_found(tmp_path: Path) -> None:
    assert model_folder(entry_for(tmp_path, b"weights")) == tmp_path


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    entry = entry_for(tmp_path, b"weights")
    (tmp_path / "model.safetensors").write_bytes(b"tampered with")
    with pytest.raises(ModelError, match="SHA-256"):
        model_folder(entry)


def test_missing_weights_and_missing_packages_are_refused(tmp_path: Path) -> None:
    entry = entry_for(tmp_path, b"weights")
    with pytest.raises(ModelError, match="no package"):
        model_folder(replace(entry, package="no-such", module="no_such_module_anywhere"))
    with pytest.raises(ModelError, match="missing"):
        verify_file(tmp_path / "absent", entry.sha256)
