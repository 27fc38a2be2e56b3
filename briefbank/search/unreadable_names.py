"""Tells whoever searches of a file that could not be read and whose name holds words of the question: the best answer
may stand in it. Knows names and words, and nothing of what files hold.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from briefbank.index.generation import Generation
from briefbank.index.tokens import index_terms, tokenise
from briefbank.platform.visible import visible_name
from briefbank.values.unreadable import PAGES_MISSING, UnreadableFile

_MOST_NAMED = 3
"""Files that one search names; chosen, so that the notices leave room for the results."""
_RARE, _RARE_LEAST = 0.01, 2
_USUAL, _USUAL_LEAST = 0.15, 5
"""Shares of the passages that hold a word, and numbers of them in small banks, up to which one shared word is enough,
and up to which two are. Looked up in banks of 745 and 6,993 passages: what a brief is about stands in up to 15 %
(suppression 3 to 7, sentencing 5 to 15), what every brief says (State, court, trial, evidence) in 17 % and more.
"""
_SHORT_CHARS = 3
_OF_ANY_FILE = frozenset(
    "appendix brief copy directive doc document draft exhibit file final letter memo memorandum motion new old page"
    " part pdf revised scan scanned signed version".split()
)
"""Words that tell of a file and not of its matter: they count beside another word alone."""
_JOINS = dict.fromkeys(map(ord, "_-.,()[]"), " ")


class UnreadableNames:
    """The names of what one index lacks, by their words."""

    def __init__(self, generation: Generation) -> None:
        files = generation.unreadable.files if generation.unreadable else ()
        paths = [_with_slashes(each.path) for each in files]
        self._of_any_file = {term for word in _OF_ANY_FILE for term in index_terms(word)}
        root = _common_folder([*paths, *(_with_slashes(each.source_path) for each in generation.documents)])
        self._lexical, self._passages = generation.lexical, generation.info.passage_count
        self._names = [(each, _terms_of_name(path.removeprefix(root))) for each, path in zip(files, paths, strict=True)]

    def notices(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return a sentence for each file whose name holds what is asked for; `texts` are the question as it was
        written and as it was corrected.
        """
        if not self._names:
            return ()
        asked = {token.term for text in texts for token in tokenise(text) if not token.is_stop_word}
        asked = {term for term in asked if len(term) >= _SHORT_CHARS}
        shared = [(asked & terms, file) for file, terms in self._names if asked & terms]
        found = sorted((-len(terms), file.path, file) for terms, file in shared if self._is_enough(terms))
        told = [_told(file) for _, _, file in found[:_MOST_NAMED]]
        if more := len(found) - len(told):
            told.append(f"{more} more {'file' if more == 1 else 'files'} whose names match could not be read either.")
        return tuple(told)

    def _is_enough(self, shared: set[str]) -> bool:
        """Whether what a name and a question share is no chance: a rare word, or two that are not in every brief."""
        holders = {term: self._lexical.holders(term) for term in shared}
        rare = max(_RARE * self._passages, _RARE_LEAST)
        usual = max(_USUAL * self._passages, _USUAL_LEAST)
        telling = {term: count for term, count in holders.items() if count <= usual and term not in self._of_any_file}
        has_rare = any(count <= rare and not term.isdigit() for term, count in telling.items())
        return has_rare or (bool(telling) and len(telling.keys() | (shared & self._of_any_file)) > 1)


def _with_slashes(path: str) -> str:
    """A path of any system with slashes between its folders; a backslash is a letter where paths begin with a slash."""
    return path if path.startswith("/") else path.replace("\\", "/")


def _common_folder(paths: Sequence[str]) -> str:
    """The folder that all these lie in, whose name says nothing; empty where there is none."""
    try:
        return posixpath.commonpath([posixpath.dirname(path) for path in paths])
    except ValueError:  # none, or on several drives
        return ""


def _terms_of_name(name: str) -> set[str]:
    """The terms of a path as it stands ("A-1403-22"), and of its words by themselves ("Brown_motion-2019")."""
    stem = posixpath.splitext(name)[0]
    return {*index_terms(stem), *index_terms(stem.translate(_JOINS))}


def _told(file: UnreadableFile) -> str:
    name = visible_name(file.name)
    if file.code == PAGES_MISSING:
        return f"{name} was not read to its end ({file.pages}); what is missing may hold what you look for."
    return f"{name} could not be read; it may hold what you look for."
