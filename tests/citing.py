"""Citations of texts and questions, found and told in short."""

from __future__ import annotations

from briefbank.ingest.sentences import sentence_spans
from briefbank.law.citations import DocumentCitations, PassageText, citations_in_query, cite_document, load_patterns

PATTERNS = load_patterns()


def cite(*texts: str, sections: tuple[int, ...] = ()) -> DocumentCitations:
    """The citations of a document, given the texts of its passages and the section of each."""
    return cite_document(
        [
            PassageText(text, [span.start for span in sentence_spans(text)], sections[number] if sections else 0)
            for number, text in enumerate(texts)
        ],
        PATTERNS,
    )


def told(found: DocumentCitations) -> list[tuple[str, str]]:
    """Kind and first key (or name) of each citation, in order."""
    authorities = [(*each.keys, *each.names)[0] for each in found.authorities]
    return [(each.kind.value, authorities[each.authority]) for passage in found.passages for each in passage]


def keys(text: str) -> list[str]:
    """The keys of all authorities that a text cites."""
    return [key for authority in cite(text).authorities for key in authority.keys]


def asked(query: str) -> list[str]:
    """The keys of what a query cites, in a bank that holds none of it."""
    return [key for each in citations_in_query(query, PATTERNS, lambda _: ()) for key in each.keys]
