"""The statement on AI: what the program knows of it, in the wording that the office sets (`statement.toml`).

A wording says both what holds where generated summaries were opened and what holds where none was; which of them is
taken follows from the log, so that nobody states by mistake what the log contradicts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Self

import msgspec

from briefbank.errors import SettingsError, UsageError
from briefbank.platform.files import TABLE_BYTES, parse_toml, read_bounded

PLACES = ("program", "draft", "day", "matter", "since", "summaries", "models")
_PLACE = re.compile(r"\{([^{}]*)\}")
_UNKNOWN = "Whether generated summaries were opened while this was written is not known to {program}."
_ADVICE = "Copy one from the guide (operations.md, “The statement on AI”) and change its words."
_Text = Annotated[str, msgspec.Meta(min_length=1)]


@dataclass(frozen=True, slots=True)
class SummaryUse:
    """How many generated summaries a person opened since `since`, by the models that wrote them, as their own log on
    this computer tells.

    `untold` are entries of an earlier program, which did not name the model, and made one for a brief's own words too.
    `why_unknown` is empty, or says why nothing is known.
    """

    since: date | None
    by_model: tuple[tuple[str, int], ...] = ()
    untold: int = 0
    why_unknown: str = ""

    @classmethod
    def of(cls, since: date, by_model: Mapping[str, int]) -> Self:
        """Take counts by model, "" being untold."""
        told = sorted((model, count) for model, count in by_model.items() if model)
        return cls(since, tuple(told), by_model.get("", 0))

    @property
    def count(self) -> int:
        return self.untold + sum(count for _, count in self.by_model)


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One wording; what stands in braces in its texts is one of `PLACES`."""

    name: _Text
    title: _Text
    used: _Text
    unused: _Text
    unknown: str = _UNKNOWN


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    statement: Annotated[tuple[Statement, ...], msgspec.Meta(min_length=1)]


def statements(path: Path) -> tuple[Statement, ...]:
    """Return the office's statements, the first of which is taken where none is named; where it has no file, or an
    empty one, those that come with the program.

    Raises:
        SettingsError: the file cannot be used.
    """
    try:
        text = read_bounded(path, TABLE_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        text = ""
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.", _ADVICE) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not in UTF-8.", "Save it in UTF-8.") from error
    if not text.strip():
        text = (files("briefbank.matters") / "statements.toml").read_text(encoding="utf-8")
    try:
        found = msgspec.convert(parse_toml(text), _File).statement
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise SettingsError(f"{path}: {error}.", _ADVICE) from error
    for each in found:
        _require_known_places(path, each)
    return found


def named_statement(offered: tuple[Statement, ...], name: str) -> Statement:
    """Return the statement of that name, the first one without a name. Raises UsageError where there is none."""
    found = next((each for each in offered if each.name.casefold() == name.casefold()), None) if name else offered[0]
    if found is None:
        raise UsageError(f"There is no statement “{name}”.", f"There are: {', '.join(each.name for each in offered)}.")
    return found


def worded(statement: Statement, use: SummaryUse, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return a statement's title and paragraphs; `known` holds what stands for `PLACES` but for what `use` tells."""
    models = [name for name, _ in use.by_model] + (["a model that was not recorded"] if use.untold else [])
    summaries = f"{use.count:,} summar{'y' if use.count == 1 else 'ies'}"
    since = use.since.isoformat() if use.since else ""
    values = {**known, "since": since, "summaries": summaries, "models": ", ".join(models)}
    text = statement.unknown if use.why_unknown else statement.used if use.count else statement.unused
    paragraphs = [" ".join(each.split()) for each in text.strip().split("\n\n")]
    told = (statement.title, *filter(None, paragraphs))
    return tuple(_PLACE.sub(lambda place: values[place[1]], each) for each in told)


def facts(use: SummaryUse) -> tuple[str, ...]:
    """Return what the program knows of AI, in its own words, which no office sets."""
    guard = (
        "BriefBank lets no generated text be copied, exported or put into a matter; its summaries are the only one. "
        "Where a language model chose the sentences of a checklist, these are a brief’s own words, and are not counted."
    )
    if use.why_unknown:
        return guard, f"Whether summaries were opened is not known: {use.why_unknown}."
    counted = ", ".join(f"{count:,} by {name}" for name, count in use.by_model)
    opened = f"Generated summaries opened by this user on this computer since {use.since}: {use.count:,}"
    untold = f"{use.untold:,} noted by an earlier program, which noted a brief’s own words alike" if use.untold else ""
    detail = "; ".join(filter(None, (counted, untold)))
    told = f"{opened} ({detail})" if detail else opened
    return guard, f"{told}. Of other users, computers and programs nothing is known."


def _require_known_places(path: Path, statement: Statement) -> None:
    for text in (statement.title, statement.used, statement.unused, statement.unknown):
        for each in _PLACE.findall(text):
            if each not in PLACES:
                known = ", ".join(f"{{{place}}}" for place in PLACES)
                raise SettingsError(f"{path}, “{statement.name}”: nothing stands for {{{each}}}.", f"Known: {known}.")
