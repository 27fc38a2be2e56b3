"""The models that a user has added: the models folder, its manifest, and what in it does what.

MODELS/manifest.toml names every model with its roles and the SHA-256 of each file; MODELS/store/ID/ holds the files,
each model once, however many roles it has.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

import msgspec
import tomli_w

from briefbank.errors import BankInUseError, ModelError, UsageError
from briefbank.models.installed.shipped import verify_file
from briefbank.platform import versions
from briefbank.platform.files import make_folder, parse_toml, remove_tree, write_atomic
from briefbank.platform.layout import own_place
from briefbank.values.state import BankFinding

_STORE = "store"
_ADD_AGAIN = "Add the model again (briefbank models add), or remove it (briefbank models remove)."


class Role(StrEnum):
    """What a model can be for."""

    SUMMARY = "summary"
    EXPAND = "expand"
    SEGMENT = "segment"
    RERANK = "rerank"
    EXTRACT = "extract"
    OCR = "ocr"
    ENCODER = "encoder"


class ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a model; `path` is relative to the model's folder, with forward slashes."""

    path: str
    bytes: int
    sha256: str


class InstalledModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model of the models folder. `id` is the digest of all of it; `weights` the path of its (first) weights file;
    `context_tokens` how long a text it was made for, 0 where it does not say; `folder` where its files lie.
    """

    id: str
    name: str
    roles: tuple[Role, ...]
    licence: str
    format: str
    architecture: str
    context_tokens: int
    has_chat_template: bool
    weights: str
    files: tuple[ModelFile, ...]
    folder: str = ""

    @property
    def weights_path(self) -> Path:
        return Path(self.folder) / self.weights

    @property
    def weights_sha256(self) -> str:
        return next(file.sha256 for file in self.files if file.path == self.weights)

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All models, and which of them serves each role."""

    format: int = versions.MODELS
    defaults: dict[Role, str] = {}
    model: tuple[InstalledModel, ...] = ()

    def default(self, role: Role, form: str = "") -> InstalledModel | None:
        """The model that serves a role: the one added for it last; if that is gone, or has another form than the one
        asked for, the last of the others.
        """
        able = [model for model in self.model if role in model.roles and form in ("", model.format)]
        named = [model for model in able if model.name == self.defaults.get(role)]
        return next(reversed(named or able), None)


def models_folder() -> Path:
    """The models folder in the user's data folder, or where BRIEFBANK_MODELS points."""
    return own_place("BRIEFBANK_MODELS", "models")


def read_models(folder: Path) -> Manifest:
    """Read the manifest; a missing one names no models.

    Raises:
        ModelError: it cannot be understood, or a newer program wrote it.
    """
    path = folder / "manifest.toml"
    try:
        manifest = msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), Manifest, strict=True)
    except FileNotFoundError:
        return Manifest()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise ModelError(f"{path} cannot be understood: {error}.", "Mend the file, or add the models again.") from error
    if manifest.format > versions.MODELS:
        raise ModelError(f"{path} was written by a newer BriefBank.", "Install that BriefBank here too.")
    placed = (msgspec.structs.replace(model, folder=str(store_folder(folder, model.id))) for model in manifest.model)
    return msgspec.structs.replace(manifest, model=tuple(placed))


def write_models(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest in one step."""
    table = msgspec.to_builtins(manifest, str_keys=True)
    for model in table["model"]:
        del model["folder"]
    write_atomic(folder / "manifest.toml", tomli_w.dumps(table).encode())


def store_folder(folder: Path, model_id: str) -> Path:
    """Where the files of a model lie."""
    return folder / _STORE / model_id[:16]


@contextmanager
def changing(folder: Path) -> Iterator[None]:
    """Be the one program that changes the models folder.

    Raises:
        BankInUseError: another one is.
    """
    from briefbank.platform.lock import writer_lock  # not for a search, which only reads the manifests

    make_folder(folder)
    try:
        with writer_lock(folder / "writer.lock"):
            yield
    except BankInUseError as error:
        advice = "Wait until it has finished, then run the command again."
        raise BankInUseError("Another program is changing the models folder.", advice) from error


def installed_models(folder: Path | None = None) -> tuple[InstalledModel, ...]:
    """Every model of the models folder, in the order added. Raises ModelError as `read_models`."""
    return read_models(folder or models_folder()).model


def default_names(folder: Path | None = None) -> dict[Role, str]:
    """Which model serves each role; roles that none serves are left out."""
    manifest = read_models(folder or models_folder())
    found = {role: manifest.default(role) for role in Role}
    return {role: model.name for role, model in found.items() if model}


def model_for(role: Role, folder: Path | None = None, *, form: str = "") -> InstalledModel | None:
    """The model that serves a role, among those of a form (`gguf`, `onnx`) if one is given; its files are not verified
    here. Raises ModelError as `read_models`.
    """
    return read_models(folder or models_folder()).default(role, form)


def remove_model(name: str, folder: Path | None = None) -> None:
    """Take a model out of the manifest, then delete its files.

    Raises:
        UsageError: there is none of that name.
        BankInUseError: a program has it open (Windows), or is changing the models folder.
    """
    folder = folder or models_folder()
    with changing(folder):
        manifest = read_models(folder)
        doomed = named_model(manifest, name)
        others = tuple(model for model in manifest.model if model is not doomed)
        defaults = {role: default for role, default in manifest.defaults.items() if default != name}
        write_models(folder, Manifest(defaults=defaults, model=others))
        try:
            remove_tree(Path(doomed.folder))
        except OSError as error:
            advice = "It is no longer used. Close BriefBank's windows and add or remove any model: that tidies up."
            raise BankInUseError(f"The files of {name} are in use and stay for now.", advice) from error


def named_model(manifest: Manifest, name: str) -> InstalledModel:
    """The model of that name. Raises UsageError where there is none."""
    for model in manifest.model:
        if model.name == name:
            return model
    known = ", ".join(model.name for model in manifest.model) or "none"
    raise UsageError(f"There is no model {name}.", f"Installed are: {known}.")


def remove_strays(folder: Path, manifest: Manifest) -> None:
    """Delete what a killed `add` or `remove` left behind. Holding the lock."""
    kept = {store_folder(folder, model.id) for model in manifest.model}
    store = folder / _STORE
    for stray in set(store.iterdir()) - kept if store.is_dir() else ():
        remove_tree(stray)


def verify_models(folder: Path | None = None, *, name: str = "") -> Iterator[BankFinding]:
    """Hold every file of every model (or of one) against its digest, and yield what is wrong."""
    folder = folder or models_folder()
    try:
        manifest = read_models(folder)
    except ModelError as problem:
        yield BankFinding("models", problem.message, problem.advice)
        return
    for model in (named_model(manifest, name),) if name else manifest.model:
        for file in model.files:
            try:
                verify_file(Path(model.folder) / file.path, file.sha256)
            except (ModelError, OSError) as problem:
                yield BankFinding(f"model {model.name}", str(problem), _ADD_AGAIN)
