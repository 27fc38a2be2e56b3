"""Finds the sentences of legal prose; must not know documents, sections or passages.

nupunkt's statistical model, trained on legal text and shipped inside its package, decides; the rules here overrule it
where counting on real briefs showed it wrong: record cites, footnote marks, ellipses, list numbers, Roman articles.
"""

from __future__ import annotations

import re
from itertools import pairwise

from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_CLOSERS = "\"”’')\\]"
_CANDIDATE = bounded(
    rf"(?P<stop>[.?!…])[{_CLOSERS}]*(?P<note>[0-9]{{1,3}}|[*†‡¹²³⁰⁴-⁹]+)?[{_CLOSERS}]*(?P<gap>\s+)(?=\S)"
    r"|(?P<blank>\n[^\S\n]*\n\s*)(?=\S)"
    r"|[)\]]\s+(?=[(\[“\"‘]?[A-Z])"
)
_RECORD_CITE = re.compile(r"(?:[(\[](?=[^()\[\]]*[A-Z])(?=[^()\[\]]*[0-9])[^()\[\]]*[)\]]\s*)+")
"""Cites of the record behind the full stop of what they support, with none of their own: `He ran. (3RR 35) She …`."""
# Chosen on filed briefs, as are the other limits here.
_RECORD_CITE_LIMIT = 120
"""Characters of a bracket behind a full stop that may belong to the sentence before."""
_WORD_BEFORE = re.compile(r"[^\s(\[“\"‘—–-]+\Z")
_WORD_LIMIT = 40
"""Characters before a full stop that are looked at for the word that it ends."""
_FULL_WORD = bounded(r"[\w’'-]*[a-z]{3}\Z")
_LOWER_WORD = bounded(r"(?:[\w’'-]*[’'-])?[a-z]{3,}\Z")
_SENTENCE_OPENING = bounded(r"[(\[“\"‘']*[A-Z]|[“\"‘]")
_NO_OPENING = re.compile(r"[a-z,;:)\]”’.…]|[(\[][a-z]{2}")
_FOUR_DOTS = bounded(r"(?:\.\s?){3,}\.\Z")
_THREE_DOTS = bounded(r"(?:\.\s?){2,}\.\Z|…\Z")
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[)\]]?\.\s*\Z")

_ENUMERATOR_LIMIT = 12
_ENDING_BRACKETS = (")", "]", "”", '"')

_NEVER_LAST = frozenset(
    "v vs mr mrs ms messrs dr prof hon det sgt lt capt cpl ofc ptl insp atty ex exs exh exhs nos vol vols art arts "
    "amend cf e.g i.e viz u.s.c s.w f.supp penal.code subd unpub".split()
)
"""Abbreviations that introduce what follows, in lower case and without their last full stop."""

_ABBREVIATIONS = _NEVER_LAST | frozenset(
    "no para paras sec secs pet cert supp super app div crim civ stat ann code.ann cir dist dep dept rev rptr ref "
    "cal tex fla mass conn minn penn wash const evid proc gov govt assn bros corp inc ltd est approx ord jan feb mar "
    "apr aug sept oct nov dec jun jul reg regs res sess leg legis law.div twp cnty conf comm mot pros".split()
)
_FULL_IN_TITLE_CASE = frozenset("Code Court State Act Rule Rules Constitution Amendment County".split())
"""Capitalised words that the model takes for abbreviations, though briefs spell them out."""


def sentence_spans(text: str) -> list[Span]:
    """Spans of the sentences of `text`, in order; they tile it, white space belonging to the sentence before.

    A citation that follows a sentence is a sentence of its own. Method: Bommarito, Katz and Bommarito 2025,
    'Precise Legal Sentence Boundary Detection for Retrieval at Scale' (nupunkt), with rules on top.
    """
    from nupunkt import sent_spans

    if not text:
        return []
    by_model = sorted(end for _, end in sent_spans(text))
    cuts = [0]
    model_index = 0
    for match in _CANDIDATE.finditer(text, 0, len(text.rstrip())):
        while model_index < len(by_model) and by_model[model_index] <= match.start():
            model_index += 1
        said = model_index < len(by_model) and by_model[model_index] <= match.end()
        if _is_boundary(text, match, cuts[-1], model_says=said):
            cuts.append(match.end())
    cuts.append(len(text))
    return [Span(start, end) for start, end in pairwise(cuts)]


def _is_boundary(text: str, match: re.Match[str], sentence_start: int, *, model_says: bool) -> bool:
    if match["blank"] or match[0].count("\n") > 1:
        return True
    if match["stop"] is None:
        is_near = match.end() - sentence_start <= _RECORD_CITE_LIMIT
        return is_near and _RECORD_CITE.fullmatch(text, sentence_start, match.end()) is not None
    following = text[match.end() : match.end() + 12]
    is_enumerator = _ENUMERATOR.match(text[sentence_start : min(match.end(), sentence_start + _ENUMERATOR_LIMIT)])
    if _NO_OPENING.match(following) or is_enumerator:
        return False
    dots = text[max(sentence_start, match.start() - 8) : match.start() + 1]
    if _THREE_DOTS.search(dots):
        # Four dots end a sentence, three stand for words left out within it.
        return bool(_FOUR_DOTS.search(dots))
    opens = bool(_SENTENCE_OPENING.match(following))
    if match["stop"] != ".":
        return opens or model_says
    return _after_full_stop(text, match, following, opens=opens, model_says=model_says)


def _after_full_stop(text: str, match: re.Match[str], following: str, *, opens: bool, model_says: bool) -> bool:
    found = _WORD_BEFORE.search(text[max(0, match.start() - _WORD_LIMIT) : match.start()])
    word = found.group() if found else ""
    is_bare = match.end() - match.start() == 1 + len(match["gap"])
    is_abbreviation = word.lower() in _ABBREVIATIONS
    if is_bare and word.lower() in _NEVER_LAST:
        return False
    if is_bare and (following[0].isdigit() or following[0] in "§¶"):
        is_short = is_abbreviation or "." in word or not _LOWER_WORD.search(word)
        return model_says and not (is_short and word[-1:].isalpha())
    if opens and not is_abbreviation:
        ends_plainly = _LOWER_WORD.match(word) or word in _FULL_IN_TITLE_CASE or word.endswith(_ENDING_BRACKETS)
        is_noted = match["note"] is not None and (_FULL_WORD.match(word) or word.endswith(_ENDING_BRACKETS))
        if ends_plainly or is_noted or word == "Id":
            return True
    return model_says
