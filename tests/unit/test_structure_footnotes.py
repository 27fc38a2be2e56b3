"""Footnotes and scans in the structure of briefs, on pages made up here."""

from __future__ import annotations

from made_up_pages import BODY, END, FULL, HEAD, LEFT, L, number, scanned, section, structured, texts

from briefbank.values.records import BlockRole, SectionKind


def test_a_footnote_number_at_the_foot_is_no_page_number() -> None:
    note = [L("1", y=700.0, size=7.0, raised="1"), L("The tape was never played at trial.", size=10.0, gap=8.0)]
    result = structured([HEAD, *BODY, *note, number("9")], BODY)
    assert texts(result, BlockRole.FOOTNOTE) == ["1 The tape was never played at trial."]


def test_a_paragraph_goes_on_across_pages_with_a_footnote_between() -> None:
    first = [HEAD, L(FULL, x=LEFT + 36), L(FULL + " 1", raised="1"), FULL]
    note = [L("1", y=690.0, size=7.0, raised="1"), L("See the transcript of the second day.", size=10.0, gap=8.0)]
    result = structured([*first, *note, number("1")], [FULL, END, *BODY, number("2")])
    paragraphs = texts(result, BlockRole.PARAGRAPH)
    assert len(paragraphs) == 2
    block = next(b for b in result.blocks if b.role is BlockRole.PARAGRAPH)
    assert (block.page_first, block.page_last) == (1, 2)
    notes = [s for s in result.sections if s.is_footnotes]
    assert [n.path for n in notes] == [("ARGUMENT",)]


def small(text: str, gap: float = 12.0) -> L:
    return L(text, size=10.0, gap=gap)


def test_notes_of_a_scan_stand_apart_though_their_marks_are_misread() -> None:
    one = [small("> The tape was never played", gap=36.0), small("at the trial of the second defendant.")]
    other = [small("“ The trooper has since retired", gap=36.0), small("* No transcript of that day was made")]
    result = scanned([HEAD, *BODY, *BODY, *one], [*BODY, *other], BODY)
    assert texts(result, BlockRole.FOOTNOTE) == [
        "> The tape was never played at the trial of the second defendant.",
        "“ The trooper has since retired",
        "* No transcript of that day was made",
    ]


def test_a_scanned_table_of_contents_is_known_though_its_page_numbers_are_lost() -> None:
    entries = ["POINT I THE STOP WAS UNLAWFUL ce tes", "POINT II THE SEARCH WAS UNLAWFUL eet", "CONCLUSION 9"]
    contents = [L("TABLE OF CONTENTS", x=None), *(L(entry, gap=20.0) for entry in entries)]
    points = [L("POINT I THE STOP WAS UNLAWFUL"), *BODY, L("POINT II THE SEARCH WAS UNLAWFUL"), *BODY]
    result = scanned([L("STATE V. MAPLE", x=None)], contents, [L("LEGAL ARGUMENT", x=None), *points])
    assert section(result, SectionKind.CONTENTS).path == ("TABLE OF CONTENTS",)
    assert [s.path[-1] for s in result.sections if s.kind is SectionKind.ARGUMENT] == [
        "POINT I THE STOP WAS UNLAWFUL",
        "POINT II THE SEARCH WAS UNLAWFUL",
    ]


WIDE_NOTE = "The trooper wrote his report on the day after the stop, and he amended it twice before the hearing"


def test_a_footnote_goes_on_at_the_foot_of_the_next_page() -> None:
    note = [L("1 " + WIDE_NOTE, y=690.0, size=10.0, raised="1"), L("began.", size=10.0, gap=12.0)]
    rest = [L(WIDE_NOTE, y=678.0, size=10.0), L("was over.", size=10.0, gap=12.0)]
    result = structured([HEAD, L(FULL + " 1", raised="1"), FULL, *note], [FULL, END, *rest], BODY)
    assert texts(result, BlockRole.FOOTNOTE) == [f"1 {WIDE_NOTE} began. {WIDE_NOTE} was over."]


def test_a_note_without_a_mark_goes_on_with_no_note_of_an_earlier_page() -> None:
    note = [L("1 " + WIDE_NOTE, y=690.0, size=10.0, raised="1"), L("began.", size=10.0, gap=12.0)]
    late = [L(WIDE_NOTE, y=678.0, size=10.0, gap=40.0), L("2 See the day after.", size=10.0, gap=12.0, raised="2")]
    result = structured([HEAD, L(FULL + " 1", raised="1"), FULL, *note], BODY, BODY, [FULL, END, *late])
    assert f"1 {WIDE_NOTE} began." in texts(result, BlockRole.FOOTNOTE)


def test_a_section_sign_at_the_head_of_a_line_begins_no_footnote() -> None:
    note = [L("1 See the code that governs the matter, which is in Title 39,", y=690.0, size=10.0, raised="1")]
    result = structured([HEAD, *BODY, *note, L("§ 4-50(a), and the notes to it.", size=10.0, gap=12.0)], BODY)
    assert len(texts(result, BlockRole.FOOTNOTE)) == 1
