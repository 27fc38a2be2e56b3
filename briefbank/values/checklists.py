"""What a checklist found in documents: its items answered with the documents' own words."""

from __future__ import annotations

from dataclasses import dataclass

from briefbank.values.records import Document, Passage, Span


@dataclass(frozen=True, slots=True)
class OfferedChecklist:
    """A list that comes with the program: the name it is run by, what people call it, and how many items it has."""

    name: str
    title: str
    description: str
    item_count: int


@dataclass(frozen=True, slots=True)
class ChecklistsOffered:
    """The lists that can be run, and the language model that could choose the sentences; "" where there is none."""

    lists: tuple[OfferedChecklist, ...]
    model: str = ""


@dataclass(frozen=True, slots=True)
class ChecklistExtract:
    """Words of a document that answer an item: the range `span` of a passage's text, and of that the sentence which
    says most of what is looked for, where there are several. `cautions` are lines that must stay with the words.
    """

    passage: Passage
    span: Span
    cautions: tuple[str, ...] = ()
    sentence: Span | None = None

    @property
    def text(self) -> str:
        return self.passage.text[slice(*self.span)]

    @property
    def told(self) -> Span:
        """What of the passage is shown: the sentence, or else all of the words."""
        return self.sentence or self.span


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """What a document says to one item, in document order; empty means "Not found".

    `probability` (0 to 1) is how likely the document's best passage is an answer; `by_model` says that a language model
    chose the sentences; `note` what it could not do.
    """

    item: str
    extracts: tuple[ChecklistExtract, ...]
    probability: float
    by_model: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class DocumentAnswers:
    """The answers of one document, one for each item, in the list's order."""

    document: Document
    answers: tuple[ItemAnswer, ...]


@dataclass(frozen=True, slots=True)
class ChecklistReport:
    """A list as it was run. `is_of_files`: the documents are files in no bank, and their ids name nothing there.
    `model` is the language model that read them, empty where none did.
    """

    name: str
    items: tuple[str, ...]
    documents: tuple[DocumentAnswers, ...]
    notices: tuple[str, ...] = ()
    is_of_files: bool = False
    model: str = ""
