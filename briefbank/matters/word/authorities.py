"""The authorities that a matter's passages cite, by kind, for a table of authorities.

Each brief is read by itself, for a bare name means something else in another one. A short form whose full citation was
not collected with it is the one case of the matter that its volume, page and name fit, or stands as written. Knows
citations and items, and nothing of documents to be written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from briefbank.law.citations import (
    Authority,
    AuthorityKind,
    CitationKind,
    PassageText,
    PatternSet,
    cite_document,
    short_forms_in,
)
from briefbank.law.citations.names import short_names
from briefbank.matters.items import PassageItem
from briefbank.matters.state import Entry


class AuthorityPart(StrEnum):
    """The parts of a table of authorities, in their order."""

    CASES = "Cases"
    STATUTES = "Statutes"
    REGULATIONS = "Regulations"
    RULES = "Rules"
    OTHER = "Constitutions and other authorities"


_PARTS = {
    AuthorityKind.CASE: AuthorityPart.CASES,
    AuthorityKind.STATUTE: AuthorityPart.STATUTES,
    AuthorityKind.REGULATION: AuthorityPart.REGULATIONS,
    AuthorityKind.RULE: AuthorityPart.RULES,
}


@dataclass(frozen=True, slots=True)
class CitedAuthority:
    """An authority as first cited, and the ids of the entries whose passages cite it, in the matter's order.

    `by_name_only`: no passage gives its reporter, so that the case of that name may be another one. `is_short_form`: no
    passage cites it in full, and it stands as first written.
    """

    part: AuthorityPart
    label: str
    entries: tuple[str, ...]
    by_name_only: bool = False
    is_short_form: bool = False


def authorities_of(entries: Sequence[Entry], patterns: PatternSet) -> tuple[CitedAuthority, ...]:
    """Return what the passages cite: by kind, then by label as a table of authorities is sorted."""
    passages = [(entry.id, entry.item) for entry in entries if isinstance(entry.item, PassageItem)]
    found: list[tuple[str, Authority, str]] = []
    for _, of_document in groupby(sorted(passages, key=_document), key=_document):
        found += _cited(list(of_document), patterns)
    in_volume = _in_volumes(authority for _, authority, _ in found)
    found = [(_meant(key, authority, in_volume), authority, entry_id) for key, authority, entry_id in found]
    order = {entry_id: at for at, (entry_id, _) in enumerate(passages)}
    return tuple(
        sorted(_united(found, order), key=lambda each: (list(AuthorityPart).index(each.part), _key(each.label)))
    )


def _document(passage: tuple[str, PassageItem]) -> str:
    return passage[1].document_sha256


def _cited(passages: Sequence[tuple[str, PassageItem]], patterns: PatternSet) -> list[tuple[str, Authority, str]]:
    """(authority's key, authority, entry) of every citation in passages of one brief; each passage is read as a section
    of its own, for what stood before an "Id." may not have been collected.
    """
    texts = [PassageText(item.text, (0,), entry_id) for entry_id, item in passages]
    read = cite_document(texts, patterns)
    found = []
    for (entry_id, item), citations in zip(passages, read.passages, strict=True):
        for citation in citations:
            authority = read.authorities[citation.authority]
            is_name = not authority.keys
            label = _name_as_written(item.text[slice(*citation.span)]) if is_name else authority.label
            if citation.kind is not CitationKind.ID:
                key = authority.keys[0] if authority.keys else f"{item.document_sha256} {authority.names[0]}"
                found.append((key, replace(authority, label=label), entry_id))
        taken = [each.span for each in citations if each.kind is not CitationKind.NAME]
        for span, name, case in short_forms_in(item.text):
            if not span.overlaps_any(taken):
                key = f"{case.volume} {case.reporter} at {case.page} {name}"
                found.append((key, Authority((), (), _name_as_written(item.text[slice(*span)])), entry_id))
    return found


def _in_volumes(authorities: Iterable[Authority]) -> dict[str, dict[Authority, int]]:
    """By volume the cases cited in full that begin in it, each once, with the page on which it does."""
    found: defaultdict[str, dict[Authority, int]] = defaultdict(dict)
    for each in authorities:
        for key in each.keys:
            volume, _, first = key.rpartition(" ")
            if first.isdigit():
                found[volume][each] = int(first)
    return found


def _meant(key: str, authority: Authority, in_volumes: Mapping[str, Mapping[Authority, int]]) -> str:
    """The key of what a short form means: the one case cited in full that is in its volume, begins at or before its
    page and bears its name; else its own, as of everything that is no short form.
    """
    if authority.keys or authority.names:
        return key
    volume, _, at = key.partition(" at ")
    page, _, name = at.partition(" ")
    meant = {
        each.keys
        for each, first in in_volumes.get(volume, {}).items()
        if first <= int(page) and any(name == case or name in short_names(case) for case in each.names)
    }
    return meant.pop()[0] if len(meant) == 1 else f"{volume} {name}"


def _united(found: Sequence[tuple[str, Authority, str]], order: dict[str, int]) -> list[CitedAuthority]:
    """One entry for each authority; those that share a citation in a reporter are the same."""
    numbers: dict[str, int] = {}
    authorities: dict[int, Authority] = {}
    cited: defaultdict[int, set[str]] = defaultdict(set)
    for key, authority, entry_id in found:
        known = next((numbers[each] for each in authority.keys if each in numbers), numbers.get(key, len(authorities)))
        for each in (*authority.keys, key):
            numbers.setdefault(each, known)
        if known not in authorities or (authority.keys and not authorities[known].keys):
            authorities[known] = authority
        cited[known].add(entry_id)
    return [
        CitedAuthority(
            _PARTS.get(authority.kind, AuthorityPart.OTHER),
            authority.label,
            tuple(sorted(cited[number], key=order.__getitem__)),
            by_name_only=bool(authority.names) and not authority.keys,
            is_short_form=not authority.keys and not authority.names,
        )
        for number, authority in authorities.items()
    ]


def _name_as_written(text: str) -> str:
    return " ".join(text.split()).strip(" ,;.")


def _key(label: str) -> str:
    return "".join(letter for letter in label.casefold() if letter.isalnum() or letter.isspace())
