"""One page of a PDF to lines of words, and whether its text layer will do; knows MuPDF's structures, not files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, groupby, pairwise
from sys import intern
from typing import Any

from briefbank.ingest.readers.lines import Fragment, join_fragments
from briefbank.ingest.readers.mupdf import import_pymupdf
from briefbank.ingest.readers.pictures import is_large_enough
from briefbank.ingest.readers.visibility import PageVisibility, PaintLog, Visibility, is_doubtful, is_drawn
from briefbank.law.word_lists import ordinary_words, rare_words
from briefbank.values.records import Box, Line, Page, TextSource, Word

_SUPERSCRIPT, _ITALIC, _BOLD = 1, 2, 16
_UNDERLINED = 2
"""Bits of MuPDF's `flags` (first line) and `char_flags` (second) of a span."""

_TOKEN = re.compile(r"[^\x00-\x20\xa0\u202a-\u202e]+")
"""What MuPDF takes for a word when it lists words with their boxes."""

_FEW_WORDS = 100
"""Words below which the pictures of a page are looked at: a stamp over a scan has fewer."""

_FEW_HIDDEN_WORDS = 12
"""The same for an unseen layer, which is a whole page's OCR unless it is next to nothing."""

_SCAN_SHARE = 0.5
_PICTURE_SHARE = 0.03
"""Share of the page that pictures must cover to be taken for a scan, and to be looked into where there is no text."""

_FILLED_SHAPES = 40
"""Filled shapes from which a page without text may be text drawn as shapes."""

_LABEL_WORDS = 5
"""Words on a picture up to which it may be one of text: "Exhibit A", a number. On a ground there are more."""

_STRUCK_EM = 0.15
"""Shift, in heights of a line, up to which its second printing only makes it bold."""

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

_GARBLED_LETTERS, _BULLET_LETTERS, _LEAST_DISTINCT = 50, 2, 8
"""Letters of a font on a page from which its map is judged, in words of more than bullets have, and how many of them
are different ones: ornaments have two or three. Chosen so that no page of 107 filed briefs (4,475) is taken for such.
"""

_LETTER_RUN = re.compile(r"[a-z]{3,}")
_FEW_VOWELS, _KNOWN_SHARE = 0.26, 0.2
"""Share of vowels, and of words that the lists have, below which letters are not those of the page. Chosen as those."""

_SURE_ENGLISH = re.compile(r"\b(?:the|and|that|was|with|for)\b", re.IGNORECASE)
_MOST_GARBLED = 0.8
"""Share of a page's text that is garbled from which all of it is left to the judgement on the page."""

_PROSE_SHARE = 0.15
"""Share of common words from which a visible text needs no closer look; briefs have about a third."""


def read_page(source: Any, number: int, *, with_unseen_layer: bool = True) -> tuple[Page, bool]:
    """Read a `pymupdf.Page`; the second value tells whether OCR should read the page.

    A text layer that is not usable is left out, so the lines of a page meant for OCR are worth keeping: filing stamps.
    Blocks whose font names other letters than it draws are read as pictures of text are, in their places.
    Words that the page does not show are left out too, unless they are most of it and lie over or under a picture: the
    layer that another program's OCR made (the source UNSEEN), which `with_unseen_layer` keeps.
    """
    pymupdf = import_pymupdf()
    log = PaintLog(source)
    # Underlines are looked for only where shapes are drawn: that takes MuPDF four times as long as the text alone.
    # What the file says that its letters stand for (ActualText) is not believed: a page shows the letters.
    flags = pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_IGNORE_ACTUALTEXT
    text_page = source.get_textpage(flags=flags | (pymupdf.TEXT_COLLECT_STYLES if log.has_shapes else 0))
    blocks, wrong = _by_font_maps(text_page.extractDICT()["blocks"])
    visibility = PageVisibility(source, log)
    layers = _Layers(blocks, text_page.extractWORDS(), visibility)
    is_layer = layers.is_mostly_unseen and (log.picture_share >= _PICTURE_SHARE or log.filled_shapes >= _FILLED_SHAPES)
    turn = _turn(blocks, source.rotation)
    fragments = list(layers.fragments(turn, source.rotation, with_unseen=is_layer and with_unseen_layer))
    matrix, width, height = _placement(source, turn)
    if matrix is not None:
        fragments = [_moved(fragment, matrix) for fragment in fragments]
    lines = join_fragments(fragments)
    words = [word.text for line in lines for word in line.words]
    is_debris = bool(words) and not _is_usable(words, is_hidden=is_layer)
    needs_ocr = is_debris or _is_picture(log, len(words), is_hidden=is_layer)
    left_out = log.texts_off_page + (0 if is_layer else layers.unseen_count)
    pictures: tuple[Box, ...] = ()
    if log.pictures and not needs_ocr and not is_layer:
        pictures = tuple(_pictures_of_text(source, log, visibility, lines, matrix))
    if wrong and not needs_ocr and not is_layer:
        rects = [pymupdf.Rect(block["bbox"]) * (matrix or pymupdf.Identity) for block in wrong]
        pictures += tuple(Box(*rect) for rect in rects if not any(rect.intersects(each) for each in pictures))
    if not words or is_debris or (needs_ocr and is_layer):
        rect = source.rect
        page = Page(number, rect.width, rect.height, (), TextSource.NONE)
    else:
        kind = TextSource.UNSEEN if is_layer and with_unseen_layer else TextSource.TEXT_LAYER
        page = Page(number, width, height, lines, kind, rotation_deg=turn)
    return replace(page, left_out=left_out, blacked_out=layers.blacked_out, pictures=pictures), needs_ocr


def _pictures_of_text(
    source: Any, log: PaintLog, visibility: PageVisibility, lines: Sequence[Line], matrix: Any
) -> Iterator[Box]:
    """The places, on the page as it is read, of pictures of text; of several in one place the greatest. What has more
    words on it than a label is a ground for these.
    """
    rect = import_pymupdf().Rect
    taken: list[Any] = []
    for picture in sorted(log.pictures, key=lambda box: (box.x0 - box.x1) * (box.y1 - box.y0)):
        place = rect(picture) & rect(0, 0, log.width, log.height)
        if not is_large_enough(place.width, place.height) or any(each.intersects(place) for each in taken):
            continue
        read_at = place if matrix is None else place * matrix
        inside = sum(read_at.contains(rect(word.box)) for line in lines for word in line.words)
        if inside <= _LABEL_WORDS and visibility.shows_type(Box(*(place * source.rotation_matrix))):
            taken.append(place)
            yield Box(*read_at)


class _Layers:
    """The words of a page in the order of the file: those that it shows, and those that it does not."""

    def __init__(
        self, blocks: Sequence[dict[str, Any]], boxed: Sequence[tuple[Any, ...]], visibility: PageVisibility
    ) -> None:
        self._visibility = visibility
        self._lines = list(_lines(blocks, boxed))
        self._verdicts = visibility.of_words([word for _, words in self._lines for word in words])
        self.unseen_count = self._verdicts.count(Visibility.UNSEEN)

    @property
    def is_mostly_unseen(self) -> bool:
        return self.unseen_count > self._verdicts.count(Visibility.VISIBLE)

    @property
    def blacked_out(self) -> int:
        """How many stretches of words are blacked out."""
        return sum(verdict is Visibility.BLACKED_OUT for verdict, _ in groupby(self._verdicts))

    def fragments(self, turn: int, rotation: int, *, with_unseen: bool) -> Iterator[Fragment]:
        """What the page shows, `with_unseen` also the unseen words where it shows some print, as it does where another
        program's OCR read them. `turn` is what `_turn` gives.
        """
        verdicts = iter(self._verdicts)
        for line, words in self._lines:
            spans, told = line["spans"], zip(words, verdicts, strict=False)
            kept = [word for (word, _), verdict in told if self._is_kept(word, verdict, with_unseen=with_unseen)]
            if kept:
                drawn = spans if with_unseen else [span for span in spans if is_drawn(span)]
                is_turned = (_quarter(line["dir"]) + (rotation + turn) // 90) % 4 != 0
                yield replace(_fragment(drawn or spans, kept), is_turned=is_turned)

    def _is_kept(self, word: Word, verdict: Visibility, *, with_unseen: bool) -> bool:
        is_layer = with_unseen and verdict is Visibility.UNSEEN and self._visibility.has_ink(word.box)
        return verdict is Visibility.VISIBLE or is_layer


def _lines(
    blocks: Sequence[dict[str, Any]], boxed: Sequence[tuple[Any, ...]]
) -> Iterator[tuple[dict[str, Any], list[tuple[Word, dict[str, Any]]]]]:
    """Each line, and its words with the span (font) that each begins in. MuPDF gives the boxes of words apart,
    in the same order.
    """
    at: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
    for word in boxed:
        at.setdefault((word[5], word[6]), []).append(word)
    struck: dict[str, list[Sequence[float]]] = {}
    for block in blocks:
        for index, line in enumerate(block.get("lines", ())):
            text, place = "".join(span["text"] for span in line["spans"]), line["bbox"]
            before = struck.setdefault(text, [])
            if any(_is_same_place(place, each) for each in before):
                continue
            before.append(place)
            words = _words(line["spans"], at.get((block["number"], index), []))
            if words:
                yield line, words


def _is_same_place(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two boxes of the same words lie on one another: a line that was struck twice to look bold."""
    reach = _STRUCK_EM * (one[3] - one[1])
    return all(abs(a - b) < reach for a, b in zip(one, other, strict=True))


def _words(spans: Sequence[dict[str, Any]], boxed: Sequence[tuple[Any, ...]]) -> list[tuple[Word, dict[str, Any]]]:
    """Cut a line into words; a change to or from superscript ends a word too, so that note marks stand alone, and so
    does one to or from letters that may not be seen.
    """
    text = "".join(span["text"] for span in spans)
    tokens = list(_TOKEN.finditer(text))
    if len(tokens) != len(boxed):
        return [
            (_word(span, span["bbox"], token.group()), span)
            for span in spans
            for token in _TOKEN.finditer(span["text"])
        ]
    looks = [(span["flags"] & _SUPERSCRIPT, is_doubtful(span)) for span in spans]
    if len({(look, span["flags"] & _ITALIC) for look, span in zip(looks, spans, strict=True)}) == 1:
        return [(_word(spans[0], boxed_word[:4], boxed_word[4]), spans[0]) for boxed_word in boxed]
    words: list[tuple[Word, dict[str, Any]]] = []
    starts = [0, *accumulate(len(span["text"]) for span in spans)]
    index = 0
    for token, boxed_word in zip(tokens, boxed, strict=True):
        while index + 1 < len(spans) and starts[index + 1] <= token.start():
            index += 1
        words.extend(_pieces(token, Box(*boxed_word[:4]), spans, starts, index, looks))
    return words


def _pieces(
    token: re.Match[str],
    box: Box,
    spans: Sequence[dict[str, Any]],
    starts: Sequence[int],
    first: int,
    looks: Sequence[tuple[int, bool]],
) -> Iterator[tuple[Word, dict[str, Any]]]:
    main, start, x0 = first, token.start(), box.x0
    for index in range(first + 1, len(spans)):
        if starts[index] >= token.end():
            break
        if looks[index] != looks[main] and starts[index] > start:
            cut = min(max(spans[index]["bbox"][0], x0), box.x1)
            yield _word(spans[main], (x0, box.y0, cut, box.y1), token.string[start : starts[index]]), spans[main]
            main, start, x0 = index, starts[index], cut
    yield _word(spans[main], (x0, box.y0, box.x1, box.y1), token.string[start : token.end()]), spans[main]


def _word(span: dict[str, Any], box: Sequence[float], text: str) -> Word:
    flags = span["flags"]
    return Word(intern(text), Box(*box), 1.0, bool(flags & _SUPERSCRIPT), bool(flags & _ITALIC))


def _fragment(spans: Sequence[dict[str, Any]], words: Sequence[Word]) -> Fragment:
    letters = bold = italic = underlined = 0
    main, most = spans[0], -1
    for span in spans:
        count = len(span["text"].strip())
        letters += count
        bold += count if span["flags"] & _BOLD else 0
        italic += count if span["flags"] & _ITALIC else 0
        underlined += count if span["char_flags"] & _UNDERLINED else 0
        if count > most:
            main, most = span, count
    box = Box.around(word.box for word in words)
    return Fragment(tuple(words), box, main["size"], main["origin"][1], letters, bold, italic, underlined)


def _turn(blocks: Sequence[dict[str, Any]], rotation: int) -> int:
    """Degrees clockwise by which the page, as a viewer shows it, must be turned to read most of its text upright."""
    weights = [0, 0, 0, 0]
    for block in blocks:
        for line in block.get("lines", ()):
            weights[(_quarter(line["dir"]) + rotation // 90) % 4] += sum(len(span["text"]) for span in line["spans"])
    return 90 * ((4 - max(range(4), key=lambda quarter: (weights[quarter], -quarter))) % 4)


def _quarter(direction: Sequence[float]) -> int:
    """By how many quarters clockwise a line runs otherwise than from left to right, in MuPDF's unrotated text space."""
    dx, dy = direction
    return (0 if dx > 0 else 2) if abs(dx) >= abs(dy) else (1 if dy > 0 else 3)


def _placement(source: Any, turn: int) -> tuple[Any, float, float]:
    """The matrix from MuPDF's unrotated text space to the page as read (None if they are one), and that page's size."""
    pymupdf = import_pymupdf()
    rect = source.rect
    if not turn:
        return (source.rotation_matrix if source.rotation else None), rect.width, rect.height
    turned = pymupdf.Matrix(1, 1).prerotate(turn)
    corner = (rect * turned).top_left
    matrix = source.rotation_matrix * turned * pymupdf.Matrix(1, 0, 0, 1, -corner.x, -corner.y)
    sizes = (rect.width, rect.height) if turn == 180 else (rect.height, rect.width)
    return matrix, *sizes


def _moved(fragment: Fragment, matrix: Any) -> Fragment:
    rect = import_pymupdf().Rect
    words = tuple(replace(word, box=Box(*(rect(word.box) * matrix))) for word in fragment.words)
    box = Box.around(word.box for word in words)
    return replace(fragment, words=words, box=box, baseline=box.y1 - 0.2 * fragment.size_pt)


def _is_picture(log: PaintLog, word_count: int, *, is_hidden: bool) -> bool:
    """Whether pictures, or text drawn as shapes, may say what the page's few words do not."""
    if word_count >= (_FEW_HIDDEN_WORDS if is_hidden else _FEW_WORDS):
        return False
    if word_count:
        return log.picture_share >= _SCAN_SHARE
    return log.picture_share >= _PICTURE_SHARE or log.filled_shapes >= _FILLED_SHAPES


def _is_usable(words: Sequence[str], *, is_hidden: bool) -> bool:
    """Whether words, in page order, are text that somebody could read, or the debris of a bad OCR or a missing font
    map; `is_hidden` says that they lie unseen over a scan.
    """
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


def _by_font_maps(blocks: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The blocks that can be read, and those with letters of a font whose map says what nobody would write. Where all
    are such, the page as a whole is judged.
    """
    by_font: dict[str, list[str]] = {}
    for span in (span for block in blocks for line in block.get("lines", ()) for span in line["spans"]):
        by_font.setdefault(span["font"], []).append(span["text"])
    fonts = {font for font, texts in by_font.items() if _is_garbled(" ".join(texts))}
    if not fonts:
        return list(blocks), []
    sides: tuple[list[dict[str, Any]], list[dict[str, Any]]] = [], []
    for block in blocks:
        sides[bool(_fonts_of(block) & fonts)].append(block)
    if sum(map(_letters_of, sides[True])) >= _MOST_GARBLED * sum(map(_letters_of, blocks)):
        return list(blocks), []
    return sides


def _fonts_of(block: dict[str, Any]) -> set[str]:
    return {span["font"] for line in block.get("lines", ()) for span in line["spans"] if not span["text"].isspace()}


def _letters_of(block: dict[str, Any]) -> int:
    return sum(len(span["text"]) for line in block.get("lines", ()) for span in line["spans"])


def _is_garbled(text: str) -> bool:
    """Whether some text is none in any language that is written in Latin letters."""
    if len(text) < _GARBLED_LETTERS or _SURE_ENGLISH.search(text):
        return False
    words = [word for word in text.split() if len(word) > _BULLET_LETTERS]
    characters = "".join(words)
    if len(characters) < _GARBLED_LETTERS or len(set(characters)) < _LEAST_DISTINCT:
        return False
    if _bad_count(characters) > _MAX_BAD_CHARACTERS * len(characters):
        return True
    runs = _LETTER_RUN.findall(text.lower())
    letters = "".join(runs)
    if len(letters) < _GARBLED_LETTERS // 2:
        return False
    plausible = sum(_is_plausible(word.strip(_PUNCTUATION).lower()) for word in words)
    if len(_VOWEL.findall(letters)) >= _FEW_VOWELS * len(letters) and plausible >= _MIN_PLAUSIBLE * len(words):
        return False
    return sum(run in ordinary_words() or run in rare_words() for run in runs) < _KNOWN_SHARE * len(runs)


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
