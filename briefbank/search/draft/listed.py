"""The citations of a draft held against the list of authorities that IT brought: which are not in it, and which bear
another name or are of another year there. Nothing here says that a case does not exist.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from briefbank.errors import BriefBankError
from briefbank.law.authority_list import AuthorityList, Listing, ListingKind, first_day, listings
from briefbank.search.draft.reading import DraftText
from briefbank.values.findings import CheckPart, Compared, ComparedKind, DraftFinding, ListUsed, Unchecked, Weight

_NAME = "list of authorities"
_FOUND = {
    ListingKind.MISSING: ("unlisted-citation", "Citation that is not in the list of authorities", Weight.MEND),
    ListingKind.PART_MISSING: ("unlisted-citation", "Citation that is not in the list of authorities", Weight.LOOK),
    ListingKind.OTHER_NAME: ("listed-name", "Case that bears another name in the list of authorities", Weight.MEND),
    ListingKind.OTHER_YEAR: ("listed-year", "Case of another year in the list of authorities", Weight.MEND),
}
_UNLISTED = (ListingKind.MISSING, ListingKind.PART_MISSING)
_NEVER_LISTED = Unchecked(
    "statutes, rules, regulations, and cases cited by docket, by name or in a short form alone",
    f"no {_NAME} has them",
)


def held_against_list(text: DraftText, file: Path, impossible: Collection[tuple[int, int]]) -> CheckPart:
    """Hold the full citations of a draft against the list in `file`; where there is none, or it cannot be used, that
    is told as what could not be checked. Of what is `impossible` as it is written (the number of its part, and where it
    ends there) it is not told that the list lacks it.
    """
    if not file.exists():
        return _not_run(f"the bank has no {_NAME}")
    try:
        authorities = AuthorityList.open(file)
    except BriefBankError as problem:
        return _not_run(problem.message)
    head = authorities.head
    dated = first_day(head.date) if head.date.count("-") > 1 else None
    used = ListUsed(f"{_NAME} of {head.date}", dated, head.rows, head.licence)
    compared = Compared(ComparedKind.LIST, used.name, dated=dated, licence=head.licence)
    found: dict[tuple[str, str], DraftFinding] = {}
    unchecked: dict[tuple[str, str], Unchecked] = {}
    for page, words, each in _in_draft(text, authorities, impossible):
        key, pages = (each.key, each.fact), (page,) if text.document.has_pages else ()
        if each.kind in (ListingKind.NO_REPORTER, ListingKind.NEWER):
            unchecked.setdefault(key, Unchecked(words, each.fact))
        elif key in found:  # cited again
            found[key] = replace(found[key], pages=tuple(sorted({*found[key].pages, *pages})))
        elif each.kind in _FOUND:
            kind, title, weight = _FOUND[each.kind]
            found[key] = DraftFinding(kind, title, weight, pages, words, each.fact, (compared,))
    return CheckPart(_NAME, tuple(found.values()), (*unchecked.values(), _NEVER_LISTED), (used,))


def _not_run(why: str) -> CheckPart:
    kinds = tuple(kind for kind, _, _ in _FOUND.values())
    return CheckPart(_NAME, unchecked=(Unchecked("whether cited cases exist", why),), not_run=kinds)


def _in_draft(
    text: DraftText, authorities: AuthorityList, impossible: Collection[tuple[int, int]]
) -> Iterator[tuple[int, str, Listing]]:
    """What the list has of each citation, with its page and words."""
    for part in text.parts:
        for each in listings(part.text, authorities):
            if (part.order, each.span.end) in impossible and each.kind in _UNLISTED:
                continue
            words = " ".join(part.text[slice(*each.span)].split())
            yield text.page_of(part, each.span.start), words, each
