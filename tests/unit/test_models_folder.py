"""The models folder: what is added is looked at, copied whole, named with its digests, and found again for its role."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from gguf import GGUFWriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from llm.tiny import write_tiny_gguf
from systems import links

from briefbank.errors import BankInUseError, CancelledError, ExitCode, ModelError, NoSpaceError, UsageError
from briefbank.models.encoders.source import find_source
from briefbank.models.installed import (
    Role,
    add_model,
    default_names,
    installed_models,
    model_for,
    read_gguf,
    remove_model,
    verify_models,
)
from briefbank.models.installed.folder import changing
from briefbank.platform.files import file_sha256
from briefbank.platform.progress import CancelToken, Progress
from briefbank.platform.settings import Settings


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_gguf(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def write_safetensors(path: Path, values: bytes = b"\0" * 16) -> None:
    header = json.dumps({"weight": {"dtype": "F32", "shape": [len(values) // 4], "data_offsets": [0, len(values)]}})
    path.write_bytes(struct.pack("<Q", len(header)) + header.encode() + values)


def encoder_folder(folder: Path) -> Path:
    folder.mkdir(parents=True)
    write_safetensors(folder / "model.safetensors")
    (folder / "config.json").write_text('{"architectures": ["BertModel"], "max_position_embeddings": 512}')
    (folder / "modules.json").write_text("[]")
    (folder / "tokenizer.json").write_text("{}")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text("{}")
    (folder / ".cache").write_text("left by a download")
    return folder


def everything_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_gguf_file_is_named_by_what_it_says_of_itself(gguf: Path, models: Path) -> None:
    model = add_model(gguf, [Role.SUMMARY], folder=models)
    assert (model.name, model.licence, model.format, model.architecture) == ("Tiny Random", "CC0-1.0", "gguf", "llama")
    assert (model.context_tokens, model.has_chat_template) == (2048, True)
    assert model.weights_sha256 == file_sha256(gguf)
    assert model.weights_path.read_bytes() == gguf.read_bytes()
    assert model_for(Role.SUMMARY, models) == model
    assert not list(verify_models(models))


def test_the_model_added_last_serves_a_role_until_it_is_removed(gguf: Path, models: Path, tmp_path: Path) -> None:
    add_model(gguf, [Role.SUMMARY, Role.EXPAND], folder=models)
    other = write_tiny_gguf(tmp_path / "other.gguf", seed=1, name="Other")
    add_model(other, [Role.SUMMARY], folder=models)
    assert default_names(models) == {Role.SUMMARY: "Other", Role.EXPAND: "Tiny Random"}
    add_model(gguf, [Role.SUMMARY], folder=models)
    assert default_names(models)[Role.SUMMARY] == "Tiny Random"
    remove_model("Tiny Random", models)
    assert default_names(models) == {Role.SUMMARY: "Other"}
    left = everything_in(models) - {"writer.lock"}  # which Windows removes with the lock
    assert left == {"manifest.toml", f"store/{file_sha256(other)[:16]}/other.gguf"}


def test_a_model_can_be_renamed_but_not_to_the_name_of_another(gguf: Path, models: Path, tmp_path: Path) -> None:
    add_model(gguf, [Role.SUMMARY], folder=models)
    add_model(gguf, [Role.SUMMARY], name="Ours", folder=models)
    assert default_names(models) == {Role.SUMMARY: "Ours"}
    other = write_tiny_gguf(tmp_path / "other.gguf", seed=1)
    with pytest.raises(UsageError, match="another model with the name Ours"):
        add_model(other, [Role.SUMMARY], name="Ours", folder=models)
    assert [model.name for model in installed_models(models)] == ["Ours"]


def test_adding_again_mends_damaged_files(gguf: Path, models: Path) -> None:
    model = add_model(gguf, [Role.SUMMARY], folder=models)
    model.weights_path.write_bytes(b"spoilt")
    (finding,) = verify_models(models)
    assert (finding.where, "SHA-256 differs" in finding.problem) == ("model Tiny Random", True)
    add_model(gguf, [Role.SUMMARY], folder=models)
    assert not list(verify_models(models))


def test_a_file_with_another_digest_than_expected_is_refused(gguf: Path, models: Path) -> None:
    add_model(gguf, [Role.SUMMARY], sha256=file_sha256(gguf).upper(), folder=models)
    before = everything_in(models)
    with pytest.raises(ModelError, match="SHA-256 differs") as caught:
        add_model(gguf, [Role.EXPAND], sha256="0" * 64, folder=models)
    assert caught.value.exit_code == ExitCode.MODEL
    assert everything_in(models) == before


def test_a_folder_is_copied_whole_but_for_hidden_files(models: Path, tmp_path: Path) -> None:
    model = add_model(encoder_folder(tmp_path / "ours"), [Role.ENCODER], licence="MIT", folder=models)
    assert (model.name, model.architecture, model.context_tokens, model.licence) == ("ours", "BertModel", 512, "MIT")
    assert {file.path for file in model.files} == {
        "model.safetensors", "config.json", "modules.json", "tokenizer.json", "1_Pooling/config.json"
    }  # fmt: skip
    (Path(model.folder) / "modules.json").write_text("[1]")
    assert [finding.where for finding in verify_models(models)] == ["model ours"]


def test_an_encoder_that_was_added_is_chosen_by_its_name(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(models))
    model = add_model(encoder_folder(tmp_path / "ours"), [Role.ENCODER])
    assert find_source(Settings(encoder="ours")).folder == Path(model.folder)
    (Path(model.folder) / "tokenizer.json").write_text('{"other": 1}')
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        find_source(Settings(encoder="ours"))


def test_a_model_that_sees_is_added_with_what_it_sees_by(gguf: Path, models: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    shutil.copy(gguf, folder / "reader.gguf")
    writer = GGUFWriter(folder / "a-projector.gguf", "clip")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    model = add_model(folder, [Role.OCR], folder=models)
    assert (model.weights, model.architecture, len(model.files)) == ("reader.gguf", "llama", 2)
    with pytest.raises(ModelError, match="one GGUF file"):
        add_model(folder, [Role.SUMMARY], folder=models)


def write_pickle(path: Path) -> None:
    path.write_bytes(pickle.dumps({"weight": 1}))


def write_zipped_pickle(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(1))


@pytest.mark.parametrize(
    ("name", "write", "why"),
    [
        ("pytorch_model.bin", lambda path: path.write_bytes(b"x"), "pickle"),
        ("weights.dat", write_pickle, "pickle"),
        ("weights.zip", write_zipped_pickle, "pickle"),
        ("modeling_ours.py", lambda path: path.write_text("import os"), "program"),
        pytest.param("outside.json", lambda path: path.symlink_to("/etc/hostname"), "link", marks=links),
    ],
)
def test_what_could_run_code_or_leads_elsewhere_is_refused(
    models: Path, tmp_path: Path, name: str, write: Any, why: str
) -> None:
    folder = encoder_folder(tmp_path / "ours")
    write(folder / name)
    with pytest.raises(ModelError, match=why):
        add_model(folder, [Role.ENCODER], folder=models)
    assert not models.exists()


@pytest.mark.parametrize(
    ("role", "options", "why"),
    [
        (Role.SUMMARY, {"chat_template": None}, "no chat template"),
        (Role.ENCODER, {}, "no encoder"),
    ],
)
def test_a_model_that_does_not_suit_its_role_is_refused(
    models: Path, tmp_path: Path, role: Role, options: dict[str, Any], why: str
) -> None:
    with pytest.raises(ModelError, match=why):
        add_model(write_tiny_gguf(tmp_path / "m.gguf", **options), [role], folder=models)


@pytest.mark.parametrize("content", [b"", b"<html>not found</html>"])
def test_what_is_no_model_is_refused(models: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.gguf"):
        add_model(file, [Role.SUMMARY], folder=models)


@pytest.mark.parametrize("kept", [0.2, 0.999])
def test_a_model_that_was_cut_off_on_the_way_is_refused(models: Path, tmp_path: Path, gguf: Path, kept: float) -> None:
    content = gguf.read_bytes()
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(content[: int(len(content) * kept)])
    with pytest.raises(ModelError, match="damaged or cut off"):
        add_model(cut, [Role.SUMMARY], folder=models)
    folder = encoder_folder(tmp_path / "ours")
    weights = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(weights[: int(len(weights) * kept)])
    with pytest.raises(ModelError, match="damaged or cut off"):
        add_model(folder, [Role.ENCODER], folder=models)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, 255)), min_size=1, max_size=5))
def test_a_garbled_header_is_read_or_refused_and_nothing_else(
    gguf: Path, tmp_path: Path, changes: list[tuple[int, int]]
) -> None:
    content = bytearray(gguf.read_bytes())
    for place, value in changes:
        content[place % 300 if value % 2 else place] = value  # half of them where the lengths and types are
    garbled = tmp_path / "garbled.gguf"
    garbled.write_bytes(content)
    try:
        header = read_gguf(garbled)
    except ModelError:
        return
    assert isinstance(header.architecture, str)
    assert header.memory_bytes(4096) > 0


def test_a_copy_tells_how_far_it_is_and_leaves_nothing_when_it_is_cancelled(gguf: Path, models: Path) -> None:
    cancel = CancelToken()
    told: list[Progress] = []

    def report(progress: Progress) -> None:
        told.append(progress)
        cancel.cancel()

    add_model(gguf, [Role.SUMMARY], folder=models, reporter=report)
    assert "copying tiny.gguf" in told[-1].stage
    before = everything_in(models)
    with pytest.raises(CancelledError):
        add_model(gguf, [Role.EXPAND], folder=models, cancel=cancel)
    assert everything_in(models) == before
    assert default_names(models) == {Role.SUMMARY: "Tiny Random"}


def test_a_model_that_the_disk_has_no_room_for_is_not_begun(
    gguf: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: shutil._ntuple_diskusage(10**9, 10**9, 1_000))
    with pytest.raises(NoSpaceError) as caught:
        add_model(gguf, [Role.SUMMARY], folder=models)
    assert "BRIEFBANK_MODELS" in caught.value.advice


KILLED = """
import os, sys
from pathlib import Path
from briefbank.models.installed import Role, adding
put = getattr(adding, sys.argv[3])
setattr(adding, sys.argv[3], lambda *arguments: os._exit(9))
adding.add_model(Path(sys.argv[1]), [Role.EXPAND], folder=Path(sys.argv[2]))
"""


@pytest.mark.parametrize("moment", ["_put", "write_models", "_copy_file"])
def test_an_addition_that_is_killed_leaves_the_models_as_they_were(
    gguf: Path, models: Path, tmp_path: Path, moment: str
) -> None:
    add_model(gguf, [Role.SUMMARY], folder=models)
    before = everything_in(models)
    other = write_tiny_gguf(tmp_path / "other.gguf", seed=1, name="Other")
    done = subprocess.run([sys.executable, "-c", KILLED, other, models, moment], check=False)
    assert done.returncode == 9
    assert [model.name for model in installed_models(models)] == ["Tiny Random"]
    assert not list(verify_models(models))
    add_model(gguf, [Role.SUMMARY], folder=models)
    assert everything_in(models) - {"writer.owner"} == before - {"writer.owner"}


def test_only_one_program_changes_the_models_at_a_time(gguf: Path, models: Path) -> None:
    with changing(models), pytest.raises(BankInUseError, match="models folder"):
        add_model(gguf, [Role.SUMMARY], folder=models)


@pytest.mark.parametrize("text", ["[[model]", "format = 99"])
def test_a_manifest_that_cannot_be_understood_is_a_finding(models: Path, text: str) -> None:
    models.mkdir()
    (models / "manifest.toml").write_text(text)
    with pytest.raises(ModelError, match=r"manifest\.toml"):
        installed_models(models)
    assert [finding.where for finding in verify_models(models)] == ["models"]


def test_the_command_line_adds_lists_verifies_and_removes(
    briefbank: Any, gguf: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(models))
    assert "No model was added" in briefbank("models", "list").out
    added = briefbank("models", "add", gguf, "--role", "summary", "--role", "expand", "--quiet")
    assert (added.code, "used for: summary, expand" in added.out) == (0, True)
    (listed,) = json.loads(briefbank("models", "list", "--json").out)["added"]
    assert (listed["name"], listed["in_use_for"], listed["sha256"]) == (
        "Tiny Random", ["summary", "expand"], file_sha256(gguf)
    )  # fmt: skip
    assert "summary (in use)" in briefbank("models", "list").out
    assert briefbank("models", "verify").code == 0
    model_for(Role.SUMMARY).weights_path.write_bytes(b"spoilt")  # type: ignore[union-attr]
    verified = briefbank("models", "verify", "--json")
    assert (verified.code, len(json.loads(verified.out)["findings"])) == (9, 1)
    assert briefbank("models", "remove", "Tiny Random", "--json").code == 0
    assert briefbank("models", "remove", "Tiny Random").code == 2
    assert briefbank("models", "add", os.devnull, "--role", "summary").code == 2
