"""Documents cut into passages, by the laws that passages keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hashing_encoder import HashingEncoder
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from briefbank.ingest.segment import PASSAGE_SIZE, segment
from briefbank.ingest.segment.breaks import PassageSize
from briefbank.values.records import (
    Block,
    BlockRole,
    Box,
    Fact,
    Metadata,
    PageInfo,
    Passage,
    PlacedWord,
    PlacedWords,
    Section,
    SectionKind,
    Span,
    StructuredDocument,
    TextSource,
)

SMALL = PassageSize(40, 10, 60)
METADATA = Metadata(Fact("Brief", "test"), Fact("brief", "test"))
Part = tuple[BlockRole, str]

STOP = "The trooper stopped the grey van because its tail lamp was dark."
CONSENT = "Consent given after an unlawful stop is tainted and counts for nothing."
CITE = "State v. Marlowe, 172 N.J. 117, 126 (2002)."


def document(
    *sections: tuple[SectionKind, Sequence[Part]],
    words: PlacedWords = PlacedWords(),  # noqa: B008 - frozen
    confidences: Sequence[float | None] = (None,),
) -> StructuredDocument:
    text, blocks, made = "", [], []
    for kind, parts in sections:
        first = len(text)
        for role, content in parts:
            start = len(text)
            text += content + "\n\n"
            blocks.append(Block(Span(start, len(text)), role, 1, 1))
        made.append(Section(Span(first, len(text)), kind, ("POINT I",)))
    pages = tuple(
        PageInfo(number, 612.0, 792.0, TextSource.TEXT_LAYER, confidence)
        for number, confidence in enumerate(confidences, 1)
    )
    return StructuredDocument(text, tuple(blocks), tuple(made), words, pages, METADATA)


def argument(*parts: Part) -> StructuredDocument:
    return document((SectionKind.ARGUMENT, parts))


def paragraph(content: str) -> Part:
    return BlockRole.PARAGRAPH, content


def cut(made: StructuredDocument, size: PassageSize = PASSAGE_SIZE) -> list[Passage]:
    return segment(made, HashingEncoder(), "d", size=size)


def word_count(text: str) -> int:
    return len(text.split())


def test_pieces_that_nothing_sets_apart_are_cut_by_size() -> None:
    made = argument(*([paragraph(STOP)] * 40))
    with np.errstate(all="raise"):
        passages = cut(made)
    assert all(100 <= word_count(passage.text) <= 200 for passage in passages)
    assert len(passages) == 3


def test_a_short_section_is_one_passage() -> None:
    made = argument(paragraph(f"{STOP} {CONSENT}"))
    (passage,) = cut(made)
    assert passage.id == "d-0000"
    assert passage.text == f"{STOP} {CONSENT}"
    assert passage.span == made.sections[0].span
    assert passage.section_path == ("POINT I",)


def test_a_passage_ends_where_the_subject_changes() -> None:
    about_stop = " ".join(f"The trooper stopped the van near lamp {n}." for n in range(16))
    about_jury = " ".join(f"Each juror swore an oath to deliberate fairly on count {n}." for n in range(13))
    first, second = cut(argument(paragraph(f"{about_stop} {about_jury}")))
    assert first.text == about_stop
    assert second.text == about_jury


def test_a_heading_begins_the_passage_of_its_text() -> None:
    body = " ".join([CONSENT] * 30)
    made = argument(paragraph(body), (BlockRole.HEADING, "A. The stop was unlawful"), paragraph(" ".join([STOP] * 30)))
    holding = [p for p in cut(made) if "A. The stop was unlawful" in p.text]
    assert len(holding) == 1
    assert not holding[0].text.endswith("A. The stop was unlawful")


def test_a_citation_stays_with_the_sentence_that_it_supports() -> None:
    sentences = " ".join(f"{CONSENT} {CITE} Id. at {n}." for n in range(40))
    for passage in cut(argument(paragraph(sentences)), SMALL):
        assert passage.text.startswith(CONSENT)


def test_a_long_block_quote_is_one_passage_with_its_introduction_apart_if_need_be() -> None:
    quote = " ".join([CONSENT] * 40)
    made = argument(paragraph(f"{STOP} The Court held:"), (BlockRole.QUOTE, quote), paragraph(f"Id. at 12. {STOP}"))
    assert sum(quote in passage.text for passage in cut(made)) == 1


def test_a_quote_stays_with_what_introduces_it_and_where_it_is_from() -> None:
    made = argument(
        paragraph(" ".join([STOP] * 8) + " The Court held:"),
        (BlockRole.QUOTE, CONSENT),
        paragraph(f"{CITE} " + " ".join([STOP] * 8)),
    )
    assert any(f"The Court held:\n\n{CONSENT}\n\n{CITE}" in passage.text for passage in cut(made, SMALL))


RECORD = "(2T 13-12 to 20)."
PLACES = ["Id.", "[emphasis added]", "(citations omitted).", "Id. (Quince, J., concurring) (cleaned up).", RECORD, CITE]


@pytest.mark.parametrize("place", PLACES)
def test_a_paragraph_that_only_cites_stays_with_the_one_before(place: str) -> None:
    blocks = [paragraph(content) for _ in range(20) for content in (CONSENT, place, STOP)]
    for passage in cut(argument(*blocks), SMALL):
        assert passage.text.startswith((CONSENT, STOP))


@pytest.mark.parametrize("opening", ["1. The stop", "The Court of Appeals has read the rule to mean that", "It held:"])
def test_a_block_that_is_no_whole_sentence_stays_with_the_next(opening: str) -> None:
    blocks = [paragraph(content) for _ in range(20) for content in (f"{STOP} {STOP}", opening, CONSENT)]
    for passage in cut(argument(*blocks), SMALL):
        assert not passage.text.endswith(opening)
        assert not passage.text.startswith(CONSENT)


def test_items_of_a_list_are_parted_behind_the_last_alone() -> None:
    items = ["• the van was grey;", "• its lamp was dark; and", "• the dog was late."]
    blocks = [(BlockRole.LIST_ITEM, item) for _ in range(12) for item in items]
    for passage in cut(argument(*blocks), SMALL):
        assert passage.text.startswith(items[0])


def test_footnotes_that_cite_are_not_chained() -> None:
    made = argument(*((BlockRole.FOOTNOTE, f"{n} 2T {n}-12 to 20.") for n in range(60)))
    notes = replace(made.sections[0], is_footnotes=True)
    passages = cut(replace(made, sections=(notes,)), SMALL)
    assert max(word_count(passage.text) for passage in passages) < SMALL.most


def test_a_table_of_contents_is_cut_at_line_ends_without_the_encoder() -> None:
    lines = "\n".join(f"POINT {n} THE TRIAL JUDGE ERRED IN ADMITTING THE LETTER . . . . {n}" for n in range(60))
    made = document((SectionKind.CONTENTS, [(BlockRole.LINE, lines)]))

    class NoEncoder(HashingEncoder):
        def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
            raise AssertionError

    passages = segment(made, NoEncoder(), "d")
    assert len(passages) > 1
    assert all(passage.text.startswith("POINT") for passage in passages)


def test_a_sentence_without_end_is_cut_at_the_limit() -> None:
    passages = cut(argument(paragraph("garble " * 1_000)))
    assert all(word_count(passage.text) <= PASSAGE_SIZE.most for passage in passages)


def test_a_section_of_white_space_yields_no_passage() -> None:
    assert cut(argument(paragraph("  "))) == []


def test_boxes_join_the_words_of_each_printed_line() -> None:
    text = "one two three four"
    places = [(1, 10, 100, 30), (1, 40, 98, 60), (1, 10, 120, 40), (2, 10, 50, 30)]
    starts = [0, 4, 8, 14]
    placed = [
        PlacedWord(start, start + 3, page, Box(x0, y0, x1, y0 + 12))
        for start, (page, x0, y0, x1) in zip(starts, places, strict=True)
    ]
    words = PlacedWords.of(placed)
    assert list(words) == placed
    assert list(words.starting_in(Span(4, 14))) == placed[1:3]
    made = document((SectionKind.FACTS, [paragraph(text)]), words=words, confidences=(0.9, 0.7))
    (passage,) = cut(made)
    assert passage.boxes == ((1, (10, 98, 60, 112)), (1, (10, 120, 40, 132)), (2, (10, 50, 30, 62)))
    assert (passage.page_first, passage.page_last) == (1, 2)
    assert passage.ocr_confidence == 0.7


def test_a_document_without_boxes_takes_its_pages_from_its_blocks() -> None:
    (passage,) = cut(argument(paragraph(STOP)))
    assert (passage.page_first, passage.page_last, passage.boxes) == (1, 1, ())


# --- laws -------------------------------------------------------------------------------------------------------

a_sentence = st.one_of(
    st.sampled_from([STOP, CONSENT, CITE, "Id. at 12.", "(2T 13-12 to 20).", "The Court held:", "no end"]),
    st.lists(st.sampled_from(["stop", "van", "jury", "oath,", "v.", "1."]), min_size=1, max_size=90).map(" ".join),
)
a_block = st.tuples(st.sampled_from(BlockRole), st.lists(a_sentence, max_size=12).map(" ".join))
a_document = st.lists(
    st.tuples(st.sampled_from(SectionKind), st.lists(a_block, min_size=1, max_size=8)), min_size=1, max_size=3
).map(lambda sections: document(*sections))


@given(a_document)
@hypothesis_settings(max_examples=40, deadline=None)
def test_passages_are_numbered_hold_their_text_tile_every_section_and_never_cross_one(made: StructuredDocument) -> None:
    passages = cut(made, SMALL)
    assert [(p.id, p.order) for p in passages] == [(f"d-{number:04d}", number) for number in range(len(passages))]
    assert all(p.text and p.text == made.text[slice(*p.span)].rstrip() for p in passages)
    for section in made.sections:
        own = [p for p in passages if p.span.start < section.span.end and p.span.end > section.span.start]
        if not made.text[slice(*section.span)].strip():
            assert own == []
            continue
        assert (own[0].span.start, own[-1].span.end) == section.span
        assert all(before.span.end == after.span.start for before, after in pairwise(own))


@given(a_document)
@hypothesis_settings(max_examples=40, deadline=None)
def test_no_block_quote_is_split_outside_tables_and_only_a_passage_with_one_exceeds_the_limit(
    made: StructuredDocument,
) -> None:
    passages = cut(made, SMALL)
    by_line = {"caption", "parties", "contents", "authorities", "table", "certificate", "signature"}
    ends = {passage.span.end for passage in passages if passage.section_kind not in by_line}
    quotes = [block.span for block in made.blocks if block.role is BlockRole.QUOTE]
    for start, end in quotes:
        assert not any(start < cut_at < start + len(made.text[start:end].rstrip()) for cut_at in ends)
    for passage in passages:
        if word_count(passage.text) > SMALL.most:
            assert any(passage.span.start <= quote.start < passage.span.end for quote in quotes)
