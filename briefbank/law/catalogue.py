"""Catalogues of how things are written: regular expressions kept as data, compiled when first asked for.

Knows files and matches only.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.resources import files

import msgspec

from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_FRAGMENT = re.compile(r"\{([a-z_]+)\}")


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of a catalogue; `anonymise/forms.toml` says what each key means."""

    title: str
    regex: str
    examples: list[str]
    refused: list[str] = msgspec.field(default_factory=list, name="not")
    needs: str = ""


class Catalogue:
    """The forms of one file of `law/`, in groups."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._joined: dict[str, re.Pattern[str]] = {}
        self._single: dict[str, list[tuple[re.Pattern[str], re.Pattern[str] | None]]] = {}

    @cached_property
    def _table(self) -> Mapping[str, object]:
        return tomllib.loads(files("briefbank.law").joinpath(self._name).read_text(encoding="utf-8"))

    @cached_property
    def _fragments(self) -> dict[str, str | list[str]]:
        return msgspec.convert(self._table["fragments"], dict[str, str | list[str]])

    @cached_property
    def _starts(self) -> dict[str, str]:
        return msgspec.convert(self._table.get("starts", {}), dict[str, str])

    @cached_property
    def groups(self) -> dict[str, list[Form]]:
        """The forms by group, both in the order of the file."""
        groups = {name: forms for name, forms in self._table.items() if name not in ("fragments", "starts")}
        return msgspec.convert(groups, dict[str, list[Form]])

    def __getitem__(self, group: str) -> re.Pattern[str]:
        """All forms of a group as alternatives of one regular expression, the first that fits counts."""
        if group not in self._joined:
            alternatives = "|".join(self._spelt_out(form.regex) for form in self.groups[group])
            self._joined[group] = bounded(f"{self._starts.get(group, '')}(?:{alternatives})")
        return self._joined[group]

    def compiled(self, group: str, form: Form) -> re.Pattern[str]:
        """A form by itself."""
        regex = self._spelt_out(form.regex)
        return bounded(f"{self._starts[group]}(?:{regex})" if group in self._starts else regex)

    def matches(self, group: str, text: str) -> Iterator[re.Match[str]]:
        """What the forms of a group match, one form after the other; the matches of several may overlap."""
        for pattern, needed in self._singles(group):
            if needed is None or needed.search(text):
                yield from pattern.finditer(text)

    def match_at(self, group: str, text: str, start: int) -> re.Match[str] | None:
        """What the first form of a group that fits matches at a place."""
        return next((match for pattern, _ in self._singles(group) if (match := pattern.match(text, start))), None)

    def _singles(self, group: str) -> list[tuple[re.Pattern[str], re.Pattern[str] | None]]:
        if group not in self._single:
            self._single[group] = [
                (self.compiled(group, form), re.compile(form.needs) if form.needs else None)
                for form in self.groups[group]
            ]
        return self._single[group]

    def _spelt_out(self, regex: str) -> str:
        def fragment(match: re.Match[str]) -> str:
            text = self._fragments[match[1]]
            return self._spelt_out(text if isinstance(text, str) else f"(?:{'|'.join(text)})")

        return _FRAGMENT.sub(fragment, regex)


def found_in(match: re.Match[str]) -> Span:
    """What a form finds: its group `value`, or all that it matches."""
    return Span(*match.span("value" if "value" in match.re.groupindex else 0))
