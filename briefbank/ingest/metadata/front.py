"""The front of a document: the lines of its first pages, and the stamps on its first page.

Lines in capitals are written in ordinary case: `STATE V. MCDONALD` as `State v. McDonald`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from briefbank.ingest.metadata.stamps import Fragment, Stamp, fragments_of
from briefbank.values.records import Line, Reading

_SMALL_WORDS = frozenset("a an and as at by for from in of on or the to v vs with".split())
_ALWAYS_CAPITALS = frozenset("llc llp pllc nj ny nyc usa us dwi dui dna fbi dea aclu dcpp dyfs ii iii".split())
_NUMBERED = frozenset("appendix article chapter count part point section title volume".split())
"""Nouns that a Roman numeral follows, so that a `V` behind them is a five and no "versus"."""
_MAC_NAMES = frozenset(
    "macalister macallister macarthur macaulay macdonald macdonnell macdougall macdougal macdowell macduff macfarland"
    " macfarlane macgregor macguire macinnes macinnis macintosh macintyre macisaac maclachlan maclaine maclaren maclean"
    " macleod macmahon macmanus macmillan macmurray macnair macnamara macnaughton macneal macneil macneill macphail"
    " macpherson macqueen macrae mactavish macvicar".split()
)
"""Names with a second capital; others that begin so have none (Mack, Macias, Macedo), nor have words (machine)."""
_NUMERAL = re.compile(r"(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})")
_INITIALS = re.compile(r"(?:[a-z]\.){2,}|a\.")
"""Initials of a name; "A." alone is one too, and no article. Other single letters have their capital anyhow."""
_ORDINAL = re.compile(r"\d{1,6}(?:st|nd|rd|th|s)\b")
_LETTERS = re.compile(r"[^\W\d_]+")
_CONTRACTED = frozenset("s t d m ll re ve".split())
_EDGES = "()[]“”\"'’,;:.!?"

_FRONT_PAGES = 3
"""Pages with text that a cover, its caption and a second title page take."""
_LINE_NUMBER = re.compile(r"\d{1,2}(?=\s|$)")
_SPACE = 1.3
"""Step between two lines, as a multiple of the next one's, that parts what stands above it from what stands below."""
_FEWEST_NUMBERED = 8
_SHARE_NUMBERED = 0.8
"""Lines in a row, and the share of those with a number, from which the numbers count the lines."""


def title_case(text: str) -> str:
    """Write a line that is all in capitals as a title; leave others, and numbers with letters, as they are."""
    if text.upper() != text:
        return text
    words = text.split()
    return " ".join(_cased(word, number, words) for number, word in enumerate(words))


def _cased(word: str, number: int, words: list[str]) -> str:
    lower = word.lower()
    bare = lower.strip(_EDGES)
    is_inside = 0 < number < len(words) - 1
    before = words[number - 1].lower() if number else ""
    if _INITIALS.fullmatch(lower.strip("()[]“”\"'’,;:")):
        return word
    if number and bare in _SMALL_WORDS and (not bare.startswith("v") or (is_inside and before not in _NUMBERED)):
        return lower
    if bare in _ALWAYS_CAPITALS or _NUMERAL.fullmatch(bare):
        return word
    if any(map(str.isdigit, word)) and not _ORDINAL.search(lower):
        return word
    return _LETTERS.sub(_capitalised, lower)


def _capitalised(match: re.Match[str]) -> str:
    """A run of letters with its capitals; what stands before it in its word says whether it has any."""
    letters, before = match[0], match.string[: match.start()]
    if before.endswith(("'", "’")) and (letters in _CONTRACTED or len(letters) == 1) and len(before) > 1:
        return letters
    if before and before[-1].isalnum():
        return letters
    if letters in _MAC_NAMES:
        return f"Mac{letters[3:].capitalize()}"
    if letters.startswith("mc") and len(letters) > 3:
        return f"Mc{letters[2:].capitalize()}"
    return letters.capitalize()


@dataclass(frozen=True, slots=True)
class Front:
    """`cover` are the lines of the first page, `pages` those of the first three; `stamps` in the order of trust.

    `captions` are the lines of the first page without what stands in a column at its right, then those of each page,
    with an empty one where more space is between two than between their neighbours.
    """

    cover: tuple[str, ...]
    captions: tuple[tuple[str, ...], ...]
    pages: tuple[tuple[str, ...], ...]
    stamps: tuple[Stamp, ...]
    largest: str
    """The lines set in the largest type of the first page, joined."""

    @classmethod
    def of(cls, reading: Reading, stamps: tuple[Stamp, ...]) -> Self:
        """Take a reading without its stamps, and these."""
        pages = [page for page in reading.pages if page.lines][:_FRONT_PAGES]
        first = pages[0].lines if pages else ()
        fragments = [[each for line in page.lines for each in fragments_of(line)] for page in pages]
        texts = tuple(_unnumbered([_plain(each.text) for each in page]) for page in fragments)
        middle = pages[0].width_pt / 2 if pages else 0.0
        left = [each for page in fragments[:1] for each in page if each.box.x0 < middle]
        captions = tuple(map(_spaced, (left, *fragments)))
        return cls(texts[0] if texts else (), captions, texts, stamps, _largest(first))


def _plain(text: str) -> str:
    return re.sub(r"[_⎯─═*~◆♦§]{2,}|^[\s§♦⎯)|]+|(?<![\s§♦⎯(|])[\s§♦⎯(|]+$", " ", text).strip()


def _unnumbered(texts: Sequence[str]) -> tuple[str, ...]:
    """The lines without the numbers that pleading paper has beside them."""
    numbered = [int(found[0]) for text in texts if (found := _LINE_NUMBER.match(text))]
    rising = sum(after == before + 1 for before, after in pairwise(numbered))
    if rising < _FEWEST_NUMBERED or rising < _SHARE_NUMBERED * (len(numbered) - 1):
        return tuple(texts)
    return tuple(_LINE_NUMBER.sub("", text).strip() for text in texts)


def _spaced(fragments: Sequence[Fragment]) -> tuple[str, ...]:
    """The lines, with an empty one between two that are further apart than either is from the next."""
    steps = [below.box.y0 - above.box.y0 for above, below in pairwise(fragments)]
    spaced: list[str] = []
    for number, text in enumerate(_unnumbered([_plain(each.text) for each in fragments])):
        near = [each for each in (*steps[max(0, number - 2) : number - 1], *steps[number : number + 1]) if each > 1]
        is_apart = bool(number and near) and steps[number - 1] > _SPACE * min(near, default=0.0)
        spaced += ["", text] if is_apart else [text]
    return tuple(spaced)


def _largest(lines: tuple[Line, ...]) -> str:
    if not lines:
        return ""
    size = max(line.size_pt for line in lines)
    return " ".join(line.text for line in lines if line.size_pt > size - 0.6)
