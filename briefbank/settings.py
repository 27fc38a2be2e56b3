"""Every setting once: name, type, limits, default, help. Read from the `[settings]` table of a bank's `bank.toml`.

Must not know what the settings are used for. Unknown keys and values out of range are refused, so that a misspelt key
never passes for a default.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from briefbank.errors import SettingsError


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings with their defaults."""

    workers: Annotated[int, Meta(ge=0, le=256, description="Processes that read files; 0 means one per core.")] = 0
    read_timeout_s: Annotated[float, Meta(ge=1, description="Seconds after which reading a file is given up.")] = 50.0
    read_memory_bytes: Annotated[int, Meta(ge=200_000_000, description="Memory that reading one file may take.")] = (
        1_800_000_000
    )
    max_file_bytes: Annotated[int, Meta(ge=1_000, description="Size above which a file is not read.")] = 1_000_000_000
    max_pages: Annotated[int, Meta(ge=1, description="Pages above which a file is not read.")] = 5_000
    ocr_dpi: Annotated[int, Meta(ge=100, le=600, description="Resolution of pages rendered for OCR.")] = 300
    ocr_language: Annotated[str, Meta(description="Tesseract language code, or several joined by '+'.")] = "eng"
    ocr_page_timeout_s: Annotated[float, Meta(ge=1, description="Seconds after which OCR of one page stops.")] = 50.0
    passage_words: Annotated[int, Meta(ge=40, le=400, description="Words that a passage should have.")] = 150
    passage_words_min: Annotated[int, Meta(ge=1, description="Words below which a passage joins its neighbour.")] = 30
    passage_words_max: Annotated[int, Meta(ge=60, le=1_000, description="Words above which a passage is cut.")] = 350
    dense_weight: Annotated[float, Meta(ge=0, le=1, description="Share of meaning against words in ranking.")] = 0.6
    candidate_depth: Annotated[int, Meta(ge=10, le=10_000, description="Candidates per retriever for fusion.")] = 200
    encoder: Annotated[str, Meta(description="Folder of a sentence-transformers model; empty: the embedded one.")] = ""


def parse_settings(table: Mapping[str, object], origin: str) -> Settings:
    """Build settings from a TOML table; `origin` names the file in errors.

    Raises:
        SettingsError: a key is unknown, or a value has the wrong type or is out of range.
    """
    try:
        return msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        known = ", ".join(Settings.__struct_fields__)
        raise SettingsError(f"{origin}: {error}.", f"Mend that line. Known settings are: {known}.") from error


def read_settings(path: Path) -> Settings:
    """Read a TOML file with a `[settings]` table; a missing file or table gives the defaults.

    Raises:
        SettingsError: the file is not TOML, or as `parse_settings`.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}.", "Mend the file, or remove it.") from error
    return parse_settings(table.get("settings", {}), str(path))


def worker_count(settings: Settings) -> int:
    """Return how many processes to use: the setting, or as many as there are cores for this process."""
    if settings.workers:
        return settings.workers
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
