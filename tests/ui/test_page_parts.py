"""The parts of the page view by themselves: layout, cache of pictures, selection, outlines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from briefbank.values.page_numbers import FoundAt, NumberStyle, PageRun
from briefbank.values.pages import PageSize, PageText, PageWord
from briefbank.values.printed_words import ParagraphRole, paragraphs
from briefbank.values.records import Box, TextSource
from ui.engine import EngineClient
from ui.preferences import TextSize
from ui.reading.bars import PageBar, PageLabel, PageNumbers
from ui.reading.drawing import GAP_PX, PageColumn, fit_page, fit_width, outline_path
from ui.reading.loader import ImageCache, ImageKey
from ui.reading.selection import TextPosition, TextRange, boxes_on, place_at, printed_words, selected_text, whole_page
from ui.reading.view import Fit, PageView

LETTER = PageSize(612.0, 792.0)
SIZES = st.lists(st.builds(PageSize, st.floats(100, 2000), st.floats(100, 2000)), min_size=1, max_size=30)


def page(number: int, *rows: str, indent: tuple[int, ...] = (), step_pt: float = 20.0) -> PageText:
    """A page of these lines; those numbered in `indent` begin further to the right."""
    words = []
    for row, line in enumerate(rows):
        x = 72.0 + (36.0 if row in indent else 0.0)
        for word in line.split():
            words.append(PageWord(word, Box(x, 100 + step_pt * row, x + 6 * len(word), 112 + step_pt * row), row))
            x += 6 * (len(word) + 1)
    return PageText("d", number, tuple(words), TextSource.TEXT_LAYER)


def test_one_sheet_and_one_hit_are_not_told_as_many(qapp: QApplication) -> None:
    bar = PageBar()
    bar.show_page(1, PageNumbers(1, has_own_pages=False))
    bar.show_hit(-1, 1)
    assert (bar.of.text(), bar.hits.text()) == ("of 1 sheet", "1 hit")
    bar.show_page(1, PageNumbers(2, has_own_pages=False))
    bar.show_hit(-1, 2)
    assert (bar.of.text(), bar.hits.text()) == ("of 2 sheets", "2 hits")


def test_the_bar_keeps_its_lines_from_one_brief_to_the_next(qtbot: QtBot, looks: Callable[[TextSize], None]) -> None:
    looks(TextSize.NORMAL)
    bar = PageBar()
    qtbot.addWidget(bar)
    bar.show_hit(0, 3)
    heights = set()
    for numbers in (PageNumbers(4, ()), PageNumbers(18, RUNS), PageNumbers(120, RUNS)):
        for hit, count, is_shown in ((0, 3, True), (36, 37, True), (-1, 0, True), (-1, None, True), (-1, 0, False)):
            bar.show_page(9, numbers)
            bar.show_hit(hit, count, is_shown=is_shown)
            heights.add(tuple(bar.heightForWidth(width_px) for width_px in range(360, 801, 10)))
    assert len(heights) == 1


RUNS = (
    PageRun(2, 4, 1, style=NumberStyle.ROMAN),
    PageRun(5, 9, 1),
    PageRun(10, 10, 6, FoundAt.BETWEEN),
    PageRun(11, 17, 7),
)


def test_the_bar_tells_the_printed_number_first_and_the_sheet_behind_it(qapp: QApplication) -> None:
    bar = PageBar()
    bar.show_page(9, PageNumbers(18, RUNS))
    assert (bar.number.text(), bar.of.text()) == ("5", "· sheet 9 of 18")
    assert bar.sign.text() == "p."
    assert "foot of the page" in bar.number.toolTip()
    bar.show_page(10, PageNumbers(18, RUNS))
    assert (bar.number.text(), bar.of.text()) == ("6", "· sheet 10 of 18")
    assert "bears no number" in bar.number.toolTip()
    bar.show_page(18, PageNumbers(18, RUNS))
    assert (bar.number.text(), bar.of.text()) == ("", "· sheet 18 of 18")


def test_a_number_that_is_the_sheets_own_is_told_once() -> None:
    assert PageNumbers(20, (PageRun(2, 20, 2),)).label(8)[:2] == ("8", "of 20")
    assert PageNumbers(20, None).label(8)[:2] == ("8", "of 20")
    assert PageNumbers(20, ()).label(8)[:2] == ("8", "of 20 sheets")
    assert PageNumbers().label(0) == PageLabel("", "", "")


@pytest.mark.parametrize(
    ("text", "sheet"),
    [("5", 9), ("iii", 4), ("IV", None), ("13", 17), ("14", 14), ("sheet 5", 5), ("18", 18), ("19", None), ("", None)],
)
def test_a_page_is_asked_for_by_its_printed_number_first(text: str, sheet: int | None) -> None:
    assert PageNumbers(18, RUNS).asked(text, near=1) == sheet


def test_a_printed_number_that_is_typed_goes_to_its_sheet(qtbot: QtBot) -> None:
    bar = PageBar()
    qtbot.addWidget(bar)
    bar.show_page(1, PageNumbers(18, RUNS))
    for typed, sheet in (("5", 9), ("ii", 3), ("sheet 5", 5)):
        bar.number.selectAll()
        qtbot.keyClicks(bar.number, typed)
        with qtbot.waitSignal(bar.page_entered) as entered:
            qtbot.keyClick(bar.number, Qt.Key.Key_Return)
        assert entered.args == [sheet]


def test_of_two_pages_with_one_number_the_nearer_is_meant() -> None:
    bound = PageNumbers(30, (PageRun(1, 12, 1), PageRun(13, 30, 1)))
    assert (bound.asked("3", near=2), bound.asked("3", near=20)) == (3, 15)


def test_a_screen_reader_is_told_page_and_sheet() -> None:
    numbers = PageNumbers(18, RUNS)
    assert numbers.spoken(9) == "page 5, sheet 9 of 18"
    assert numbers.spoken(1) == "sheet 1 of 18"
    assert PageNumbers(18).spoken(3) == "page 3 of 18"
    assert PageNumbers(18, ()).spoken(3) == "sheet 3 of 18"
    assert PageNumbers(1, None, has_own_pages=False).spoken(1) == "sheet 1 of 1"


@given(SIZES, st.floats(0.2, 5.0))
def test_pages_lie_one_below_the_other(sizes: list[PageSize], zoom: float) -> None:
    column = PageColumn.lay_out(sizes, zoom)
    for number in range(1, len(sizes) + 1):
        top, height = column.tops[number - 1], column.size_px(number)[1]
        assert column.tops[number] == top + height + GAP_PX
        assert column.page_at(top) == column.page_at(top + height / 2) == number
    assert column.height_px == column.tops[-1]


@given(SIZES, st.floats(0.2, 5.0), st.floats(0, 50_000), st.integers(50, 1500))
def test_a_view_sees_every_page_that_it_touches(sizes: list[PageSize], zoom: float, top: float, height: int) -> None:
    column = PageColumn.lay_out(sizes, zoom)
    seen = column.pages_between(top, top + height)
    for number in range(1, len(sizes) + 1):
        page_top = column.tops[number - 1]
        touches = page_top < top + height and page_top + column.size_px(number)[1] > top
        assert not touches or number in seen


@given(SIZES, st.integers(100, 3000), st.integers(100, 3000))
def test_fitted_pages_fit(sizes: list[PageSize], width: int, height: int) -> None:
    assert PageColumn.lay_out(sizes, fit_width(sizes, width)).width_px <= width + 1
    whole = PageColumn.lay_out(sizes[:1], fit_page(sizes[0], width, height))
    assert whole.width_px <= width + 1
    assert whole.height_px <= height + 1


@pytest.mark.parametrize("fit", [Fit.WIDTH, Fit.PAGE])
def test_one_sheet_comes_to_rest_in_a_view_of_any_height(engine: EngineClient, qtbot: QtBot, fit: Fit) -> None:
    view = PageView(engine)
    qtbot.addWidget(view)
    view.fit = fit
    view.show()
    zooms: list[float] = []
    view.zoom_changed.connect(zooms.append)
    view._lay_out((LETTER,), 1.0)
    for height in range(480, 530, 5):  # about as high as a sheet that fills the width
        view.resize(400, height)
        qtbot.wait(20)
        zooms.clear()
        qtbot.wait(30)
        assert zooms == [], f"the page changes its size for ever in a view of {height} pixels"
        assert view.horizontalScrollBar().maximum() == 0


@given(SIZES, st.floats(0.2, 5.0), st.integers(50, 3000))
def test_two_pages_stand_side_by_side_and_apart(sizes: list[PageSize], zoom: float, room: int) -> None:
    column = PageColumn.lay_out(sizes, zoom, 2)
    for number in range(1, len(sizes) + 1):
        left, width = column.left_px(number, room), column.size_px(number)[0]
        assert left >= 0
        assert left + width <= max(room, column.width_px)
        row = column.row(number)
        assert column.page_at(column.tops[number - 1]) == row.start == number - (number - 1) % 2
        assert {column.tops[each - 1] for each in row} == {column.tops[number - 1]}
        if number == row.start and len(row) == 2:
            assert left + width < column.left_px(number + 1, room)
        lowest = max(column.tops[each - 1] + column.size_px(each)[1] for each in row)
        assert column.tops[row.stop - 1] == lowest + GAP_PX
    assert column.pages_between(0, column.height_px) == range(1, len(sizes) + 1)
    assert PageColumn.lay_out(sizes, fit_width(sizes, room, 2), 2).width_px <= room + 2


def test_a_page_of_another_size_moves_only_those_below() -> None:
    column = PageColumn.lay_out([LETTER] * 3, 1.0)
    turned = column.resized(2, PageSize(792.0, 612.0))
    assert turned.tops == (*column.tops[:2], column.tops[2] - 180, column.tops[3] - 180)


def image(side_px: int) -> QImage:
    return QImage(side_px, side_px, QImage.Format.Format_RGB32)


def test_the_cache_holds_what_was_used_last_within_its_bytes() -> None:
    cache = ImageCache(most_bytes=3 * 4 * 100 * 100)
    keys = [ImageKey("d", number, 1.0) for number in range(4)]
    for key in keys[:3]:
        cache.put(key, image(100))
    cache.get(keys[0])
    cache.put(keys[3], image(100))
    assert [key in cache for key in keys] == [True, False, True, True]
    assert cache.held_bytes == 3 * 4 * 100 * 100


def test_a_page_larger_than_the_cache_is_kept_alone() -> None:
    cache = ImageCache(most_bytes=1000)
    cache.put(ImageKey("d", 1, 1.0), image(10))
    cache.put(ImageKey("d", 2, 1.0), image(100))
    assert ImageKey("d", 2, 1.0) in cache
    assert ImageKey("d", 1, 1.0) not in cache


def test_the_sharpest_picture_stands_in() -> None:
    cache = ImageCache()
    cache.put(ImageKey("d", 1, 2.0), image(20))
    cache.put(ImageKey("d", 1, 1.0), image(10))
    cache.put(ImageKey("e", 1, 4.0), image(40))
    cache.put(ImageKey("d", 1, 4.0, "set from text"), image(40))
    found = cache.stand_in(ImageKey("d", 1, 3.0))
    assert found is not None
    assert found.width() == 20
    assert cache.stand_in(ImageKey("d", 2, 1.0)) is None


def test_a_point_between_words_belongs_to_the_nearest_of_its_line() -> None:
    text = page(1, "the consent to search", "was tainted")
    assert place_at(text, 0, 106) == TextPosition(1, 0, 0)
    assert place_at(text, 600, 106) == TextPosition(1, 3, 6)
    assert place_at(text, 600, 700) == TextPosition(1, 5, 7)
    box = text.words[1].box
    assert place_at(text, box.x0 + 3 * 6, 106) == TextPosition(1, 1, 3)
    assert place_at(page(1), 100, 100) is None


def test_selected_lines_are_copied_as_running_text() -> None:
    text = page(1, "the consent to", "search was tainted", "A new paragraph begins", "here", indent=(2,))
    everything = whole_page(text)
    assert everything is not None
    copied = selected_text({1: text}, everything)
    assert copied == "the consent to search was tainted\n\nA new paragraph begins here"


def test_a_hyphen_at_the_end_of_a_line_stays_unless_the_page_has_the_word_whole() -> None:
    text = page(1, "prolonged by cross-", "examination and pro-", "longed again")
    everything = whole_page(text)
    assert everything is not None
    assert selected_text({1: text}, everything) == "prolonged by cross-examination and prolonged again"


def test_a_part_of_a_quotation_is_copied_as_one_and_italics_with_it() -> None:
    text = page(1, "as the court has held:", "no consent to sus-", "tained search is free", "and none was")
    faces = {"is_quoted": range(5, 13), "is_italic": (2, 3, 8)}
    words = [
        word._replace(**{name: at in found for name, found in faces.items()}) for at, word in enumerate(text.words)
    ]
    texts = {1: replace(text, words=tuple(words))}
    quotation = "no consent to sus-tained search is free"
    for first, quoted, italic in ((0, quotation, ["court has", "sus-"]), (11, "is free", [])):
        selected = TextRange(TextPosition(1, first, 0), TextPosition(1, 15, 3))
        written = selected_text(texts, selected)
        assert written is not None
        printed = printed_words(texts, selected, written)
        blocks = paragraphs(written, printed.quotes)
        assert [written[slice(*span)] for span, role in blocks if role is ParagraphRole.QUOTATION] == [quoted]
        assert written.endswith(f"{quoted}\n\nand none was")
        assert [written[slice(*each)] for each in printed.italics or ()] == italic


def test_a_selection_over_pages_needs_the_words_of_all() -> None:
    first, third = page(1, "one two"), page(3, "five six")
    selected = TextRange(TextPosition(1, 1, 0), TextPosition(3, 0, 4))
    assert selected_text({1: first, 3: third}, selected) is None
    assert selected_text({1: first, 2: page(2, "three four"), 3: third}, selected) == "two\n\nthree four\n\nfive"


def test_part_of_a_word_is_selected_by_its_letters() -> None:
    text = page(1, "unlawfully prolonged")
    selected = TextRange(TextPosition(1, 0, 2), TextPosition(1, 1, 3))
    assert selected_text({1: text}, selected) == "lawfully pro"
    (box,) = boxes_on(text, selected)
    assert (box.x0, box.x1) == (72 + 12, text.words[1].box.x0 + 18)


PLACES = st.builds(TextPosition, st.integers(1, 3), st.integers(0, 3), st.integers(0, 3))


@given(PLACES, PLACES)
def test_a_selection_is_a_part_of_the_text_and_lies_on_its_words(one: TextPosition, other: TextPosition) -> None:
    texts = {number: page(number, "abc def", "ghi jkl") for number in (1, 2, 3)}
    selected = TextRange(min(one, other), max(one, other))
    forth = selected_text(texts, selected)
    whole = "\n\n".join(["abc def ghi jkl"] * 3)
    assert forth is not None
    assert forth.replace("\n\n", " ").strip() in whole.replace("\n\n", " ")
    assert all(72 <= box.x0 <= box.x1 <= 72 + 42 for text in texts.values() for box in boxes_on(text, selected))


def test_an_outline_follows_the_first_and_the_last_line() -> None:
    lines = [Box(200, 100, 500, 112), Box(72, 120, 500, 132), Box(72, 140, 300, 152)]
    path = outline_path(lines)
    for x, y, is_inside in ((100, 106, False), (250, 106, True), (100, 126, True), (100, 146, True), (400, 146, False)):
        assert path.contains(QPointF(x, y)) is is_inside


def test_lines_far_apart_are_outlined_one_by_one() -> None:
    path = outline_path([Box(72, 100, 500, 112), Box(72, 700, 500, 712)])
    assert not path.contains(QPointF(100, 400))
    assert path.contains(QPointF(100, 706))
