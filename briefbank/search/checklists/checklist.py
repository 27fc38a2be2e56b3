"""What a checklist holds, its form as a file, the lists that come with the program, and whether a language model is
there to read for them. Knows no documents.
"""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from briefbank.errors import BankNewerError, SettingsError, SourceError, UsageError
from briefbank.models.installed import Role, model_for
from briefbank.platform.files import TABLE_BYTES, parse_toml, read_bounded
from briefbank.search.checklists.presence import Evidence
from briefbank.search.profiles.keywords import Keyword, read_keywords, write_keywords
from briefbank.search.profiles.profile import without_empty
from briefbank.values.checklists import ChecklistsOffered, OfferedChecklist
from briefbank.values.records import SectionKind

FORMAT = 1
_SUFFIX = ".toml"
_MOST_ITEMS = 200
"""Items of one list; chosen far above what anybody reads."""


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """One thing that is looked for. `definition` tells a language model, and people, what counts as it; `sections` are
    the parts of a brief that it is looked for in, all but tables and captions where there are none; `profile` is the
    name of a profile of the bank, whose samples and keywords are used with the item's own. `evidence` is what was
    fitted to judged documents, None where nothing was.
    """

    name: str
    question: str = ""
    definition: str = ""
    keywords: tuple[Keyword, ...] = ()
    sections: tuple[SectionKind, ...] = ()
    profile: str = ""
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Checklist:
    """A list of items under a name. `encoder` is the digest of the encoder that evidence was fitted with: another one's
    cosines mean something else.
    """

    name: str
    items: tuple[ChecklistItem, ...]
    description: str = ""
    encoder: str = ""


class _Item(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: str
    question: str = ""
    definition: str = ""
    keywords: str = ""
    sections: list[SectionKind] = []
    profile: str = ""
    evidence: Evidence | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The tables of a file; `sections` are those of every item that names none."""

    name: str
    item: list[_Item]
    sections: list[SectionKind] = []
    format: int = FORMAT
    description: str = ""
    encoder: str = ""


def bundled() -> dict[str, Checklist]:
    """Return the lists that come with the program, by the name that `named` takes."""
    folder = files("briefbank.search.checklists").joinpath("lists")
    found = sorted((each.name.removesuffix(_SUFFIX), each) for each in folder.iterdir() if each.name.endswith(_SUFFIX))
    return {name: read_checklist(each.read_bytes(), name) for name, each in found}


def named(name: str) -> Checklist:
    """Return the list that comes with the program under a name, or that of a file.

    Raises:
        UsageError: there is neither.
        SourceError: the file cannot be read.
        SettingsError, BankNewerError: it is no list, or a newer program's.
    """
    path = Path(name)
    if not path.suffix and path.name == name:
        known = bundled()
        if name not in known:
            advice = f"There are: {', '.join(known)}; or name a file."
            raise UsageError(f"There is no checklist “{name}”.", advice)
        return known[name]
    try:
        data = read_bounded(path, TABLE_BYTES)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", "Name the file of a checklist.") from error
    return read_checklist(data, str(path))


def read_checklist(data: bytes, called: str) -> Checklist:
    """Read the file of a list; `called` names it in errors.

    Raises:
        SettingsError: it is not of that form.
        BankNewerError: a newer program wrote it.
    """
    try:
        table = parse_toml(data.decode())
        if isinstance(table.get("format"), int) and table["format"] > FORMAT:
            message = f"{called} has format {table['format']}; this program reads up to {FORMAT}."
            raise BankNewerError(message, "Install the newer BriefBank that wrote it.")
        read = msgspec.convert(table, _File)
        items = tuple(_item(each, read.sections) for each in read.item)
        _require_sensible(items)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError, UsageError) as error:
        advice = "docs/operations.md, “Checklists”, says what such a file holds."
        raise SettingsError(f"{called} is no checklist: {str(error).removesuffix('.')}.", advice) from error
    return Checklist(read.name, items, read.description, read.encoder)


def write_checklist(checklist: Checklist) -> bytes:
    """Return the file of a list."""
    table: dict[str, Any] = {"format": FORMAT, "name": checklist.name, "description": checklist.description}
    table["encoder"] = checklist.encoder
    table["item"] = [_table(each) for each in checklist.items]
    return tomli_w.dumps(without_empty(table), multiline_strings=True).encode()


def _item(read: _Item, sections: Sequence[SectionKind]) -> ChecklistItem:
    return ChecklistItem(
        read.name.strip(),
        read.question.strip(),
        " ".join(read.definition.split()),
        read_keywords(read.keywords),
        tuple(read.sections or sections),
        read.profile,
        read.evidence,
    )


def _table(item: ChecklistItem) -> dict[str, Any]:
    table = {
        "name": item.name,
        "question": item.question,
        "definition": item.definition,
        "keywords": write_keywords(item.keywords) if item.keywords else "",
        "sections": [kind.value for kind in item.sections],
        "profile": item.profile,
        "evidence": msgspec.to_builtins(item.evidence) if item.evidence else {},
    }
    return without_empty(table)


def _require_sensible(items: tuple[ChecklistItem, ...]) -> None:
    if not 0 < len(items) <= _MOST_ITEMS:
        raise UsageError(f"it has {len(items)} items, and not 1 to {_MOST_ITEMS}")
    names = [each.name.casefold() for each in items]
    for item, name in zip(items, names, strict=True):
        if not name or names.count(name) > 1:
            raise UsageError(f"several items are called “{item.name}”" if name else "an item has no name")
        if not (item.question or item.keywords or item.profile):
            raise UsageError(f"“{item.name}” says nothing of what is looked for: question, keywords or profile")


def offered() -> ChecklistsOffered:
    """Return the lists that come with the program, and the model for the role "extract" where it can be run."""
    model = model_for(Role.EXTRACT, form="gguf") if importlib.util.find_spec("llama_cpp") else None
    lists = (OfferedChecklist(name, each.name, each.description, len(each.items)) for name, each in bundled().items())
    return ChecklistsOffered(tuple(lists), model.name if model else "")
