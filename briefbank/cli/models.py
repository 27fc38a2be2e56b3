"""`briefbank models`: which models are on this machine, and what each is for. Downloads nothing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_json
from briefbank.errors import ExitCode

if TYPE_CHECKING:
    from briefbank.models.installed import InstalledModel

_ROLES = ("summary", "expand", "segment", "rerank", "extract", "ocr", "encoder")
"""Those of `models.installed.Role`, whose import would slow every verb down."""


def register(verbs: Any) -> None:
    """Add the verb and what can be done with models."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "models",
        help="list, add, verify and remove models",
        description="Which models this machine has, and what each is for. Nothing is downloaded. "
        "Each ACTION takes --json.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _register_add(actions)
    listing = actions.add_parser("list", help="which models there are")
    verify = actions.add_parser("verify", help="hold every file against its SHA-256")
    remove = actions.add_parser("remove", help="delete a model that was added")
    remove.add_argument("name", metavar="NAME")
    for action, run in ((listing, _list), (verify, _verify), (remove, _remove)):
        action.add_argument(
            "--models", type=Path, metavar="DIR", help="the models folder (default: BRIEFBANK_MODELS, else your own)"
        )
        add_json(action)
        action.set_defaults(run=run)


def _register_add(actions: Any) -> None:
    add: argparse.ArgumentParser = actions.add_parser(
        "add",
        help="copy a model into the models folder",
        description="Copy a model (a .gguf file, or a folder with .safetensors) into the models folder, and use it. "
        "A cross-encoder (--role rerank) is brought into the form that a search runs.",
    )
    add.add_argument("source", type=Path, metavar="FILE_OR_FOLDER")
    add.add_argument("--role", action="append", required=True, choices=_ROLES, help="what for; may be given again")
    add.add_argument("--name", default="", help="its name (default: what it calls itself)")
    add.add_argument("--licence", default="", help="its licence (default: what it says itself)")
    add.add_argument("--sha256", default="", metavar="HEX", help="refuse the file if its SHA-256 is another")
    add.add_argument(
        "--models", type=Path, metavar="DIR", help="the models folder (default: BRIEFBANK_MODELS, else your own)"
    )
    add.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_json(add)
    add.set_defaults(run=_add)


def _add(args: argparse.Namespace) -> ExitCode:
    from briefbank.models.encoders.cross_encoder import cross_encoder_converter
    from briefbank.models.installed import Role, add_model

    with long_work("step", quiet=args.quiet) as work:
        model = add_model(
            args.source,
            [Role(role) for role in args.role],
            name=args.name,
            licence=args.licence,
            sha256=args.sha256,
            folder=args.models,
            convert=cross_encoder_converter(),
            **work,
        )
    if args.json:
        output.out_json(_as_json(model, args.role))
    else:
        output.out(f"{model.name} is now used for: {', '.join(args.role)}.")
        output.out(_in_words(model))
    return ExitCode.OK


def _list(args: argparse.Namespace) -> ExitCode:
    from briefbank.models.installed import default_names, installed_models, models_folder, read_manifest

    models = installed_models(args.models)
    used = default_names(args.models)
    serves = {model.name: [role for role, name in used.items() if name == model.name] for model in models}
    if args.json:
        added = [_as_json(model, serves[model.name]) for model in models]
        output.out_json({"shipped": to_builtins(read_manifest()), "added": added})
        return ExitCode.OK
    for entry in read_manifest():
        output.out(f"{entry.name}: {entry.role}, comes with BriefBank, {entry.licence}")
    for model in models:
        roles = ", ".join(f"{role} (in use)" if role in serves[model.name] else role for role in model.roles)
        output.out(f"{model.name}: {roles}\n    {_in_words(model)}")
    if not models:
        output.out(f"No model was added yet in {args.models or models_folder()} (briefbank models add).")
    return ExitCode.OK


def _verify(args: argparse.Namespace) -> ExitCode:
    from briefbank.models.installed import verify_models

    findings = list(verify_models(args.models))
    if args.json:
        output.out_json({"findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            output.out(f"{finding.where}: {finding.problem}\n    {finding.advice}")
        if not findings:
            output.out("Every file is as it was added.")
    return ExitCode.MODEL if findings else ExitCode.OK


def _remove(args: argparse.Namespace) -> ExitCode:
    from briefbank.models.installed import remove_model

    remove_model(args.name, args.models)
    if args.json:
        output.out_json({"removed": args.name})
    else:
        output.out(f"{args.name} was removed.")
    return ExitCode.OK


def _in_words(model: InstalledModel) -> str:
    reads = f", reads {model.context_tokens} tokens" if model.context_tokens else ""
    return (
        f"{model.format}, {model.architecture}{reads}, {model.bytes / 1e6:,.0f} MB, licence {model.licence}, "
        f"SHA-256 {model.weights_sha256}"
    )


def _as_json(model: InstalledModel, serves: Sequence[str]) -> dict[str, Any]:
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(model)
    return {**fields, "sha256": model.weights_sha256, "in_use_for": list(serves)}
