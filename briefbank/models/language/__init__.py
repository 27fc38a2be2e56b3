"""The local language model: the port, llama.cpp behind it in a child process, and what it is told (prompts/)."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from briefbank.errors import ModelError
from briefbank.models.installed import Role, model_for
from briefbank.models.language.llama import LlamaCpp
from briefbank.models.language.port import LanguageModel, LanguageModelInfo
from briefbank.platform.settings import Settings

__all__ = ["LanguageModel", "load_language_model"]

IDLE_S = 300.0
"""Seconds without a request after which a model's memory is given back. Chosen: while somebody reads, they may ask."""
_WHAT_IS_OFF = {
    Role.SUMMARY: "Summaries are off",
    Role.EXPAND: "Rewording questions is off",
    Role.SEGMENT: "Segmentation by the language model is off",
    Role.RERANK: "Reranking by the language model is off",
    Role.EXTRACT: "Checklists are not read by the language model",
}


def load_language_model(role: Role, settings: Settings | None = None, folder: Path | None = None) -> LanguageModel:
    """The model that is installed for a role; `folder` is the models folder, by default the user's.

    Returns at once: the model is verified and loaded, in a process of its own, by the first request. Whoever has one
    closes it.

    Raises:
        ModelError: no model is installed for the role, or llama.cpp is not.
    """
    settings = settings or Settings()
    model = model_for(role, folder, form="gguf")
    if model is None:
        advice = f"Have IT staff install one: briefbank models add FILE --role {role}."
        raise ModelError("No language model is installed.", advice)
    if importlib.util.find_spec("llama_cpp") is None:
        advice = "Have IT staff install BriefBank with its part 'llm' (docs/operations.md)."
        raise ModelError("No language model is installed: llama.cpp is missing.", advice)
    context_tokens = min(settings.llm_context_tokens, model.context_tokens)
    info = LanguageModelInfo(model.name, model.weights_sha256, context_tokens)
    return LlamaCpp(model.weights_path, info, what_is_off=_WHAT_IS_OFF[role], idle_s=IDLE_S)
