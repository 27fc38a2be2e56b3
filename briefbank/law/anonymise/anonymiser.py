"""Takes texts that belong together, finds what tells who people are, and replaces it by pseudonyms.

`[Person7]` stands for the same person wherever it is, and is one word to the search, so that a query finds the passages
that it found by the name.

Must not know where the texts come from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from briefbank.law.anonymise.citing import cited_in
from briefbank.law.anonymise.forms import Kind, PersonalSpan, forms_in
from briefbank.law.anonymise.person_names import people_in
from briefbank.law.anonymise.review import Approval, Item, ReviewLine, folded
from briefbank.law.citations import PatternSet, load_patterns
from briefbank.law.citations.names import short_names
from briefbank.law.word_lists import lexicon
from briefbank.values.records import Span

_PART = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")
_NO_PART = frozenset("jr sr ii iii iv esq de la las los del di da von van der den bin ibn al el".split())

_Key = frozenset[str]

_AROUND = 40
_NOTHING_APPROVED = Approval(frozenset(), frozenset(), ())


@dataclass(frozen=True, slots=True)
class Findings:
    """What tells who people are, text by text, in order and without overlaps; and the names of the cases cited."""

    found: tuple[tuple[PersonalSpan, ...], ...]
    case_names: frozenset[str]


def find_personal(
    texts: Sequence[str], *, known: Iterable[str] = (), case_names: frozenset[str] = frozenset()
) -> Findings:
    """Find what tells who people are in the texts of one document, which are in reading order.

    `known` are names known from elsewhere: the document's author, parties named in other documents; `case_names` are
    cases cited elsewhere, as `state v carty`.
    """
    known = list(known)
    cited = cited_in(texts, _patterns(), case_names, frozenset(part for name in known for part in name_parts(name)))
    forms = [_forms_outside(text, spans) for text, spans in zip(texts, cited.spans, strict=True)]
    people = people_in(texts, cited, [[each.span for each in found] for found in forms], known)
    found = (
        tuple(sorted([*of_form, *(PersonalSpan(span, Kind.PERSON) for span in names)]))
        for of_form, names in zip(forms, people, strict=True)
    )
    return Findings(tuple(found), cited.case_names)


def _forms_outside(text: str, kept: Sequence[Span]) -> list[PersonalSpan]:
    found: list[PersonalSpan] = []
    taken = list(kept)
    for each in forms_in(text):
        if not each.span.overlaps_any(taken):
            found.append(each)
            taken.append(each.span)
    return found


@cache
def _patterns() -> PatternSet:
    return load_patterns()


def name_parts(name: str) -> _Key:
    """The words by which a person is known: `Thomas J. Early, Jr.` is `thomas` and `early`."""
    parts = (part.lower().replace("’", "'") for part in _PART.findall(name))
    return frozenset(part for part in parts if part not in _NO_PART)


class Pseudonyms:
    """Numbers what it is shown in the order of first sight, kind by kind."""

    def __init__(self) -> None:
        self._numbers: dict[Kind, dict[object, int]] = {kind: {} for kind in Kind}

    def of(self, kind: Kind, key: object) -> str:
        """The pseudonym of something; `key` is what makes two of them the same."""
        numbers = self._numbers[kind]
        return f"[{kind.value.capitalize()}{numbers.setdefault(key, len(numbers) + 1)}]"


def key_of(kind: Kind, text: str, full_names: Counter[_Key]) -> object:
    """What makes two removed stretches the same: of a person the fullest of the `full_names` that it is a part of.

    A part of several people's names is taken for the one named most often.
    """
    if kind is not Kind.PERSON:
        return re.sub(r"\W+", "", text.casefold())
    parts = name_parts(text)
    wider = [name for name in full_names if parts and parts <= name]
    return max(wider, key=lambda name: (full_names[name], len(name), sorted(name)), default=parts or text.casefold())


def full_names_in(names: Iterable[str]) -> Counter[_Key]:
    """Names of two words and more with how often each stands; the fuller form of a name takes the others' counts."""
    counts = Counter(parts for name in names if len(parts := name_parts(name)) > 1)
    for name in sorted(counts, key=lambda each: (len(each), sorted(each))):
        wider = max(
            (each for each in counts if name < each), key=lambda each: (counts[each], sorted(each)), default=None
        )
        if wider is not None:
            counts[wider] += counts.pop(name)
    return counts


@dataclass(frozen=True, slots=True)
class _Rewritten:
    """A text with what of it is to go and how each stretch will read."""

    text: str
    found: tuple[tuple[PersonalSpan, str], ...]


@dataclass(frozen=True, slots=True)
class _Searched:
    """A text with all that was found in it, and the names of those who are in its document."""

    document_id: str
    text: str
    found: Sequence[PersonalSpan]
    full_names: Counter[frozenset[str]]


class Anonymiser:
    """Knows all texts of one export, so that everyone has one pseudonym in all of them."""

    def __init__(
        self,
        documents: Mapping[str, Sequence[str]],
        notes: Sequence[str],
        *,
        known: Sequence[str] = (),
        case_names: frozenset[str] = frozenset(),
        approval: Approval | None = None,
        on_document: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Search all texts.

        `documents` are whole documents, by id; `notes` are short texts of their own (queries, remarks), in which names
        of the documents count in lower case too. `known` are full names of people known from elsewhere, `case_names`
        cases that are cited in full somewhere (`state v carty`) and stay in notes that only name them. `on_document` is
        told how many documents are done.
        """
        self._approval = approval or _NOTHING_APPROVED
        self._pseudonyms = Pseudonyms()
        self._searched: list[_Searched] = []
        self._rewritten: dict[tuple[str, str], _Rewritten] = {}
        self._case_names = case_names
        self._cases = {part for name in case_names for short in short_names(name) for part in short.split()}
        everyone = list(known)
        for done, (document_id, texts) in enumerate(documents.items(), start=1):
            findings = find_personal(texts)
            self._cases |= {part for name in findings.case_names for part in name.split()}
            names = _names(texts, findings.found)
            everyone += names
            self._add_texts(document_id, texts, findings.found, full_names_in(names))
            on_document(done)
        self._add_notes(list(dict.fromkeys(notes)), everyone)
        for each in self._searched:  # what a person added to the list is numbered last: the others keep their numbers
            self._decide(each)

    def rewrite(self, text: str, document_id: str = "") -> str:
        """Return a text that was given, of a document or a note, without what is to go."""
        named = self._rewritten[document_id, text]
        parts, end = [], 0
        for each, stands_for in named.found:
            parts += [text[end : each.span.start], stands_for]
            end = each.span.end
        return "".join([*parts, text[end:]])

    def review(self, exported: Collection[tuple[str, str]]) -> list[ReviewLine]:
        """All that is to go of the notes and of the passages that are exported, each by document id and text."""
        counts: Counter[tuple[Kind, str, str]] = Counter()
        examples: dict[tuple[Kind, str, str], str] = {}
        for (document_id, text), named in self._rewritten.items():
            if document_id and (document_id, text) not in exported:
                continue
            for each, stands_for in named.found:
                key = (each.kind, folded(named.text[slice(*each.span)]), stands_for)
                counts[key] += 1
                start, end = each.span
                examples.setdefault(key, folded(named.text[max(0, start - _AROUND) : end + _AROUND]))
        return [ReviewLine(*key, count, examples[key]) for key, count in counts.items()]

    def unseen(self, exported: Collection[tuple[str, str]]) -> int:
        """How many different things go of what is exported that the approved list did not hold."""
        return len({(line.kind, line.text) for line in self.review(exported)} - self._approval.listed)

    def _add_notes(self, notes: Sequence[str], everyone: Sequence[str]) -> None:
        by_part: dict[str, set[str]] = {}
        for name in everyone:
            for part in name_parts(name):
                by_part.setdefault(part, set()).add(name)
        found = []
        for note in notes:
            met = sorted({name for part in name_parts(note) for name in by_part.get(part, ())})
            personal = find_personal([note], known=met, case_names=self._case_names).found[0]
            names = re.compile("|".join(map(_spelt, self._plain_names(met))) or r"(?!)", re.IGNORECASE)
            plain = (PersonalSpan(Span(*match.span()), Kind.PERSON) for match in names.finditer(note))
            found.append(_apart([*personal, *plain]))
        full_names = full_names_in([*everyone, *_names(notes, found)])
        for note, each_found in zip(notes, found, strict=True):
            self._add_texts("", [note], [each_found], full_names)

    def _plain_names(self, everyone: Sequence[str]) -> Iterator[str]:
        """Names that are told in lower case too: full ones, and words that are no others and name no cited case."""
        seen: set[str] = set()
        for name in everyone:
            parts = name_parts(name)
            if len(parts) > 1:
                seen.add(folded(name))
            seen |= {
                part for part in parts if part not in lexicon().ordinary | lexicon().terms and part not in self._cases
            }
        yield from sorted(seen, key=lambda name: (-len(name), name))

    def _add_texts(
        self,
        document_id: str,
        texts: Sequence[str],
        found: Sequence[Sequence[PersonalSpan]],
        full_names: Counter[frozenset[str]],
    ) -> None:
        """Number what was found, also what a person lets stay, so that the numbers are those of the list."""
        for text, of_text in zip(texts, found, strict=True):
            read = _Searched(document_id, text, of_text, full_names)
            for each in of_text:
                self._pseudonym(read, each)
            self._searched.append(read)

    def _decide(self, read: _Searched) -> None:
        stays = self._approval.kept
        going = [*self._added(read.text), *(each for each in read.found if self._item(read.text, each) not in stays)]
        named = tuple((each, self._pseudonym(read, each)) for each in _apart(going))
        self._rewritten[read.document_id, read.text] = _Rewritten(read.text, named)

    def _pseudonym(self, read: _Searched, found: PersonalSpan) -> str:
        return self._pseudonyms.of(found.kind, key_of(found.kind, read.text[slice(*found.span)], read.full_names))

    def _added(self, text: str) -> Iterator[PersonalSpan]:
        for kind, words in self._approval.added:
            yield from (PersonalSpan(Span(*match.span()), kind) for match in re.finditer(_spelt(words), text))

    @staticmethod
    def _item(text: str, found: PersonalSpan) -> Item:
        return found.kind, folded(text[slice(*found.span)])


def _names(texts: Sequence[str], found: Sequence[Sequence[PersonalSpan]]) -> list[str]:
    return [
        folded(text[slice(*each.span)])
        for text, of_text in zip(texts, found, strict=True)
        for each in of_text
        if each.kind is Kind.PERSON
    ]


def _spelt(words: str) -> str:
    """A pattern of these words, however they are spaced."""
    return r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())) + r"(?!\w)"


def _apart(found: Sequence[PersonalSpan]) -> tuple[PersonalSpan, ...]:
    """Stretches in order, of overlapping ones the first given."""
    apart: list[PersonalSpan] = []
    for each in found:
        if not each.span.overlaps_any(other.span for other in apart):
            apart.append(each)
    return tuple(sorted(apart))
