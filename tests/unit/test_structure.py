"""Structure of briefs on pages made up here: furniture, paragraphs, headings, footnotes, and what always holds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_pages import BODY, END, FULL, HEAD, LEFT, RIGHT, L, number, page, scanned, section, structured, texts

from briefbank.ingest.structure import structure
from briefbank.values.records import BlockRole, Box, Line, Page, Reading, SectionKind, TextSource, Word


def test_page_numbers_of_every_form_are_dropped() -> None:
    forms = ["iv", "3", "- 4 -", "Page 5 of 20", "[6]", "7."]
    result = structured(*[[*BODY, number(form)] for form in forms])
    assert "Page" not in result.text
    assert result.text.count("check.") == len(forms)
    assert all(result.text.rstrip().endswith("check.") for _ in forms)
    assert not any(form in result.text.split() for form in forms)


def test_a_running_head_is_dropped_but_the_text_below_it_stays() -> None:
    pages = [[L("Brief of Appellant Dorian Maple", y=50.0), *BODY] for _ in range(6)]
    result = structured(BODY, *pages)
    assert "Dorian" not in result.text
    assert len(texts(result, BlockRole.PARAGRAPH)) == 7


def test_line_numbers_of_pleading_paper_are_dropped() -> None:
    lines = [L(f"{i} {FULL}", x=40.0) for i in range(1, 21)]
    laid = page(1, lines)
    spread = tuple(
        Line((Word(line.words[0].text, Box(40, line.box.y0, 50, line.box.y1)), *line.words[1:]), line.box)
        for line in laid.lines
    )
    spread = tuple(
        Line((line.words[0], *(Word(w.text, w.box._replace(x0=w.box.x0 + 30)) for w in line.words[1:])), line.box)
        for line in spread
    )
    result = structure(Reading((Page(1, 612.0, 792.0, spread, TextSource.TEXT_LAYER),)))
    assert not any(word.isdigit() for word in result.text.split())


@pytest.mark.parametrize("written", [
    "con/sented", "jurisdic/tion", "cross-/examination", "self-/serving", "twenty-/four-hour", "non-constitu/tional",
    "in-/court", "case-/in-chief", "re/sentencing", "on/going", "Strickland-/type", "Hutch/inson", "Bramble/wick",
    "CROSS-/EXAMINATION", "JURIS/DICTION", "wharf-/inger", "co-/defendant", "Plaintiff-/Respondent",
    "404(b)-/response", "NON-/ACCIDENTAL",
])  # fmt: skip
def test_lines_become_one_paragraph_and_a_hyphen_at_their_ends_stays_where_it_is_part_of_the_word(written: str) -> None:
    head, tail = (part.removesuffix("-") for part in written.split("/"))
    known = "He met Bramblewick and a wharf-inger at the ferry, which the State does not dispute now or"
    lines = [f"{FULL.rsplit(' ', 1)[0]} {head}-", f"{tail} is what the trooper had in mind from the moment he stopped"]
    (paragraph,) = texts(structured([HEAD, L(known, x=LEFT + 36), *lines, END]), BlockRole.PARAGRAPH)
    assert f" {written.replace('/', '')} is what" in paragraph


def test_a_document_that_breaks_words_breaks_those_too_that_may_have_a_hyphen() -> None:
    for broken, told in (("argu-", "codefendant"), ("on", "co-defendant")):
        lines = [f"{FULL.rsplit(' ', 1)[0]} {broken}", f"ment {FULL[7:]} co-", f"defendant was at the {FULL[20:]}", END]
        assert f" {told} was" in structured([HEAD, *lines]).text


def test_a_block_quote_is_one_block_apart_from_the_text_around_it() -> None:
    quote = [
        L("A person is seized when a reasonable person would not feel", x=LEFT + 54, gap=14.0, right=RIGHT - 54)
    ] * 4
    quote[0] = L(quote[0].text, x=LEFT + 54, right=RIGHT - 54)
    result = structured([HEAD, *BODY, *quote, *BODY])
    assert len(texts(result, BlockRole.QUOTE)) == 1
    assert len(texts(result, BlockRole.PARAGRAPH)) == 2


def test_points_and_sub_points_carry_their_whole_path() -> None:
    result = structured(
        [L("LEGAL ARGUMENT", x=None, bold=True), L("POINT I", x=None, bold=True),
         L("THE STOP WAS UNLAWFULLY PROLONGED AND THE", x=None, bold=True),
         L("EVIDENCE MUST BE SUPPRESSED.", x=None, bold=True, gap=14.0),
         *BODY, L("A. The trooper had no reason to wait for the dog.", bold=True), *BODY],
        [L("B. The consent was tainted by the delay.", bold=True), *BODY,
         L("1. The delay was long.", bold=True, x=LEFT + 36), *BODY],
        [L("POINT II", x=None, bold=True), L("THE SENTENCE IS EXCESSIVE.", x=None, bold=True), *BODY],
    )  # fmt: skip
    one = "POINT I THE STOP WAS UNLAWFULLY PROLONGED AND THE EVIDENCE MUST BE SUPPRESSED."
    b = "B. The consent was tainted by the delay."
    assert [s.path for s in result.sections] == [
        ("LEGAL ARGUMENT", one),
        ("LEGAL ARGUMENT", one, "A. The trooper had no reason to wait for the dog."),
        ("LEGAL ARGUMENT", one, b),
        ("LEGAL ARGUMENT", one, b, "1. The delay was long."),
        ("LEGAL ARGUMENT", "POINT II THE SENTENCE IS EXCESSIVE."),
    ]
    assert {s.kind for s in result.sections} == {SectionKind.ARGUMENT}


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("PROCEDURAL HISTORY", SectionKind.PROCEDURE),
        ("STATEMENT OF FACTS", SectionKind.FACTS),
        ("STATEMENT OF THE CASE", SectionKind.PROCEDURE),
        ("IDENTITY OF PARTIES AND COUNSEL", SectionKind.PARTIES),
        ("ISSUES PRESENTED", SectionKind.QUESTIONS),
        ("SUMMARY OF THE ARGUMENT", SectionKind.SUMMARY),
        ("ARGUMENT AND AUTHORITIES", SectionKind.ARGUMENT),
        ("PRELIMINARY STATEMENT", SectionKind.PRELIMINARY),
        ("STANDARD OF REVIEW", SectionKind.STANDARD),
        ("PRAYER FOR RELIEF", SectionKind.CONCLUSION),
        ("CERTIFICATE OF COMPLIANCE", SectionKind.CERTIFICATE),
        ("STATEMENT REGARDING ORAL ARGUMENT", SectionKind.ORAL_ARGUMENT),
        ("STATEMENT OF JURISDICTION", SectionKind.JURISDICTION),
    ],
)
def test_a_heading_names_the_kind_of_its_section(heading: str, kind: SectionKind) -> None:
    result = structured([L(heading, x=None, bold=True), *BODY])
    assert [(s.kind, s.path) for s in result.sections] == [(kind, (heading,))]


def test_the_table_of_contents_tells_headings_that_look_like_text() -> None:
    listed = "The lineup suggested whom to pick"
    dots = "." * 60
    contents = [
        L("TABLE OF CONTENTS", x=None, bold=True),
        L(f"STATEMENT OF FACTS {dots} 2", gap=28),
        L(f"ARGUMENT {dots} 3"),
        L(f"{listed} {dots} 3", x=LEFT + 36),
        L(f"CONCLUSION {dots} 3"),
        number("1"),
    ]
    facts = [L("STATEMENT OF FACTS", x=None, bold=True), *BODY, number("2")]
    argument = [HEAD, *BODY, L(listed, x=LEFT + 36), *BODY, L("CONCLUSION", x=None, bold=True), *BODY, number("3")]
    result = structured(["STATE v. MAPLE"], contents, facts, argument)
    assert ("ARGUMENT", listed) in [s.path for s in result.sections]
    entries = section(result, SectionKind.CONTENTS)
    assert listed in result.text[entries.span.start : entries.span.end]
    assert sum(s.path[-1:] == ("CONCLUSION",) for s in result.sections) == 1


def test_testimony_is_no_heading() -> None:
    result = structured(
        [
            HEAD,
            *BODY,
            L("Q. Where were you?", bold=True),
            L("A. At home.", bold=True),
            L("THE COURT: Go on.", bold=True),
            *BODY,
        ]
    )
    assert len(result.sections) == 1


def test_capitals_of_a_caption_are_no_headings() -> None:
    cover = [
        L("SUPERIOR COURT OF NEW JERSEY", x=None),
        L("STATE OF NEW JERSEY,", bold=True),
        L("Plaintiff,"),
        L("v.", x=None),
        L("DORIAN MAPLE,", bold=True),
    ]
    result = structured(cover, [L("STATEMENT OF FACTS", x=None, bold=True), *BODY])
    assert [s.kind for s in result.sections] == [SectionKind.CAPTION, SectionKind.FACTS]
    assert set(texts(result, BlockRole.LINE)) == {
        "SUPERIOR COURT OF NEW JERSEY\nSTATE OF NEW JERSEY,\nPlaintiff,\nv.\nDORIAN MAPLE,"
    }


def test_the_signature_closes_the_conclusion() -> None:
    result = structured(
        [
            L("CONCLUSION", x=None, bold=True),
            *BODY,
            L("Respectfully submitted,", x=306.0),
            L("LENA OKAFOR", x=306.0, bold=True),
        ]
    )
    assert [s.kind for s in result.sections] == [SectionKind.CONCLUSION, SectionKind.SIGNATURE]


def test_word_styles_and_markdown_marks_are_headings() -> None:
    lines = ["# Background", "The motion was filed in May.", "## 1. The rule", "The rule is simple."]
    laid = page(1, lines)
    result = structure(Reading((laid,), has_pages=False))
    assert [s.path for s in result.sections] == [("Background",), ("Background", "1. The rule")]
    styles = ((1, 0, "Heading 1"), (1, 1, "Normal"), (1, 2, "Heading 2"), (1, 3, "Quote"))
    plain = page(1, ["Background", "The motion was filed in May.", "The rule", "The rule is simple."])
    result = structure(Reading((plain,), has_pages=False, styles=styles))
    assert [s.path for s in result.sections] == [("Background",), ("Background", "The rule")]
    assert texts(result, BlockRole.QUOTE) == ["The rule is simple."]


def test_a_styled_heading_never_stands_under_an_entry_of_the_table_of_contents() -> None:
    lines = ["TABLE OF CONTENTS", "TABLE OF AUTHORITIES i", "PRELIMINARY STATEMENT 1", "PRELIMINARY STATEMENT"]
    lines += [
        "The stop was too long.",
        "LEGAL ARGUMENT",
        "POINT I THE STOP WAS UNLAWFUL",
        "It was.",
        "CONCLUSION",
        "Reverse.",
    ]
    named = {0: "Heading 1", 3: "Heading 1", 5: "Heading 1", 6: "Heading 2", 8: "Heading 1"}
    styles = tuple((1, index, style) for index, style in named.items())
    result = structure(Reading((page(1, lines),), has_pages=False, styles=styles))
    assert [(s.kind, s.path) for s in result.sections] == [
        (SectionKind.CONTENTS, ("TABLE OF CONTENTS",)),
        (SectionKind.PRELIMINARY, ("PRELIMINARY STATEMENT",)),
        (SectionKind.ARGUMENT, ("LEGAL ARGUMENT", "POINT I THE STOP WAS UNLAWFUL")),
        (SectionKind.CONCLUSION, ("CONCLUSION",)),
    ]


def test_the_fifth_roman_number_is_no_versus() -> None:
    names = ["IV. THE REQUEST", "V. THE REVIEW", "VI. THE APPEAL"]
    result = structured([line for name in names for line in (L(name, bold=True), *BODY)])
    assert [s.path for s in result.sections] == [(name,) for name in names]


def test_a_page_number_among_line_numbers_is_dropped() -> None:
    texts_of_page = [L(FULL, y=80.0 + 24 * i) for i in range(27)]
    margin = [L(str(i + 1), x=40.0, y=80.0 + 24 * i) for i in range(27)]
    pages = [[number(str(n)), *texts_of_page, *margin] for n in (1, 2, 3)]
    result = structured(*pages)
    assert not {word for word in result.text.split() if word.isdecimal()}


@pytest.mark.parametrize("has_pages", [True, False])
def test_a_document_of_short_lines_alone_is_no_caption(has_pages: bool) -> None:
    note = page(1, ["Ask for the tape first.", "Then move to suppress it."])
    result = structure(Reading((note,), has_pages=has_pages))
    assert [s.kind for s in result.sections] == [SectionKind.BODY]


def test_an_empty_reading_gives_an_empty_structure() -> None:
    result = structured([])
    assert (result.text, result.blocks, result.sections, list(result.words)) == ("", (), (), [])
    assert len(result.pages) == 1


WORD = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=12)
LINE = st.builds(
    lambda words, x, bold, size, gap: L(" ".join(words), x, bold=bold, size=size, gap=gap),
    st.lists(
        WORD | st.sampled_from(["POINT", "I", "A.", "ARGUMENT", "CONTENTS", "12", "con-", "....", "1"]),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from([LEFT, LEFT + 36, LEFT + 72, None]),
    st.booleans(),
    st.sampled_from([8.0, 12.0]),
    st.sampled_from([14.0, 28.0]),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(LINE, max_size=12), min_size=1, max_size=4), st.booleans())
def test_blocks_and_sections_tile_the_text_and_words_lie_in_it(pages: list[list[L]], has_pages: bool) -> None:
    reading = Reading(tuple(page(i, lines) for i, lines in enumerate(pages, 1)), has_pages=has_pages)
    result = structure(reading)
    assert_tiles([b.span for b in result.blocks], len(result.text))
    assert_tiles([s.span for s in result.sections], len(result.text))
    starts = {s.span.start for s in result.sections}
    assert starts <= {b.span.start for b in result.blocks}
    printed = sorted(word.text for p in reading.pages for line in p.lines for word in line.words)
    kept = [result.text[w.start : w.end] for w in result.words]
    assert list(result.words) == sorted(result.words, key=lambda w: w.start)
    assert all(0 <= w.start < w.end <= len(result.text) for w in result.words)
    unmatched = [word for word in kept if word not in printed and word + "-" not in printed]
    assert not unmatched
    assert structure(reading) == result


def assert_tiles(spans: Sequence[tuple[int, int]], length: int) -> None:
    at = 0
    for start, end in spans:
        assert start == at
        assert end > start
        at = end
    assert at == length


def test_the_short_end_of_a_sentence_on_the_next_page_is_no_heading() -> None:
    split = [HEAD, *BODY, L(FULL, x=LEFT + 36), FULL]
    result = structured(split, [L("third party.", bold=True, gap=30.0), L(FULL, x=LEFT + 36, gap=30.0), FULL, END])
    assert {each.path for each in result.sections} == {("ARGUMENT",)}


def contents_of(*entries: str) -> list[L]:
    """A table of contents that sets every entry at one indent."""
    return [L("TABLE OF CONTENTS", x=None, bold=True), *(L(f"{entry} {'.' * 60} 3") for entry in entries), number("1")]


def test_a_sub_point_right_behind_its_point_is_under_it_whatever_their_indents() -> None:
    names = ["POINT I THE STOP WAS TOO LONG", "A. The dog", "B. The wait", "POINT II THE SENTENCE", "A. The count"]
    bold = {name: L(name, bold=True) for name in names}
    first = [HEAD, bold[names[0]], bold[names[1]], *BODY, bold[names[2]], *BODY]
    second = [bold[names[3]], bold[names[4]], *BODY, number("3")]
    result = structured(["STATE v. MAPLE"], contents_of("ARGUMENT", *names), [*first, *second])
    assert [s.path for s in result.sections if s.kind is SectionKind.ARGUMENT] == [
        ("ARGUMENT", names[0], names[1]),
        ("ARGUMENT", names[0], names[2]),
        ("ARGUMENT", names[3], names[4]),
    ]


def test_questions_listed_one_behind_the_other_stay_apart() -> None:
    names = ["POINT I THE STOP WAS TOO LONG", "POINT II THE SENTENCE IS EXCESSIVE"]
    questions = [L("QUESTIONS PRESENTED", x=None, bold=True), *(L(name, bold=True) for name in names)]
    body = [HEAD, *(line for name in names for line in (L(name, bold=True), *BODY)), number("3")]
    result = structured(["STATE v. MAPLE"], contents_of("QUESTIONS PRESENTED", "ARGUMENT", *names), questions, body)
    assert not any(set(names) <= set(s.path) for s in result.sections)
    assert [s.path for s in result.sections][-2:] == [("ARGUMENT", name) for name in names]


def test_the_facts_of_a_point_are_part_of_the_argument() -> None:
    facts, standard = L("A. Facts and Preservation", bold=True), L("B. Standard of Review", bold=True)
    point = [L("POINT I", x=None, bold=True), L("THE STOP WAS TOO LONG.", x=None, bold=True), *BODY]
    result = structured([HEAD, *point, facts, *BODY, standard, *BODY])
    assert [s.kind for s in result.sections] == [SectionKind.ARGUMENT, SectionKind.ARGUMENT, SectionKind.STANDARD]


def test_a_plain_numbered_title_above_a_heading_is_a_heading() -> None:
    lines = [HEAD, *BODY, "2) Relevant law", L("a) The rule of the road", bold=True), *BODY]
    result = structured(lines)
    assert [s.path for s in result.sections] == [
        ("ARGUMENT",),
        ("ARGUMENT", "2) Relevant law", "a) The rule of the road"),
    ]


def test_an_exhibit_named_in_the_second_line_of_a_heading_is_no_appendix() -> None:
    title = "B. The jurors had the recording translated by one of their own number before they turned to"
    result = structured([HEAD, *BODY, L(title, bold=True), L("Exhibit 23.", bold=True, gap=14.0), *BODY])
    assert result.sections[-1].path == ("ARGUMENT", f"{title} Exhibit 23.")


@pytest.mark.parametrize(
    ("read", "mended"),
    [
        ("POINT Il THE STOP", "POINT II THE STOP"),
        ("Point 1I The stop was long", "Point II The stop was long"),
        ("Ill. THE SEARCH", "III. THE SEARCH"),
        ("VIl. THE DOG", "VII. THE DOG"),
    ],
)
def test_a_roman_number_that_ocr_misread_is_mended_in_the_path(read: str, mended: str) -> None:
    result = scanned([HEAD, *BODY, L(read, bold=True), *BODY])
    assert result.sections[-1].path == ("ARGUMENT", mended)
    assert read in result.text


def test_a_reporter_is_no_misread_number() -> None:
    result = scanned([HEAD, *BODY, L("Ill. App. 3d 112 is no authority here", bold=True), *BODY])
    assert not any("III" in part for s in result.sections for part in s.path)


def test_facts_set_in_below_the_questions_in_the_contents_are_a_part_of_their_own() -> None:
    dots = "." * 60
    contents = [
        L("TABLE OF CONTENTS", x=None, bold=True),
        L(f"QUESTIONS PRESENTED {dots} 2"),
        L(f"STATEMENT OF FACTS {dots} 2", x=LEFT + 36),
        number("1"),
    ]
    parts = [L("QUESTIONS PRESENTED", x=None, bold=True), *BODY, L("STATEMENT OF FACTS", x=None, bold=True), *BODY]
    result = structured(["STATE v. MAPLE"], contents, [*parts, number("2")])
    assert section(result, SectionKind.FACTS).path == ("STATEMENT OF FACTS",)


def test_certification_that_is_argued_about_is_no_certificate() -> None:
    argued = L("CERTIFICATION SHOULD BE THE EXCEPTION", x=None, bold=True)
    served = L("CERTIFICATION OF SERVICE", x=None, bold=True)
    result = structured([HEAD, *BODY, argued, *BODY, served, *BODY])
    assert [s.kind for s in result.sections] == [SectionKind.ARGUMENT, SectionKind.ARGUMENT, SectionKind.CERTIFICATE]


def test_a_second_point_never_stands_under_the_first() -> None:
    names = ["APPELLANT'S FIRST POINT OF ERROR", "APPELLANT'S SECOND POINT OF ERROR"]
    result = structured([line for name in names for line in (L(name, x=None, bold=True), *BODY)])
    assert [s.path for s in result.sections] == [(name,) for name in names]


def test_a_table_of_contents_whose_dots_stand_on_lines_of_their_own_lists_its_headings() -> None:
    entries = ("i. that error was preserved", "ii. that the stop was long", "iii. that it did harm")
    lines = [line for at, entry in enumerate(("ARGUMENT", *entries), 2) for line in (entry, f"{'…' * 20}{at}")]
    table = [L("TABLE OF CONTENTS", x=None), *(L(line, gap=20.0) for line in lines), number("1")]
    points = [[L(entry), *BODY, number(str(at))] for at, entry in enumerate(entries, 3)]
    result = structured([L("STATE V. MAPLE", x=None)], table, [HEAD, *BODY, number("2")], *points)
    assert [each.path for each in result.sections][-3:] == [("ARGUMENT", each) for each in entries]


def test_what_a_table_of_contents_lists_is_no_part_of_it() -> None:
    entries = ("I. Error Was Preserved", "II. The Stop Was Too Long")
    table = [
        L("TABLE OF CONTENTS", x=None),
        *(L(f"{entry} ....... {at}") for at, entry in enumerate(entries, 2)),
        number("1"),
    ]
    points = [[L(entry), *BODY, number(str(at))] for at, entry in enumerate(entries, 2)]
    result = structured([L("STATE V. MAPLE", x=None)], table, *points)
    assert [(each.kind, each.path) for each in result.sections][-2:] == [
        (SectionKind.BODY, (each,)) for each in entries
    ]
