"""Profiles made out of annotated clauses: one for each category, with its clauses as samples and keywords mined from
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from briefbank.index.term_index import TermIndex
from briefbank.index.tokens import is_telling, tokenise
from briefbank.judgements.evaluate.spans.collection import AnnotatedSpan, read_spans
from briefbank.judgements.evaluate.spans.folder import indexed
from briefbank.models.encoders.port import Encoder
from briefbank.platform.files import new_folder
from briefbank.platform.layout import PROFILE_SUFFIX
from briefbank.platform.progress import CancelToken, Reporter, silent
from briefbank.platform.settings import Settings
from briefbank.search.profiles.keywords import mined_keywords
from briefbank.search.profiles.profile import Profile, Sample, write_profile
from briefbank.search.profiles.ranking import central_places


def mine_profiles(
    spans_file: Path,
    folder: Path,
    out: Path,
    settings: Settings,
    *,
    categories: Sequence[str] = (),
    cache_folder: Path | None = None,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> tuple[Profile, ...]:
    """Write a profile for every category of annotated clauses into a new folder, and return them. The folder of
    documents is indexed, to tell which words are rare.

    Raises:
        SourceError: the clauses or the folder cannot be read.
        UsageError: there is something at `out`, or no such category.
        ModelError, NoSpaceError, CancelledError: as their names say.
    """
    spans = read_spans(spans_file, categories).spans
    with (
        new_folder(out) as written,
        indexed(folder, settings, cache_folder, reporter, cancel or CancelToken()) as (generation, encoder),
    ):
        profiles = tuple(profiles_of(spans, generation.lexical, encoder))
        for profile in profiles:
            (written / f"{profile.file_name}{PROFILE_SUFFIX}").write_bytes(write_profile(profile))
    return profiles


def profiles_of(spans: Iterable[AnnotatedSpan], index: TermIndex, encoder: Encoder) -> Iterable[Profile]:
    """A profile for each category, in the order of names; one whose clauses hold no word is left out."""
    by_category: dict[str, dict[str, None]] = {}
    for each in spans:
        by_category.setdefault(each.category, {})[each.clause] = None
    for category, clauses in sorted(by_category.items()):
        texts = [text for text in clauses if any(is_telling(token.term) for token in tokenise(text))]
        if texts:
            places = set(central_places(encoder.encode_passages(texts)))
            samples = tuple(Sample(text, central=place in places) for place, text in enumerate(texts))
            yield Profile(category, category, samples, mined_keywords(texts, index))
