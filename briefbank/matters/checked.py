"""What the bank says today of passages in a matter, which may come from a file that anybody wrote.

Words, pages and source are looked up; what the bank does not have is told, and warnings are those of today's lists.
Words are found by their document and by what they say, for ids of passages change with every cut. Spaces and hyphens do
not count, nor whether a number is raised: pages and passages differ in these. Between two figures one of them counts
like the other, for "5-10" is not "510". Must not know the window, nor files.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from briefbank.matters.items import PassageItem, collected_words
from briefbank.matters.state import Matter
from briefbank.values.collected import Check, CollectedWords, Confidential
from briefbank.values.records import Document, Passage, Span

if TYPE_CHECKING:
    from briefbank.law.citations import PatternSet
from briefbank.values.source_format import source_of

NOT_FOUND = "Not found in this bank"
UNCHECKED = "Not checked: there is no bank here in which these words could be looked up"
_NOT_THERE = "these words do not stand in that brief"
_GAPS = re.compile(r"[\s\u00ad\u2010-]+")
_BETWEEN_FIGURES = re.compile(rf"(?<=\d){_GAPS.pattern}(?=\d)")
_BEFORE_RAISED = re.compile(r"(?<=\d)(?=[⁰¹²³⁴-⁹])")
_APART = "|"
_MOST_EXCERPT_PAGES = 5
_MOST_PLACES = 20
"""Places of the same words in one document at which their pages are compared."""
_MOST_CITED_PAGES = 20
"""Pages of one place of which every range is tried as the one that is cited; of more, the first and the last."""


Checks = Mapping[str, Check]
"""By the ids of a matter's entries."""


def checks_of(
    matter: Matter, check: Callable[[tuple[CollectedWords, ...]], Sequence[Check]] | None
) -> dict[str, Check]:
    """Have all passages of a matter checked; without a bank to ask, each is marked as not checked."""
    if not matter.passages:
        return {}
    asked = tuple(map(collected_words, matter.passages))
    found = check(asked) if check else (replace(unchecked(each), confidential=confidential_in(each)) for each in asked)
    found = (in_matter(each, matter.name) for each in found)
    numbered = (entry.id for entry in matter.entries if isinstance(entry.item, PassageItem))
    return dict(zip(numbered, found, strict=True))


def in_matter(check: Check, name: str) -> Check:
    """Return a check in a matter of this name: its own client may be named there."""
    from briefbank.law.legal_numbers import folded

    ours = folded(unicodedata.normalize("NFC", name)).lower()

    def is_others(each: Confidential) -> bool:
        return not (each.surname and re.search(rf"(?<![\w-]){re.escape(each.surname)}(?![\w-])", ours))

    return replace(check, confidential=tuple(filter(is_others, check.confidential)))


def unchecked(words: CollectedWords) -> Check:
    """Return what is said of a passage where no bank can be asked."""
    return Check((f"{UNCHECKED}.",), words.cautions)


def confidential_in(words: CollectedWords) -> tuple[Confidential, ...]:
    """Return what court rules keep out of public filings in words, and the parties of their brief that they name."""
    from briefbank.law.identifiers import clients_of, identifiers_in, mentions_of

    place = f" on {words.source.pages}" if words.source.pages else ""

    def found(fact: str, span: Span, surname: str = "") -> Confidential:
        return Confidential(f"{fact}{place}", " ".join(words.text[slice(*span)].split()), surname)

    told = [found(each.kind.with_article, each.span) for each in identifiers_in(words.text)]
    if clients := clients_of(words.source.title):
        named = mentions_of(words.text, clients, "", _patterns(), is_near=True)
        told += [found(f"Client of another brief, {one.client.name},", one.span, one.client.surname) for one in named]
    return tuple(dict.fromkeys(told))


@cache
def _patterns() -> PatternSet:
    from briefbank.law.citations import load_patterns

    return load_patterns()


def check_words(
    asked: Sequence[CollectedWords],
    documents: Iterable[Document],
    passages_of: Callable[[str], Sequence[Passage]],
    passage_cautions: Callable[[Passage], Sequence[str]],
    text_cautions: Callable[[str], Sequence[str]],
    words_on: Callable[[str, int], str] | None = None,
) -> tuple[Check, ...]:
    """Look words up in a bank's documents. `passage_cautions` has those of a passage by today's lists, `text_cautions`
    of a text that is not in the bank; there the lines that came with it are kept too. `words_on` returns all words
    printed on a page, headers and footers too; without it, a selection that crosses a page break is not found.
    """
    known = {each.sha256: each for each in documents}
    texts: dict[str, _Text] = {}
    checks = []
    for item in asked:
        document = known.get(item.document_sha256)
        if document and document.id not in texts:
            texts[document.id] = _Text(document, passages_of(document.id))
        text = texts[document.id] if document else None
        at = (text.place_of(item) or text.place_on_pages(item, words_on)) if text else ()
        if text and at:
            lines = dict.fromkeys(line for passage in at for line in passage_cautions(passage))
            checks.append(Check(tuple(_differing(item, text.document, at)), tuple(lines), confidential_in(item)))
        else:
            missing = _NOT_THERE if document else "no file here is the brief of these words"
            if document and item.is_excerpt and not words_on:
                missing += "; over the edge of a page they are looked for in the window alone"
            lines = dict.fromkeys([*text_cautions(item.text), *item.cautions])
            checks.append(Check((f"{NOT_FOUND}: {missing}.",), tuple(lines), confidential_in(item)))
    return tuple(checks)


class _Text:
    """The words of one document, without what does not count."""

    def __init__(self, document: Document, passages: Sequence[Passage]) -> None:
        self.document, self._passages = document, passages
        squeezed = _one_after_another(each.text for each in passages)
        self._whole = "".join(squeezed)
        self._starts = [0, *accumulate(map(len, squeezed))][:-1]

    def place_of(self, item: CollectedWords) -> Sequence[Passage]:
        """The passages that hold the words, on the pages that they are said to stand on where these agree; or none."""
        places = list(self._places(_squeezed(item.text)))
        agreeing = (each for each in places if item.source.pages in _cited(self.document, each))
        return next(agreeing, places[0] if places else ())

    def place_on_pages(self, item: CollectedWords, words_on: Callable[[str, int], str] | None) -> Sequence[Passage]:
        """The passages on the pages that an excerpt names, where it stands on these as they are printed; or none."""
        document, words = self.document, _squeezed(item.text)
        if not (words_on and item.is_excerpt and item.source.pages):
            return ()
        pages = range(1, document.page_count + 1)
        ranges = ((one, other) for one in pages for other in pages[one : one + _MOST_EXCERPT_PAGES])
        for first, last in ranges:
            if document.cited_pages(first, last) == item.source.pages:
                printed = _squeezed("\n".join(words_on(document.id, each) for each in range(first, last + 1)))
                on = [each for each in self._passages if each.page_first <= last and each.page_last >= first]
                return on if words in printed else ()
        return ()

    def _places(self, words: str) -> Iterator[Sequence[Passage]]:
        at = self._whole.find(words) if words else -1
        for _ in range(_MOST_PLACES):
            if at < 0:
                return
            first = bisect_right(self._starts, at) - 1
            yield self._passages[first : bisect_right(self._starts, at + len(words) - 1)]
            at = self._whole.find(words, at + 1)


def _squeezed(text: str) -> str:
    plain = unicodedata.normalize("NFKC", _BEFORE_RAISED.sub(" ", text))
    return _GAPS.sub("", _BETWEEN_FIGURES.sub(_APART, plain))


def _one_after_another(texts: Iterable[str]) -> list[str]:
    """Texts that follow each other, each as `_squeezed` has it of all of them joined with a space."""
    squeezed: list[str] = []
    for text in map(_squeezed, texts):
        is_apart = squeezed and squeezed[-1][-1:].isdecimal() and text[:1].isdecimal()
        squeezed.append(f"{_APART}{text}" if is_apart else text)
    return squeezed


def _cited(document: Document, passages: Sequence[Passage]) -> set[str]:
    """The ways to cite pages of these passages, also as a bank wrote them that did not read printed numbers yet."""
    first, last = passages[0].page_first, max(each.page_last for each in passages)
    numbers = range(first, last + 1) if last - first < _MOST_CITED_PAGES else (first, last)
    forms = (document, replace(document, page_runs=None))
    return {each.cited_pages(one, other) for each in forms for one in numbers for other in numbers if one <= other}


def _differing(item: CollectedWords, document: Document, at: Sequence[Passage]) -> Iterator[str]:
    """A line for each part of the source that is not as this bank has it; what the source leaves out is none."""
    here = source_of(document, at[0].page_first, max(each.page_last for each in at))
    if item.source.pages and item.source.pages not in _cited(document, at):
        yield f"{NOT_FOUND}: {item.source.pages}. The words stand on {here.pages or 'pages that cannot be cited'} here."
    for name in ("title", "court", "docket", "filed", "author", "kind"):
        own, known = getattr(item.source, name), getattr(here, name)
        if own and own != known:
            yield f"{NOT_FOUND}: {name} {own}. Here it is {known or 'not known'}."
