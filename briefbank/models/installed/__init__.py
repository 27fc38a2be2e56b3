"""Which models there are, where each lies, and whether it is the file that its digest names.

`shipped` knows those that come with BriefBank, `folder` those that a user has added. Must not know how a model is run:
nothing here imports one, and nothing is ever downloaded.
"""

from __future__ import annotations

from briefbank.models.installed.adding import add_model
from briefbank.models.installed.folder import (
    InstalledModel,
    ModelFile,
    Role,
    default_names,
    installed_models,
    model_for,
    models_folder,
    remove_model,
    verify_models,
)
from briefbank.models.installed.gguf import GgufHeader, read_gguf
from briefbank.models.installed.kinds import CROSS_ENCODER_CARD
from briefbank.models.installed.shipped import ModelEntry, model_folder, read_manifest, verify_file

__all__ = [
    "CROSS_ENCODER_CARD",
    "GgufHeader",
    "InstalledModel",
    "ModelEntry",
    "ModelFile",
    "Role",
    "add_model",
    "default_names",
    "installed_models",
    "model_folder",
    "model_for",
    "models_folder",
    "read_gguf",
    "read_manifest",
    "remove_model",
    "verify_file",
    "verify_models",
]
