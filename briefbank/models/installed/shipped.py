"""The models that BriefBank knows by name, where each lies, and whether it is the file that its digest names."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

import msgspec

from briefbank.errors import ModelError
from briefbank.platform.files import parse_toml, sha256_once

_HERE = Path(__file__).resolve().parents[2]
_MANIFEST_PLACES = (_HERE / "manifest.toml", _HERE.parent / "models" / "manifest.toml")
"""In an installed package the manifest lies beside the package's modules, in the source tree in `models/`."""

_REINSTALL = "Install BriefBank again from its bundle, or have IT restore the model's files."


class ModelEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One model of the manifest. `sha256` is that of the file `weights`; `window` counts tokens."""

    name: str
    role: str
    licence: str
    folder: str
    weights: str
    sha256: str
    dimension: int
    window: int
    package: str = ""
    module: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""


class _Manifest(msgspec.Struct, frozen=True):
    model: tuple[ModelEntry, ...] = ()


def read_manifest(path: Path | None = None) -> tuple[ModelEntry, ...]:
    """Read `manifest.toml`; without a path, the one that BriefBank ships.

    Raises:
        ModelError: the file is missing or malformed.
    """
    path = path or next((place for place in _MANIFEST_PLACES if place.is_file()), _MANIFEST_PLACES[0])
    try:
        return msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), _Manifest).model
    except FileNotFoundError as error:
        raise ModelError(f"The list of models is missing: {path}", _REINSTALL) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise ModelError(f"{path} cannot be understood: {error}.", _REINSTALL) from error


def model_folder(entry: ModelEntry) -> Path:
    """Where the model's files lie, their weights verified (once per process) against the manifest.

    Raises:
        ModelError: the package or folder is missing, or the weights are not those that the manifest names.
    """
    folder = Path(entry.folder)
    if entry.module:
        spec = importlib.util.find_spec(entry.module)
        if spec is None or spec.origin is None:
            raise ModelError(f"The model {entry.name} is missing: no package {entry.package}.", _REINSTALL)
        folder = Path(spec.origin).parent / entry.folder
    verify_file(folder / entry.weights, entry.sha256)
    return folder


def verify_file(path: Path, sha256: str) -> None:
    """Raise ModelError unless the file's SHA-256 is the one given."""
    if not path.is_file():
        raise ModelError(f"A model file is missing: {path}", _REINSTALL)
    if sha256_once(path) != sha256:
        raise ModelError(f"A model file is not the one expected (its SHA-256 differs): {path}", _REINSTALL)
