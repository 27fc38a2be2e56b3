"""Every setting once: name, type, limits, default, what it does. They stand in the table `[settings]` of `bank.toml`.

Must not know what the settings are used for. Unknown keys and values out of range are refused, so that a misspelt key
never passes for a default; only names that earlier versions knew are passed over.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from briefbank.errors import SettingsError
from briefbank.platform.files import TABLE_BYTES, parse_toml, read_bounded
from briefbank.values.defaults import MOST_GRADED, WEAK_BELOW


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings with their defaults.

    What files are read by holds from the next index run on, which reads every file again where `segmenter` or `encoder`
    changed; what searches are made by, from the next search on; `llm_…` when BriefBank is started again.
    """

    workers: Annotated[int, Meta(ge=0, le=256)] = 0
    """Processes that read files; 0 means one per core."""
    read_timeout_s: Annotated[float, Meta(ge=1)] = 50.0
    """Seconds of processor time after which a step of reading a file is given up."""
    read_memory_bytes: Annotated[int, Meta(ge=200_000_000)] = 1_800_000_000
    """Memory that reading one file may take."""
    settle_s: Annotated[float, Meta(ge=0, le=3_600)] = 5.0
    """Seconds that a file must have stayed the same before it is read."""
    max_file_bytes: Annotated[int, Meta(ge=1_000)] = 1_000_000_000
    """Size above which a file is not read."""
    max_pages: Annotated[int, Meta(ge=1)] = 5_000
    """Pages above which a file is not read."""
    ocr_dpi: Annotated[int, Meta(ge=100, le=600)] = 300
    """Resolution of pages rendered for OCR."""
    ocr_language: str = "eng"
    """Tesseract's code of a language, or several joined by '+'; what BriefBank brings is English."""
    ocr_page_timeout_s: Annotated[float, Meta(ge=1)] = 50.0
    """Seconds after which OCR of one page stops."""
    ocr_server: str = ""
    """Address of an olmOCR server in the office, as http://ADDRESS:PORT/v1; empty: Tesseract alone."""
    ocr_server_model: str = ""
    """Model to ask for; empty: the one the server names first."""
    ocr_server_timeout_s: Annotated[float, Meta(ge=1)] = 120.0
    """Seconds after which its answer is given up."""
    weak_below: Annotated[float, Meta(ge=0, le=1)] = WEAK_BELOW
    """Strength below which a match is left out as too weak; 0 leaves none out."""
    expansion_share: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """How much a language model's rewording of a question counts in the search by meaning, against the question
    itself; 0: off.
    """
    graded_results: Annotated[int, Meta(ge=0, le=MOST_GRADED)] = 0
    """Best results that the model added for role 'rerank' reads and puts in order; 0: off."""
    segmenter: Annotated[str, Meta(pattern="^(embedding|model)$")] = "embedding"
    """What tells where a passage ends: 'embedding' (the encoder) or 'model' (a language model)."""
    encoder: str = ""
    """Model that the search by meaning uses: a folder in the sentence-transformers format, or the name of an added
    one; empty: the one that BriefBank brings.
    """
    llm_context_tokens: Annotated[int, Meta(ge=512, le=131_072)] = 8_192
    """How much text a language model is given at once, in tokens (four are about three words). More takes more
    memory; what the model was not made for is not given to it.
    """
    llm_time_limit_s: Annotated[float, Meta(ge=1)] = 300.0
    """Seconds after which a language model's answer is given up."""
    # What only an evaluation may vary; ranks of a bank follow what was measured, or what it learned.
    dense_weight: Annotated[float, Meta(ge=0, le=1)] = 0.6
    """How much meaning counts against words: 0 words alone, 1 meaning alone. Measured: docs/evaluation.md, "Fusion"."""
    candidate_depth: Annotated[int, Meta(ge=10, le=10_000)] = 200
    """Passages that the search by words and the search by meaning each put forward for ranking."""
    expansion_time_s: Annotated[float, Meta(ge=0.1)] = 10.0
    """Seconds after which a search goes on without the language model's rewording. Chosen: what people wait for."""
    grading_time_s: Annotated[float, Meta(ge=0.1)] = 20.0
    """Seconds after which results that are not graded keep their order. Chosen likewise; ten passages took 0.8 to 5 s
    of one core (models/README.md, "A cross-encoder").
    """


EVALUATED = ("dense_weight", "candidate_depth", "expansion_time_s", "grading_time_s")
"""Settings that a bank does not have, and that `briefbank evaluate --settings` may vary."""
RETIRED = (
    *EVALUATED,
    *("passage_words", "passage_words_min", "passage_words_max", "reranked_results"),
    *("ocr_server_pages", "llm_idle_s", "large_from_passages"),
)
"""Names that earlier versions knew. A bank that holds one opens as if it did not; `status` and `check` say so."""


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
