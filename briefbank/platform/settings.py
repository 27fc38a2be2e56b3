"""Every setting once: name, type, limits, default, help, when it takes effect. Kept in the `[settings]` table of a
bank's `bank.toml`.

Must not know what the settings are used for. Unknown keys and values out of range are refused, so that a misspelt key
never passes for a default; only names that earlier versions knew are passed over.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
import tomli_w
from msgspec import Meta

from briefbank.defaults import WEAK_BELOW
from briefbank.errors import SettingsError
from briefbank.platform.files import TABLE_BYTES, parse_toml, read_bounded, write_atomic


class Effect(StrEnum):
    """When a changed setting takes effect, in words for people."""

    NEXT_FILES = "For files read from the next index run on."
    ALL_FILES = "At the next index run, which then reads every file again."
    NEXT_SEARCH = "From the next search on."
    NEXT_ANSWER = "When BriefBank is started again."


_ALL_FILES = {"effect": Effect.ALL_FILES}
_NEXT_SEARCH = {"effect": Effect.NEXT_SEARCH}
_NEXT_ANSWER = {"effect": Effect.NEXT_ANSWER}


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings with their defaults."""

    workers: Annotated[
        int, Meta(title="Processes", ge=0, le=256, description="Processes that read files; 0 means one per core.")
    ] = 0
    read_timeout_s: Annotated[
        float, Meta(title="Reading time", ge=1, description="Seconds after which reading a file is given up.")
    ] = 50.0
    read_memory_bytes: Annotated[
        int, Meta(title="Reading memory", ge=200_000_000, description="Memory that reading one file may take.")
    ] = 1_800_000_000
    settle_s: Annotated[
        float,
        Meta(
            title="Settling time",
            ge=0,
            le=3_600,
            description="Seconds that a file must have stayed the same before it is read.",
        ),
    ] = 5.0
    max_file_bytes: Annotated[
        int, Meta(title="Largest file", ge=1_000, description="Size above which a file is not read.")
    ] = 1_000_000_000
    max_pages: Annotated[int, Meta(title="Longest file", ge=1, description="Pages above which a file is not read.")] = (
        5_000
    )
    ocr_dpi: Annotated[
        int, Meta(title="OCR resolution", ge=100, le=600, description="Resolution of pages rendered for OCR.")
    ] = 300
    ocr_language: Annotated[
        str, Meta(title="OCR languages", description="Tesseract language code, or several joined by '+'.")
    ] = "eng"
    ocr_page_timeout_s: Annotated[
        float, Meta(title="OCR time per page", ge=1, description="Seconds after which OCR of one page stops.")
    ] = 50.0
    ocr_server: Annotated[
        str,
        Meta(
            title="OCR server",
            description="Address of an olmOCR server in the office, as http://ADDRESS:PORT/v1; empty: Tesseract alone.",
        ),
    ] = ""
    ocr_server_model: Annotated[
        str, Meta(title="OCR server's model", description="Model to ask for; empty: the one the server names first.")
    ] = ""
    ocr_server_pages: Annotated[
        int,
        Meta(title="OCR server's pages", ge=1, le=256, description="Pages that the OCR server is given at a time."),
    ] = 8
    ocr_server_timeout_s: Annotated[
        float,
        Meta(title="OCR server's time", ge=1, description="Seconds after which its answer is given up."),
    ] = 120.0
    weak_below: Annotated[
        float,
        Meta(
            title="Weak matches",
            ge=0,
            le=1,
            description="Strength below which a match is left out as too weak; 0 leaves none out.",
            extra=_NEXT_SEARCH,
        ),
    ] = WEAK_BELOW
    expansion_share: Annotated[
        float,
        Meta(
            title="Rewording questions",
            ge=0,
            le=1,
            description="How much a language model's rewording of a question counts in the search by meaning, against "
            "the question itself; 0: off.",
            extra=_NEXT_SEARCH,
        ),
    ] = 0.0
    expansion_time_s: Annotated[
        float,
        Meta(
            title="Rewording time",
            ge=0.1,
            description="Seconds after which a search goes on without the language model's rewording.",
            extra=_NEXT_SEARCH,
        ),
    ] = 10.0
    reranked_results: Annotated[
        int,
        Meta(
            title="Results reranked",
            ge=0,
            le=50,
            description="Best results that are put in order by what was learned from your office's judgements; 0: off.",
            extra=_NEXT_SEARCH,
        ),
    ] = 10
    graded_results: Annotated[
        int,
        Meta(
            title="Results graded",
            ge=0,
            le=50,
            description="Best results that the model added for role 'rerank' reads and puts in order; 0: off.",
            extra=_NEXT_SEARCH,
        ),
    ] = 0
    grading_time_s: Annotated[
        float,
        Meta(
            title="Grading time",
            ge=0.1,
            description="Seconds after which results that are not graded keep their order.",
            extra=_NEXT_SEARCH,
        ),
    ] = 20.0
    segmenter: Annotated[
        str,
        Meta(
            title="Ends of passages",
            pattern="^(embedding|model)$",
            description="What tells where a passage ends: 'embedding' (the encoder) or 'model' (a language model).",
            extra=_ALL_FILES,
        ),
    ] = "embedding"
    encoder: Annotated[
        str,
        Meta(
            title="Encoder",
            description="Model that the search by meaning uses: a folder in the sentence-transformers format, or the "
            "name of an added one; empty: the one that BriefBank brings.",
            extra=_ALL_FILES,
        ),
    ] = ""
    llm_context_tokens: Annotated[
        int,
        Meta(
            title="Text for the language model",
            ge=512,
            le=131_072,
            description="How much text a language model is given at once, in tokens (four are about three words). More "
            "takes more memory; what the model was not made for is not given to it.",
            extra=_NEXT_ANSWER,
        ),
    ] = 8_192
    llm_time_limit_s: Annotated[
        float,
        Meta(
            title="Time for the language model",
            ge=1,
            description="Seconds after which a language model's answer is given up.",
            extra=_NEXT_ANSWER,
        ),
    ] = 300.0
    llm_idle_s: Annotated[
        float,
        Meta(
            title="Idle language model",
            ge=1,
            description="Seconds without a request after which a language model's memory is given back.",
            extra=_NEXT_ANSWER,
        ),
    ] = 300.0
    # What only an evaluation may vary; ranks of a bank follow what was measured, or what it learned.
    dense_weight: Annotated[float, Meta(ge=0, le=1)] = 0.6
    """How much meaning counts against words: 0 words alone, 1 meaning alone. Measured: docs/evaluation.md, "Fusion"."""
    candidate_depth: Annotated[int, Meta(ge=10, le=10_000)] = 200
    """Passages that the search by words and the search by meaning each put forward for ranking."""


EVALUATED = ("dense_weight", "candidate_depth")
"""Settings that a bank does not have, and that `briefbank evaluate --settings` may vary."""
RETIRED = (*EVALUATED, "passage_words", "passage_words_min", "passage_words_max")
"""Names that earlier versions knew. A bank that holds one opens as if it did not; `status` and `check` say so."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it is offered for changing; `minimum` and `maximum` are None where there is no limit."""

    name: str
    title: str
    type: type[int | float | str]
    default: int | float | str
    help: str
    minimum: float | None
    maximum: float | None
    effect: Effect


def all_settings() -> tuple[Setting, ...]:
    """Return every setting that a bank may have, in the order of the table."""
    hints = get_type_hints(Settings, include_extras=True)
    return tuple(_described(name, *get_args(hints[name])) for name in Settings.__struct_fields__ if name not in RETIRED)


def _described(name: str, kind: type[int | float | str], meta: Meta) -> Setting:
    extra: dict[str, Any] = meta.extra or {}
    effect = extra.get("effect", Effect.NEXT_FILES)
    return Setting(
        name, meta.title or name, kind, getattr(Settings(), name), meta.description or "", meta.ge, meta.le, effect
    )


def parse_settings(table: Mapping[str, object], origin: str, *, for_evaluation: bool = False) -> Settings:
    """Build settings from a TOML table; `origin` names the file in errors.

    Names of `RETIRED` are passed over; those of `EVALUATED` count `for_evaluation`.

    Raises:
        SettingsError: a key is unknown, or a value has the wrong type or is out of range.
    """
    ignored = set(RETIRED).difference(EVALUATED if for_evaluation else ())
    try:
        return msgspec.convert({name: value for name, value in table.items() if name not in ignored}, Settings)
    except msgspec.ValidationError as error:
        known = ", ".join(name for name in Settings.__struct_fields__ if name not in ignored)
        raise SettingsError(f"{origin}: {error}.", f"Mend that line. Known settings are: {known}.") from error


def read_settings(path: Path, *, for_evaluation: bool = False) -> Settings:
    """Read a TOML file with a `[settings]` table; a missing file or table gives the defaults.

    Raises:
        SettingsError: the file is not TOML, or as `parse_settings`.
    """
    return parse_settings(_tables(path).get("settings", {}), str(path), for_evaluation=for_evaluation)


def retired_settings(path: Path) -> tuple[str, ...]:
    """Return the names of `RETIRED` that a TOML file's `[settings]` holds. Raises SettingsError as `read_settings`."""
    return tuple(name for name in _tables(path).get("settings", {}) if name in RETIRED)


def change_settings(path: Path, changes: Mapping[str, int | float | str | None]) -> Settings:
    """Write changed settings into a TOML file and return what it says then; None gives a setting its default back.

    Whatever else the file holds is kept, but for comments and retired settings. The file is replaced in one step.

    Raises:
        SettingsError: a change is refused, or the file cannot be understood or written; it is left as it was.
    """
    tables = _tables(path)
    kept = {name: value for name, value in tables.get("settings", {}).items() if name not in RETIRED}
    table = {name: value for name, value in {**kept, **changes}.items() if value is not None}
    if retired := table.keys() & set(RETIRED):
        raise SettingsError(f"{min(retired)} is no setting of a bank any more.", "Leave it out.")
    settings = parse_settings(table, str(path))
    try:
        write_atomic(path, tomli_w.dumps({**tables, "settings": table}).encode())
    except OSError as error:
        advice = "See that the disk has space and that you may write to it."
        raise SettingsError(f"{path} cannot be written: {error.strerror}.", advice) from error
    return settings


def _tables(path: Path) -> dict[str, Any]:
    """The tables of a TOML file; none where there is no file."""
    try:
        tables = parse_toml(read_bounded(path, TABLE_BYTES).decode())
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}.", "Mend the line it names.") from error
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.", "Put a readable file in its place.") from error
    if not isinstance(tables.get("settings", {}), dict):
        raise SettingsError(f"{path}: settings is not a table.", "Write [settings] on a line of its own.")
    return tables


def worker_count(settings: Settings) -> int:
    """Return how many processes to use: the setting, or as many as there are cores for this process."""
    return settings.workers or core_count()


def core_count() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
