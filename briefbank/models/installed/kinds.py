"""What a file or folder that somebody offers as a model is, and what it can be used for.

Nothing of it is run: weights come as GGUF or safetensors, which hold numbers, or as ONNX that BriefBank wrote; pickles
and Python files, which can hold programs, are refused.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from briefbank.errors import ModelError
from briefbank.models.installed.folder import Role
from briefbank.models.installed.gguf import read_gguf
from briefbank.models.installed.shipped import verify_file

CROSS_ENCODER_CARD = "cross_encoder.json"
"""What BriefBank writes beside the ONNX form of a cross-encoder: what that is, and the SHA-256 of its files."""
_PICKLES = {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib"}
_PROGRAMS = {".py", ".pyc", ".so", ".dll", ".exe", ".sh", ".bat", ".ps1"}
_WRITERS = frozenset({Role.SUMMARY, Role.EXPAND, Role.SEGMENT, Role.RERANK, Role.EXTRACT})
_PROJECTOR = "clip"
_MOST_HEADER_BYTES = 100_000_000
_INSTRUCT = "Take a model that was made to follow instructions ('instruct' or 'chat' in its name), as one GGUF file."
_COPY_AGAIN = "Copy it again from where it came."
_RANKERS = (
    "Take a cross-encoder, a folder with config.json (…ForSequenceClassification, one label; or with modules.json, as "
    "sentence-transformers saves its CrossEncoder), tokenizer.json and model.safetensors; or a language model that "
    "follows instructions, as one GGUF file."
)
_PLAIN = "Take one that sentence-transformers loads without trust_remote_code; see models/README.md for which suit."


@dataclass(frozen=True, slots=True)
class ModelKind:
    """What a model says of itself; `weights` is its (first) weights file. `is_ranker`: it is made to score a text for
    another one.
    """

    format: str
    weights: Path
    architecture: str
    context_tokens: int
    has_chat_template: bool = False
    name: str = ""
    licence: str = ""
    is_ranker: bool = False


def kind_of(files: Sequence[Path], roles: Collection[Role]) -> ModelKind:
    """Find out what these files are, and that they suit the roles.

    Raises:
        ModelError: they are no model, not one for these roles, damaged, or could run code.
    """
    for file in files:
        _refuse_programs(file)
    ggufs = [file for file in files if file.suffix.lower() == ".gguf"]
    tensors = [file for file in files if file.suffix.lower() == ".safetensors"]
    cards = [file for file in files if file.name == CROSS_ENCODER_CARD]
    if not ggufs and not tensors and not cards:
        advice = "Models come as .gguf, or as a folder with .safetensors and config.json."
        raise ModelError(f"{files[0].name if files else 'This'} is no model.", advice)
    if ggufs:
        kind = _gguf_kind(ggufs)
    elif cards:
        kind = _onnx_kind(cards[0])
    else:
        kind = _safetensors_kind(tensors, _by_name(files))
        if Role.RERANK in roles:
            _refuse_own_code(files)
    _require_fit(kind, roles, {file.name for file in files}, len(ggufs))
    return kind


def _refuse_programs(file: Path) -> None:
    suffix = file.suffix.lower()
    if suffix in _PROGRAMS:
        raise ModelError(f"{file.name} is a program, which a model must not bring along.", "Take a model without it.")
    if suffix in _PICKLES or _is_pickle(file):
        advice = "Take the model as .safetensors or .gguf; delete the other form from the folder if it has both."
        raise ModelError(f"{file.name} is a pickle: loading it could run code.", advice)


def _by_name(files: Sequence[Path]) -> dict[str, Path]:
    """Files by their names; of one name the one that lies highest, since a folder's parts have configurations too."""
    return {file.name: file for file in sorted(files, key=lambda each: (len(each.parts), each), reverse=True)}


def _refuse_own_code(files: Sequence[Path]) -> None:
    """Refuse what only code of its makers computes. sentence-transformers would build another model of a like name in
    its place, or another activation, and nobody would see that its scores are wrong.
    """
    named: list[str] = []
    for file in (file for file in files if file.suffix == ".json"):
        fields = _parsed(file)
        if file.name == "modules.json" and isinstance(fields, list):
            kinds = [str(each.get("type")) for each in fields if isinstance(each, dict)]
            named += [kind for kind in kinds if not kind.startswith("sentence_transformers.")]
        elif file.name in ("config.json", "tokenizer_config.json") and isinstance(fields, dict):
            named += ["auto_map"] if fields.get("auto_map") else []
            activation = str(fields.get("activation_function"))  # of a layer between the network and the score
            named += [activation] if "." in activation and not activation.startswith("torch.") else []
        if named:
            raise ModelError(f"The model needs code of its own, which is not run: {named[0]} in {file.name}.", _PLAIN)


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


def _gguf_kind(files: Sequence[Path]) -> ModelKind:
    """The language model among GGUF files; beside it there may be what lets it see pictures."""
    headers = {file: read_gguf(file) for file in files}
    weights = [file for file in files if headers[file].architecture != _PROJECTOR] or list(files)
    header = headers[weights[0]]
    return ModelKind(
        "gguf", weights[0], header.architecture, header.context_tokens, header.has_chat_template, header.name,
        header.licence,
    )  # fmt: skip


def _safetensors_kind(tensors: Sequence[Path], files: dict[str, Path]) -> ModelKind:
    for file in tensors:
        _require_whole_safetensors(file)
    config = _json(files, "config.json")
    if not config:
        raise ModelError("There is no config.json beside the weights.", "Add the model's whole folder.")
    names = config.get("architectures") or [config.get("model_type", "")]
    context = config.get("max_position_embeddings", 0)
    template = "chat_template.jinja" in files or bool(_json(files, "tokenizer_config.json").get("chat_template"))
    architecture, context = str(names[0]), context if isinstance(context, int) else 0
    labels = config.get("id2label")
    label_count = len(labels) if isinstance(labels, dict) else config.get("num_labels")
    if architecture.endswith("ForSequenceClassification"):
        is_ranker = label_count == 1
    else:  # the network alone, its score worked out by modules beside it; how many scores is known once it is loaded
        is_modular = _json(files, "config_sentence_transformers.json").get("model_type") == "CrossEncoder"
        is_ranker = is_modular and not architecture.endswith("ForCausalLM")
    is_ranker = is_ranker and "tokenizer.json" in files
    weights = files.get("model.safetensors", tensors[0])
    return ModelKind("safetensors", weights, architecture, context, template, is_ranker=is_ranker)


def _onnx_kind(card: Path) -> ModelKind:
    """The cross-encoder that BriefBank wrote as ONNX elsewhere, its files as its card says."""
    fields = _json({card.name: card}, card.name)
    try:
        for name in ("model.onnx", "tokenizer.json"):
            verify_file(card.parent / name, fields["files"][name])
        return ModelKind("onnx", card.parent / "model.onnx", fields["architecture"], fields["window"], is_ranker=True)
    except (KeyError, TypeError) as error:
        raise ModelError(f"{card.name} is damaged.", _COPY_AGAIN) from error
    except ModelError as error:
        raise ModelError(error.message, _COPY_AGAIN) from error


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
    value = _parsed(files[name]) if name in files else {}
    return value if isinstance(value, dict) else {}


def _parsed(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{file.name} is no JSON.", _COPY_AGAIN) from error


def _require_fit(kind: ModelKind, roles: Collection[Role], names: Collection[str], gguf_count: int) -> None:
    """Refuse a model for a role that it cannot fill."""
    if kind.format == "onnx" or (Role.RERANK in roles and kind.format != "gguf"):
        if not kind.is_ranker:
            raise ModelError(f"This is no model that ranks: {kind.architecture}.", _RANKERS)
        if set(roles) != {Role.RERANK}:
            raise ModelError("A cross-encoder ranks and does nothing else.", "Add it with --role rerank alone.")
        return
    writes = _WRITERS.intersection(roles)
    if writes and (kind.format != "gguf" or gguf_count > 1):
        raise ModelError("A language model must be one GGUF file.", _INSTRUCT)
    if writes and not (kind.has_chat_template and kind.context_tokens):
        raise ModelError("The model has no chat template: it was not made to follow instructions.", _INSTRUCT)
    if Role.ENCODER in roles and not {"modules.json", "tokenizer.json"} <= set(names):
        advice = "Add a folder that sentence-transformers saved, with modules.json, tokenizer.json and .safetensors."
        raise ModelError("This is no encoder.", advice)
