"""What a file or folder that somebody offers as a model is, and what it can be used for.

Nothing of it is run: weights come as GGUF or safetensors, which hold numbers; pickles and Python files, which can hold
programs, are refused.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from briefbank.errors import ModelError
from briefbank.models.folder import Role
from briefbank.models.gguf import read_gguf

_PICKLES = {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib"}
_PROGRAMS = {".py", ".pyc", ".so", ".dll", ".exe", ".sh", ".bat", ".ps1"}
_WRITERS = frozenset({Role.SUMMARY, Role.EXPAND, Role.SEGMENT})
_PROJECTOR = "clip"
_MOST_HEADER_BYTES = 100_000_000
_INSTRUCT = "Take a model that was made to follow instructions ('instruct' or 'chat' in its name), as one GGUF file."
_COPY_AGAIN = "Copy it again from where it came."


@dataclass(frozen=True, slots=True)
class Kind:
    """What a model says of itself; `weights` is its (first) weights file."""

    format: str
    weights: Path
    architecture: str
    context_tokens: int
    has_chat_template: bool
    name: str
    licence: str


def kind_of(files: Sequence[Path], roles: Collection[Role]) -> Kind:
    """Find out what these files are, and that they suit the roles.

    Raises:
        ModelError: they are no model, not one for these roles, damaged, or could run code.
    """
    for file in files:
        _refuse_programs(file)
    ggufs = [file for file in files if file.suffix.lower() == ".gguf"]
    tensors = [file for file in files if file.suffix.lower() == ".safetensors"]
    if not ggufs and not tensors:
        advice = "Models come as .gguf, or as a folder with .safetensors and config.json."
        raise ModelError(f"{files[0].name if files else 'This'} is no model.", advice)
    kind = _gguf_kind(ggufs) if ggufs else _safetensors_kind(tensors, {file.name: file for file in files})
    _require_fit(kind, roles, {file.name for file in files}, len(ggufs))
    return kind


def _refuse_programs(file: Path) -> None:
    suffix = file.suffix.lower()
    if suffix in _PROGRAMS:
        raise ModelError(f"{file.name} is a program, which a model must not bring along.", "Take a model without it.")
    if suffix in _PICKLES or _is_pickle(file):
        advice = "Take the model as .safetensors or .gguf; delete the other form from the folder if it has both."
        raise ModelError(f"{file.name} is a pickle: loading it could run code.", advice)


def _is_pickle(file: Path) -> bool:
    with file.open("rb") as opened:
        start = opened.read(4)
    if start[:1] == b"\x80" and start[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}:
        return True
    if start != b"PK\x03\x04":
        return False
    try:
        with zipfile.ZipFile(file) as archive:
            return any(name.endswith(".pkl") for name in archive.namelist())
    except (zipfile.BadZipFile, ValueError):
        return False


def _gguf_kind(files: Sequence[Path]) -> Kind:
    """The language model among GGUF files; beside it there may be what lets it see pictures."""
    headers = {file: read_gguf(file) for file in files}
    weights = [file for file in files if headers[file].architecture != _PROJECTOR] or list(files)
    header = headers[weights[0]]
    return Kind(
        "gguf", weights[0], header.architecture, header.context_tokens, header.has_chat_template, header.name,
        header.licence,
    )  # fmt: skip


def _safetensors_kind(tensors: Sequence[Path], files: dict[str, Path]) -> Kind:
    for file in tensors:
        _require_whole_safetensors(file)
    config = _json(files, "config.json")
    if not config:
        raise ModelError("There is no config.json beside the weights.", "Add the model's whole folder.")
    names = config.get("architectures") or [config.get("model_type", "")]
    context = config.get("max_position_embeddings", 0)
    template = "chat_template.jinja" in files or bool(_json(files, "tokenizer_config.json").get("chat_template"))
    weights = files.get("model.safetensors", tensors[0])
    return Kind(
        "safetensors", weights, str(names[0]), context if isinstance(context, int) else 0, template, "", ""
    )  # fmt: skip


def _require_whole_safetensors(file: Path) -> None:
    """See that a header is there, and all the weights that it names (format: huggingface.co/docs/safetensors)."""
    size = file.stat().st_size
    with file.open("rb") as opened:
        length = int.from_bytes(opened.read(8), "little")
        header = opened.read(length) if length <= min(size, _MOST_HEADER_BYTES) else b""
    try:
        tensors = json.loads(header)
        ends = [tensor["data_offsets"][1] for name, tensor in tensors.items() if name != "__metadata__"]
        is_whole = 8 + length + max(ends, default=0) == size
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        is_whole = False
    if not is_whole:
        raise ModelError(f"{file.name} is damaged or cut off.", _COPY_AGAIN)


def _json(files: dict[str, Path], name: str) -> dict[str, Any]:
    if name not in files:
        return {}
    try:
        value = json.loads(files[name].read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{name} is no JSON.", _COPY_AGAIN) from error
    return value if isinstance(value, dict) else {}


def _require_fit(kind: Kind, roles: Collection[Role], names: Collection[str], gguf_count: int) -> None:
    """Refuse a model for a role that it cannot fill."""
    writes = _WRITERS.intersection(roles) or (Role.RERANK in roles and kind.format == "gguf")
    if writes and (kind.format != "gguf" or gguf_count > 1):
        raise ModelError("A language model must be one GGUF file.", _INSTRUCT)
    if writes and not (kind.has_chat_template and kind.context_tokens):
        raise ModelError("The model has no chat template: it was not made to follow instructions.", _INSTRUCT)
    if Role.ENCODER in roles and not {"modules.json", "tokenizer.json"} <= set(names):
        advice = "Add a folder that sentence-transformers saved, with modules.json, tokenizer.json and .safetensors."
        raise ModelError("This is no encoder.", advice)
