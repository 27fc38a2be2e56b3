"""Which prompts a summary is asked for with, and their version: summaries are kept under it."""

from __future__ import annotations

from briefbank.models.language.prompt_text import read_prompt


def prompt_version() -> str:
    """The version of all that a summary is asked for with."""
    return ".".join(read_prompt(name).version for name in ("summary", "summary_missed"))
