"""Whether a page's text layer is text that somebody could read, or the debris of a bad OCR or a missing font map.

Judges words alone; must not know what kind of file they come from.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

_FUNCTION_WORDS = frozenset(
    "a an and are as at be been but by did for from had has have he her his i if in is it its no not of on or our out "
    "she so state court that the their there this to under v was we were when which who will with would you".split()
)
_PUNCTUATION = ".,;:!?()[]{}<>\"'“”‘’«»§¶*•·–—-_/\\|%$&+=#@…"
_WORD = re.compile(r"[a-z]+(?:['’\-–—/.&][a-z]+)*", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouyáéíóúàèäöü]", re.IGNORECASE)
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6}", re.IGNORECASE)
_FIGURE = re.compile(r"[a-z]{0,3}(?=[:.,()\-–/§]{0,200}\d)[\d:.,()\-–/§]++[a-z]{0,3}[\d()]*", re.IGNORECASE)

_CONTROLS = "".join(map(chr, (*range(32), 127)))
_MAX_BAD_CHARACTERS = 0.1
_MIN_WORDS = 12
"""Words below which only the characters are judged: a page number or a stamp proves nothing."""

_LONGEST_WORD = 60
_MIN_PLAUSIBLE = 0.6
_MIN_PLAUSIBLE_SCAN = 0.75
"""A hidden layer over a scan comes from OCR; ours replaces it sooner than it would a born-digital text."""

_PROSE_LETTERS, _MIN_VOWELS = 200, 0.22
"""English is 38 % vowels, tables of statutes 28 %; fonts whose map is shifted by some letters give about 15 %."""

_PROSE_SHARE = 0.15
"""Share of common words from which a visible text needs no closer look; briefs have about a third."""


def is_usable(words: Sequence[str], *, is_hidden: bool = False) -> bool:
    """Tell whether `words`, in page order, are worth keeping; `is_hidden` says that they lie unseen over a scan."""
    characters = "".join(words)
    if not characters:
        return False
    if _bad_count(characters) > _MAX_BAD_CHARACTERS * len(characters):
        return False
    if len(words) < _MIN_WORDS or _is_other_script(characters):
        return True
    if not is_hidden and sum(word.lower() in _FUNCTION_WORDS for word in words) >= _PROSE_SHARE * len(words):
        return True
    stripped = [core for word in words if (core := word.strip(_PUNCTUATION))]
    if len(stripped) < _MIN_WORDS:
        return True
    plausible = sum(map(_is_plausible, stripped)) / len(stripped)
    if plausible < (_MIN_PLAUSIBLE_SCAN if is_hidden else _MIN_PLAUSIBLE):
        return False
    letters = [character for core in stripped for character in core if character.isalpha()]
    vowels = len(_VOWEL.findall("".join(letters)))
    return len(letters) < _PROSE_LETTERS or vowels >= _MIN_VOWELS * len(letters)


def _bad_count(characters: str) -> int:
    """Characters that no font map gave: replacement, private use, unassigned and control characters."""
    if characters.isascii():
        return 0 if characters.isprintable() else sum(map(characters.count, _CONTROLS))
    return sum(
        characters.count(character)
        for character in set(characters)
        if character == "\ufffd" or unicodedata.category(character) in ("Co", "Cn", "Cc", "Cs")
    )


def _is_other_script(characters: str) -> bool:
    letters = [character for character in characters if character.isalpha()]
    return sum(character > "\u024f" for character in letters) > 0.5 * len(letters)


def _is_plausible(core: str) -> bool:
    """Whether a word without its outer punctuation looks like a word, an abbreviation or a figure."""
    if len(core) > _LONGEST_WORD:
        return False
    if _FIGURE.fullmatch(core):
        return True
    if len(core) == 1:
        return core.lower() in "aivx" or core.isupper()
    plain = unicodedata.normalize("NFKD", core).encode("ascii", "ignore").decode()
    if not _WORD.fullmatch(plain):
        return False
    if len(plain) <= 3 or plain.isupper():
        return True
    is_mixed = any(a.islower() and b.isupper() for a, b in pairwise(plain))
    is_name = bool(re.match(r"(?:Mc|Mac|De|La|[A-Z][a-z]+[A-Z][a-z]+$)", plain))
    return bool(_VOWEL.search(core)) and not _CONSONANTS.search(plain) and (not is_mixed or is_name)
