"""The analyser of legal text: what counts as one term, for the index and for queries alike. Knows nothing of ranking.

Bump `ANALYSER_VERSION` with every change that alters a term: the next index run then builds the index anew. Until then
an index of an earlier version is searched with the rules of this one and lacks only the words that the change is about.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from operator import itemgetter

from briefbank.law.legal_numbers import LOOKS_LEGAL, SUBDIVISION_MARKS, reporter_key, rule_number
from briefbank.values.records import Span

ANALYSER_VERSION = "legal-english-3"

_REPORTERS = (
    r"n\.?\ ?j\.?(?:\ ?super\.?|\ ?l\.?|\ ?eq\.?)?|u\.?\ ?s\.?|s\.?\ ?ct\.?|l\.?\ ?ed\.?(?:\ ?2d)?"
    r"|f\.?\ ?supp\.?(?:\ ?[23]d)?|f\.?\ ?(?:2d|3d|4th)|f\.?\ ?app'?x\.?|f\.?\ ?r\.?\ ?d\.?"
    r"|(?:[asp]|n\.?\ ?[ew]|s\.?\ ?[ew]|so)\.?(?:\ ?[23]d)?|n\.?\ ?y\.?(?:\ ?s\.?)?(?:\ ?[23]d)?|cal\.?(?:\ ?[2-5]th)?"
    r"|n\.?\ ?j\.?\ ?tax|(?:tex|pa|md|mass|conn|ill|ohio)\.?(?:\ ?crim\.?\ ?app\.?)?|wl|lexis"
)
_SUBDIVISION = rf"(?:\s?\(\s?(?:{SUBDIVISION_MARKS}|cc|dd|ee|ff)\s?\))"
_STATUTE = rf"\d+[a-z]?\s?:\s?\d+[a-z]?(?:\s?-\s?\d+(?:\.\d+)*[a-z]?)?(?![a-z]){_SUBDIVISION}*"
_NUMBER = rf"\d[0-9a-z]*(?:(?:[-.:/]|,(?=\d{{3}}\b))[0-9a-z]*\d[0-9a-z]*)*{_SUBDIVISION}*"
_TOKEN = re.compile(
    r"[a-z]{2,}+(?![0-9'-])"  # most words, tried first for speed
    r"|[a-z](?:\.[a-z])+\b\.?"
    r"|[a-z]+-\d[0-9a-z]*(?:-\d+)*"
    r"|[a-z][a-z0-9]*(?:'[a-z]+)*"
    rf"|\d{{1,4}}\s(?:{_REPORTERS})\s\d{{1,7}}\b"
    rf"|{_STATUTE}"
    rf"|{_NUMBER}"
    r"|[§¶]"
)
_LEGAL = re.compile(rf"{LOOKS_LEGAL}|\d .+ \d")
"""As a rule's number, or as volume, reporter and page."""
_OWN_STEMS = {
    form: forms.split()[0]
    for forms in (
        *("objective objectives objectively", "several severally", "probative", "probate probated", "testimonial"),
        *("executive executives", "informant informants", "important importance importantly"),
        *("department departments departmental", "apartment apartments"),
    )
    for form in forms.split()
}
"""Words that the stemmer makes one with others of another sense: objection, sever, probation, testimony, execution,
information, import, depart, apart. By words alone, NDCG@10 over 70 defenders' queries went from .6655 to .6677 with it,
one query up and none down, on 24 November 2026."""
_FIRST: Callable[[tuple[str, ...]], str] = itemgetter(0)
_NAMED_SIGNS = {"§": "section", "¶": "paragraph"}

_STOP_WORDS = frozenset(
    """a about above after again against all also am an and any are aren't as at be because been before being below
    between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each few for
    from further had hadn't has hasn't have haven't having he her here hers herself him himself his how i if in into is
    isn't it its itself just let's may me might more most must mustn't my myself no nor not now of off on once only or
    other ought our ours ourselves out over own same shall shan't she should shouldn't so some such than that the their
    theirs them themselves then there these they this those through to too under until up upon very was wasn't we were
    weren't what when where whether which while who whom whose why will with within without won't would wouldn't you
    your yours yourself yourselves § ¶""".split()
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token, where it stands, its folded characters, and its terms: its own first, then those of what it is part of.

    `2C:11-3(a)(1)` has the terms `2c:11-3(a)(1)`, `2c:11-3(a)`, `2c:11-3` and `2c:11`: whoever looks for the section
    finds the passage that cites its paragraph.
    """

    span: Span
    surface: str
    terms: tuple[str, ...]

    @property
    def term(self) -> str:
        return self.terms[0]

    @property
    def is_number(self) -> bool:
        return _is_number(self.surface)

    @property
    def is_legal_number(self) -> bool:
        """Whether this is built like a citation, rule or statute, not like a plain number."""
        return self.is_number and bool(_LEGAL.search(self.term))

    @property
    def is_stop_word(self) -> bool:
        return self.surface in _STOP_WORDS


def tokenise(text: str, among: AbstractSet[str] | None = None) -> list[Token]:
    """The tokens of a text in order, with their character spans in it; those alone with a term `among` some."""
    folded, origins = _fold(text)
    tokens = []
    for match in _TOKEN.finditer(folded):
        surface = match.group()
        terms = _terms_of(surface)
        if among is not None and among.isdisjoint(terms):
            continue
        start, end = match.span()
        span = Span(start, end) if origins is None else Span(origins[start], origins[end - 1] + 1)
        tokens.append(Token(span, surface, terms))
    return tokens


def surfaces(text: str) -> list[str]:
    """The folded characters of each token of a text, in order."""
    found: list[str] = _TOKEN.findall(text.translate(_FOLDS))
    return found


def index_terms(text: str) -> list[str]:
    """All terms of a text, stop words included: what `tokenise` yields, without spans, several times as fast."""
    return list(chain.from_iterable(map(_terms_of, surfaces(text))))


def own_terms(surfaces: Iterable[str]) -> list[str]:
    """The first and most specific term of each token."""
    return list(map(_FIRST, map(_terms_of, surfaces)))


def is_telling(term: str) -> bool:
    """Whether a term is neither a number nor a word of grammar."""
    return not _is_number(term) and term not in _stop_terms()


def _is_number(surface: str) -> bool:
    return not surface.isalpha() and any(character.isdigit() for character in surface)


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(own_terms(_STOP_WORDS))


@cache
def _stemmer() -> Callable[[str], str]:
    from Stemmer import Stemmer

    stem: Callable[[str], str] = Stemmer("english").stemWord
    return stem


@lru_cache(maxsize=200_000)
def _terms_of(surface: str) -> tuple[str, ...]:
    if surface in _NAMED_SIGNS:
        return (_NAMED_SIGNS[surface],)
    if not _is_number(surface):
        word = surface.replace(".", "") if "." in surface else surface.removesuffix("'s").replace("'", "")
        return (_OWN_STEMS.get(word) or _stemmer()(word),)
    if " " in surface and (citation := _citation(surface)):
        return (citation,)
    return _number_terms(re.sub(r"\s", "", surface).replace(",", ""))


def _citation(surface: str) -> str | None:
    """`170 N. J. 632` as `170 nj 632`; None where the middle is no reporter (`803 (c)`)."""
    volume, _, rest = surface.partition(" ")
    reporter, _, page = rest.rpartition(" ")
    letters = reporter_key(reporter)
    return f"{volume} {letters} {page}" if volume.isdigit() and page.isdigit() and letters and "(" not in rest else None


def _number_terms(number: str) -> tuple[str, ...]:
    """The number in its canonical form, then its prefixes from the longest."""
    base, steps = rule_number(number)
    terms = [base]
    for step in steps:
        terms.append(f"{terms[-1]}({step})")
    terms.reverse()
    if ":" in base and "-" in base:
        terms.append(base.partition("-")[0])
    return tuple(terms)


class _Folds(dict[int, str]):
    """What each character becomes, worked out when it is first met: plain lower-case text, several characters or none.

    It never depends on what stands around it: a passage would else be found by a word or not for a sign elsewhere.
    """

    def __missing__(self, code: int) -> str:
        self[code] = fold = _fold_of(chr(code))
        return fold


def _fold_of(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Mn", "Cf"):  # combining accents, soft hyphens, joiners
        return ""
    if category.startswith("Z") or character.isspace():
        return " "
    if not (category[0] in "LN" or character in _FULL_WIDTH):  # signs part words: `Taser\N{TRADE MARK SIGN}` is `taser`
        return character
    parts = unicodedata.normalize("NFKD", character).lower().replace("\N{FRACTION SLASH}", "/")
    plain = "".join(each for each in parts if unicodedata.category(each) not in ("Mn", "Cf"))
    is_apart = category == "No" and not unicodedata.decomposition(character).startswith("<sub>")
    return f" {plain}" if is_apart else plain  # 1\N{VULGAR FRACTION ONE HALF} is no 11/2, a footnote's mark no digit


_FULL_WIDTH = frozenset(map(chr, range(0xFF01, 0xFF5F)))
_FOLDS = _Folds(
    {
        **{ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
        **{ord(quote): "'" for quote in "\u2018\u2019\u201a\u201b\u02bc\u2032\u0060\u00b4"},
        **dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-"),
        **dict.fromkeys(map(ord, "Ææ"), "ae"),
        **dict.fromkeys(map(ord, "Œœ"), "oe"),
        **dict.fromkeys(map(ord, "ßẞ"), "ss"),
    }
)


def _fold(text: str) -> tuple[str, list[int] | None]:
    """Plain lower-case text and, where a character became several or none, the offset in `text` of each of its own."""
    folded = text.translate(_FOLDS)
    if all(len(_FOLDS[code]) == 1 for code in map(ord, set(text))):
        return folded, None
    return folded, [offset for offset, character in enumerate(text) for _ in _FOLDS[ord(character)]]
