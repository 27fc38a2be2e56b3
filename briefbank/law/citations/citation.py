"""What a citation is: the values that reading a document yields, that indices keep and that others ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from briefbank.values.records import Span


class CitationKind(StrEnum):
    """The form in which an authority is cited."""

    FULL = "full"
    SHORT = "short"
    """`Carty, 170 N.J. at 640`; a rule by its bare number."""
    SUPRA = "supra"
    ID = "id"
    NAME = "name"
    """The name of a case without its reporter."""


@dataclass(frozen=True, slots=True)
class Authority:
    """A case, rule or statute as one document cites it.

    `keys` identify it (`170 nj 632`, `njsa 2c:11-3(a)(1)`), parallel reporters included; two documents that share one
    cite the same. `names` are what it may be asked for by besides (`state v carty`, `404(b)`), and need not be its own
    alone. `label` is the citation as people write it.
    """

    keys: tuple[str, ...]
    names: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation in a passage: where in its text, in which form, the number of its authority in the document.

    `weight` says how much the passage says about the authority there: about 1 for a bare entry in a string of
    citations, more with every sentence that rests on it.
    """

    span: Span
    kind: CitationKind
    authority: int
    weight: float


@dataclass(frozen=True, slots=True)
class DocumentCitations:
    """The authorities of a document and, passage by passage in their order, the citations."""

    authorities: tuple[Authority, ...]
    passages: tuple[tuple[Citation, ...], ...]


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage as citations see it; `section` tells the sections of the document apart."""

    text: str
    sentence_starts: Sequence[int]
    section: object = None
