"""Words that somebody collected, as a bank is asked about them, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from briefbank.values.source_format import Source


@dataclass(frozen=True, slots=True)
class CollectedWords:
    """Words that are said to stand in the file of this digest, with the source and the cautions that came with them.
    `is_excerpt`: they were selected on pages, and are no whole passage.
    """

    text: str
    document_sha256: str
    source: Source
    is_excerpt: bool
    cautions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Confidential:
    """What of such words is not to be filed: `words` as they stand there; `surname` is that of a
    party of the brief that they are from, who is named, in lower case and without accents; empty of an identifier.
    """

    fact: str
    words: str
    surname: str = ""

    @property
    def line(self) -> str:
        return f"{self.fact}: “{self.words}”"


@dataclass(frozen=True, slots=True)
class Check:
    """What is to be said of such words: a line for each thing that the bank does not have, and what must stay with them
    by today's lists. What is `confidential` in them is told to who collects them, and enters no file.
    """

    not_found: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    confidential: tuple[Confidential, ...] = ()
