"""Taking a model into the models folder: looked at, copied with its digest taken on the way, then named.

A run that is cancelled, killed or out of space leaves the folder as it was, but for a stray that the next one removes.
A cross-encoder comes with weights that only torch runs, and is kept in the form that a search runs instead.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from briefbank.errors import ModelError, NoSpaceError, SourceError, UsageError
from briefbank.models.installed.folder import (
    InstalledModel,
    Manifest,
    ModelFile,
    Role,
    changing,
    models_folder,
    read_models,
    remove_strays,
    store_folder,
    write_models,
)
from briefbank.models.installed.kinds import ModelKind, kind_of
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import file_sha256, naming, remove_tree, replace, replaced_folder, sync_tree
from briefbank.platform.progress import CancelToken, Progress, Reporter, silent, time_left

_ELSEWHERE = (
    "Add it on the machine that indexes (BriefBank with its extra 'index') and carry it over: briefbank pack --models. "
    "Or add here the folder that it then has there, in the models folder."
)
_CHUNK_BYTES = 1 << 22
_MARGIN_BYTES = 50_000_000
_ROOM_TO_CONVERT = 3
"""What bringing weights of 16 bits into another form takes on the disk for a while, as a multiple of them."""

Converter = Callable[[Path, Path], None]
"""Writes into an empty folder, the second, the form in which a search runs the cross-encoder of the first."""


def add_model(
    source: Path,
    roles: Collection[Role],
    *,
    name: str = "",
    licence: str = "",
    sha256: str = "",
    folder: Path | None = None,
    convert: Converter | None = None,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> InstalledModel:
    """Copy a file or a folder into the models folder, and have it serve the roles from now on.

    One that is there already is not copied again but given the roles. `name` and `licence` are by default what the
    model says of itself; `sha256` is what the file's digest has to be, where that is known. Without `convert`, a
    cross-encoder is only taken in the form in which this function has kept it elsewhere.

    Raises:
        ModelError: it is no model, none for these roles, damaged, could run code, or has another digest.
        SourceError: it cannot be copied.
        UsageError: nothing is there, no role is given, or another model has that name.
        NoSpaceError, CancelledError, BankInUseError: as their names say; nothing was added.
    """
    if not roles:
        raise UsageError("A model is added for something.", "Give --role.")
    folder = folder or models_folder()
    cancel = cancel or CancelToken()
    with _readable(source):
        base, files = _files_of(source)
        kind = kind_of(files, roles)
    must_convert = kind.format == "safetensors" and Role.RERANK in roles
    if must_convert and not convert:
        raise ModelError("A cross-encoder is made ready with torch, which is not installed here.", _ELSEWHERE)
    with _readable(source), changing(folder):
        manifest = read_models(folder)
        remove_strays(folder, manifest)
        total = sum(file.stat().st_size for file in files)
        _require_space(folder, total * (_ROOM_TO_CONVERT if must_convert else 1))
        staging = folder / "store" / "adding"
        with disk_guard(folder, "copying the model"):
            copied = _copy(base, files, staging, _Meter(source.name, total, reporter, cancel))
        weights = kind.weights.relative_to(base).as_posix()
        if sha256 and sha256.lower() != next(file.sha256 for file in copied if file.path == weights):
            remove_tree(staging)
            advice = "Copy it again from where it came, or see that you have the digest of this very file."
            raise ModelError(f"{source.name} is not the file expected: its SHA-256 differs.", advice)
        if convert and must_convert:
            reporter(Progress("bringing it into the form that a search runs"))
            kind, copied = _converted(staging, roles, convert)
            weights = kind.weights.name
        model = _model(source, kind, weights, copied, roles, name, licence)
        manifest, model = _with(manifest, model, renames=bool(name))
        _put(staging, store_folder(folder, model.id))
        write_models(folder, manifest)
    return msgspec.structs.replace(model, folder=str(store_folder(folder, model.id)))


@contextmanager
def _readable(source: Path) -> Iterator[None]:
    """Turn what the system says of a stick that was pulled, or a folder that may not be written, into SourceError."""
    try:
        yield
    except OSError as error:
        advice = "See that it is still connected and that you may write to the models folder, then try again."
        raise SourceError(f"{source.name} cannot be copied: {error.strerror or error}.", advice) from error


def _files_of(source: Path) -> tuple[Path, list[Path]]:
    """The folder that paths are relative to, and every file, hidden ones left out."""
    if source.is_file():
        return source.parent, [source]
    if not source.is_dir():
        raise UsageError(f"There is no file or folder {source}.", "Name the model's file or folder.")
    files = []
    for path in sorted(source.rglob("*")):
        if any(part.startswith(".") for part in path.relative_to(source).parts):
            continue
        if path.is_symlink() and not path.resolve().is_relative_to(source.resolve()):
            raise ModelError(f"{path.name} is a link to somewhere else.", "Copy the model's files themselves.")
        if path.is_file():
            files.append(path)
    return source, files


def _require_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if needed + _MARGIN_BYTES > free:
        message = f"The model takes {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free in {folder}."
        raise NoSpaceError(message, "Free some space, or point BRIEFBANK_MODELS to another disk.")


class _Meter:
    """Tells how far a copy is, and stops it when it is cancelled."""

    def __init__(self, name: str, total: int, reporter: Reporter, cancel: CancelToken) -> None:
        self._name = name
        self._total = total
        self._reporter = reporter
        self._cancel = cancel
        self._done = 0
        self._began = time.monotonic()

    def add(self, count: int) -> None:
        self._cancel.check()
        self._done += count
        elapsed = time.monotonic() - self._began
        left = time_left(elapsed, self._done, self._total)
        stage = f"copying {self._name}: {self._done / 1e6:,.0f} of {self._total / 1e6:,.0f} MB"
        self._reporter(Progress(stage, elapsed_s=elapsed, seconds_left=left))


def _copy(base: Path, files: Sequence[Path], staging: Path, meter: _Meter) -> tuple[ModelFile, ...]:
    """Copy the files and take their digests; what was copied goes again if that fails."""
    remove_tree(staging)
    try:
        copied = []
        for file in files:
            path = file.relative_to(base)
            target = staging / path
            target.parent.mkdir(parents=True, exist_ok=True)
            size, digest = _copy_file(file, target, meter.add)
            copied.append(ModelFile(path.as_posix(), size, digest))
        sync_tree(staging)
    except BaseException:
        remove_tree(staging)
        raise
    return tuple(copied)


def _next_chunk(read: BinaryIO, source: Path) -> bytes:
    with naming(source):
        return read.read(_CHUNK_BYTES)


def _copy_file(source: Path, target: Path, on_copied: Callable[[int], None]) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as read, target.open("wb") as written:
        while chunk := _next_chunk(read, source):
            written.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            on_copied(len(chunk))
        written.flush()
        os.fsync(written.fileno())
    return size, digest.hexdigest()


def _converted(staging: Path, roles: Collection[Role], convert: Converter) -> tuple[ModelKind, tuple[ModelFile, ...]]:
    """Put in place of a copied cross-encoder the form in which a search runs it; both are gone if that fails."""
    try:
        with replaced_folder(staging) as fresh:
            convert(staging, fresh)
    except BaseException:
        remove_tree(staging)
        raise
    _, files = _files_of(staging)
    made = (ModelFile(file.name, file.stat().st_size, file_sha256(file)) for file in files)
    return kind_of(files, roles), tuple(made)


def _model(
    source: Path,
    kind: ModelKind,
    weights: str,
    files: tuple[ModelFile, ...],
    roles: Collection[Role],
    name: str,
    licence: str,
) -> InstalledModel:
    digest = hashlib.sha256("\n".join(f"{file.path} {file.sha256}" for file in files).encode()).hexdigest()
    return InstalledModel(
        id=files[0].sha256 if len(files) == 1 else digest,
        name=name or kind.name or source.stem,
        roles=tuple(role for role in Role if role in roles),
        licence=licence or kind.licence or "not stated",
        format=kind.format,
        architecture=kind.architecture,
        context_tokens=kind.context_tokens,
        has_chat_template=kind.has_chat_template,
        weights=weights,
        files=files,
    )


def _with(manifest: Manifest, model: InstalledModel, *, renames: bool) -> tuple[Manifest, InstalledModel]:
    """The manifest with the model in it, and the model as it stands there: one that was there keeps its other roles."""
    before = next((each for each in manifest.model if each.id == model.id), None)
    if before:
        roles = tuple(role for role in Role if role in {*before.roles, *model.roles})
        added = msgspec.structs.replace(model, roles=roles, name=model.name if renames else before.name)
    else:
        added = model
    others = tuple(each for each in manifest.model if each is not before)
    if any(each.name == added.name for each in others):
        raise UsageError(f"There is another model with the name {added.name}.", "Give this one a --name of its own.")
    renamed = {role: name for role, name in manifest.defaults.items() if not before or name != before.name}
    kept = {role: added.name for role, name in manifest.defaults.items() if before and name == before.name}
    defaults = {**renamed, **kept, **dict.fromkeys(model.roles, added.name)}
    return Manifest(defaults=defaults, model=(*others, added)), added


def _put(staging: Path, place: Path) -> None:
    """Move a copy to its place; one that is there, and may be damaged, makes way."""
    remove_tree(place)
    replace(staging, place)
