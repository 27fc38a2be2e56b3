"""A draft held against the bank in the real window, by keyboard and by dropping its file; nothing of it is kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import docx
import office
import pytest
from consent_briefs import ALERTS, DRAFT, briefs
from hits import hit
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QInputDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot
from windows import WAIT_MS, go_to, go_to_space, opened, press_focused, started

from briefbank.errors import CancelledError
from briefbank.matters.check_record import Decision
from briefbank.values.authorities import DraftPoint, DraftReport, MissingAuthority, ReportedSaying
from briefbank.values.source_files import SUPPORTED_SUFFIXES
from ui.authorities.space import AuthoritySpace
from ui.draft.lines import Show, office_lines, sheets
from ui.draft.space import DraftSpace
from ui.engine import EngineClient
from ui.findings.finding import Finding
from ui.window import MainWindow

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
WORD_OF_THE_DRAFT = "Zymurgy"  # found nowhere else


@pytest.fixture(scope="module")
def consenting(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineClient]:
    """An engine over three briefs, near-copies of each other, that make one argument; shared, so never indexed with."""
    root = office.index_pdfs(tmp_path_factory.mktemp("consenting"), briefs(), alerts=ALERTS)
    with started(root) as engine:
        yield engine


@pytest.fixture
def window(consenting: EngineClient, tmp_path: Path) -> Iterator[MainWindow]:
    with opened(consenting, tmp_path / "feedback.sqlite") as shown:
        yield shown


@pytest.fixture
def space(window: MainWindow, qtbot: QtBot) -> DraftSpace:
    """The space, opened with its key."""
    return go_to_space(window, qtbot, Qt.Key.Key_5, DraftSpace)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    text = office.brief("Dee Hart", "A-0100-26T1", "", ("I. THE CONSENT WAS VOID.", f"{DRAFT} {WORD_OF_THE_DRAFT}."))
    return office.write_text(tmp_path / "desk" / "hart-secret-draft.txt", text)


def drop(space: DraftSpace, file: Path) -> None:
    """Drop a file on the space, as the desktop does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    at, copy = QPoint(20, 200), Qt.DropAction.CopyAction
    no_key = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(space, QDragEnterEvent(at, copy, data, Qt.MouseButton.LeftButton, no_key))
    QApplication.sendEvent(space, QDropEvent(at, copy, data, Qt.MouseButton.LeftButton, no_key))


def choose(space: DraftSpace, file: Path) -> None:
    """Choose a file in the dialog that a key opens."""
    QTest.keyClick(space.window(), Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    dialog = space.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert all(f"*{suffix}" in dialog.nameFilters()[0] for suffix in SUPPORTED_SUFFIXES)
    dialog.selectFile(str(file))
    dialog.accept()
    space.window().activateWindow()  # as window managers do; the offscreen platform has none


def checked(space: DraftSpace, qtbot: QtBot) -> dict[str, Finding]:
    """Wait for the end of the check; what stands at the top."""
    qtbot.waitUntil(lambda: not space.checking.is_checking, timeout=WAIT_MS)
    return {each.text: each for each in space.tree.findings()}


def of_office(space: DraftSpace) -> dict[str, Finding]:
    """What the office wrote on the draft's points, as the filter's last choice shows it."""
    space.tree.setFocus()
    while space.show_which.currentData() != Show.OFFICE:
        press_focused(space, Qt.Key.Key_F)
    return {each.text: each for each in space.tree.findings()}


def test_sheets_that_follow_each_other_are_told_as_one() -> None:
    assert [sheets([3]), sheets([3, 4]), sheets([3, 4, 5, 9])] == ["sheet 3", "sheets 3–4", "sheets 3–5, 9"]


def test_an_authority_to_consider_stands_with_what_is_known_against_it_and_no_cap_reads_as_a_count() -> None:
    found = hit(1, text="State v. Penn, 150 N.J. 3 (1997).")
    said = ReportedSaying("OVERRULED by State v. Moss", "directive", "warning", found.passage, found.document)
    penn = MissingAuthority("State v. Penn, 150 N.J. 3", 1, found.document, "p", False, "", ("limited",), (said,))
    point = DraftPoint(("CONSENT",), 1, 1, (), (penn,), missing_count=34)
    (line,) = [each for each in office_lines(DraftReport("d", False, (point,), (), (), 0, (), ())) if each.children]
    assert line.below == "1 authority to consider"
    (section,) = line.children
    assert section.text == "Cited there by briefs, and nowhere in this draft, the first of these (1)"
    (missing,) = section.children
    assert [each.text for each in missing.children] == ["⚠ limited", "⚠ OVERRULED by State v. Moss"]


def test_points_too_short_to_be_checked_are_told(space: DraftSpace, tmp_path: Path, qtbot: QtBot) -> None:
    short = "THE SENTENCE IS EXCESSIVE.", "The court weighed no mitigating factor."
    text = office.brief("Dee Hart", "A-0100-26T1", "", ("THE CONSENT WAS VOID.", DRAFT), short)
    choose(space, office.write_text(tmp_path / "desk" / "draft.txt", text))
    assert any(each.startswith("Could not be checked (") for each in checked(space, qtbot))
    (point,) = of_office(space)["Not checked: too short (1)"].children
    assert "sentence is excessive" in point.text.casefold()


def test_a_finding_is_shown_on_the_drafts_page_and_beside_it_what_it_was_held_against(
    space: DraftSpace, window: MainWindow, draft: Path, qtbot: QtBot
) -> None:
    drop(space, draft)
    assert space.checking.is_checking
    found = checked(space, qtbot)
    assert space.checking.title.text() == draft.name
    texts = list(found)
    assert texts[0] == ("State v. Rill, 160 N.J. 1: 160 N.J. 1: overruled in part (office's list).")
    assert texts[1].endswith("The bank has “may not refuse” where the draft has “may refuse”.")
    assert texts[2] == "Point IV: There is no Point IV in the draft."
    assert space.status.text().startswith(f"{len(space.decided)} findings, {len(space.decided)} not decided")
    qtbot.waitUntil(space.tree.hasFocus, timeout=WAIT_MS)
    go_to(space, texts[1])
    page = space.page
    qtbot.waitUntil(lambda: bool(page._hits) and page.title.text() == draft.name, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: window.beside.is_open, timeout=WAIT_MS)
    side = window.beside.side
    assert side
    qtbot.waitUntil(lambda: bool(side.title.text()) and bool(side._hits), timeout=WAIT_MS)
    press_focused(space, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: not side.title.text(), timeout=WAIT_MS)
    assert window.beside.is_open, "its room is kept for the next finding"
    press_focused(space, Qt.Key.Key_Return)
    assert space.window().focusWidget() is page.view
    points = of_office(space)
    (point,) = (each for text, each in points.items() if "consent was void" in text.casefold())
    missing, nearest = point.children
    assert {each.text for each in missing.children} == {"State v. Ode, 101 N.J. 5", "State v. Penn, 150 N.J. 3"}
    assert missing.children[0].below.startswith("in 1 brief, newest 3 May 2019: State v. Cy Moss")
    assert nearest.text.startswith("Most similar passages of the bank (")


def test_words_of_the_draft_go_into_no_matter(space: DraftSpace, draft: Path, qtbot: QtBot) -> None:
    drop(space, draft)
    checked(space, qtbot)
    qtbot.waitUntil(lambda: bool(space.page.title.text()), timeout=WAIT_MS)
    with qtbot.assertNotEmitted(space.page.add_requested):
        space.page.add()


def test_a_draft_is_chosen_by_keyboard_and_its_authority_opens_its_card(
    space: DraftSpace, window: MainWindow, draft: Path, qtbot: QtBot
) -> None:
    choose(space, draft)
    checked(space, qtbot)
    qtbot.waitUntil(space.tree.hasFocus, timeout=WAIT_MS)
    go_to(space, "State v. Rill")
    press_focused(space, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return)
    card = window.centralWidget().findChild(AuthoritySpace)
    assert isinstance(card, AuthoritySpace)
    qtbot.waitUntil(lambda: not card.is_waiting, timeout=WAIT_MS)
    assert card.title.text() == "160 N.J. 1"
    assert card.summary.text() == "No brief of this bank cites it."


def ten_findings(folder: Path) -> Path:
    """A draft with ten references that lead nowhere, on as many points."""
    words = " ".join(f"As Point {number} shows, the trooper had no ground." for number in
                     ("IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII"))  # fmt: skip
    text = office.brief("Dee Hart", "A-0100-26T1", "", ("I. NOTHING IS LIKE THIS.", words))
    return office.write_text(folder / "desk" / "ten.txt", text)


def test_ten_findings_are_decided_and_the_record_saved_with_twenty_five_keys_at_most(
    space: DraftSpace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    out, keys = tmp_path / "record.docx", 2  # Ctrl+O, and Return in its dialog
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), "Word documents (*.docx)"))
    choose(space, ten_findings(tmp_path))
    checked(space, qtbot)
    qtbot.waitUntil(space.tree.hasFocus, timeout=WAIT_MS)
    while space.tree.current and space.tree.current.key:
        press_focused(space, Qt.Key.Key_V if keys % 3 else Qt.Key.Key_M)
        keys += 1
    assert len(space.decided) >= 10
    extra = len(space.decided) - 10
    assert all(each.decision is not Decision.OPEN for each in space.decided)
    QTest.keyClick(space.window().focusWidget(), Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    asked = space.findChild(QInputDialog)
    assert isinstance(asked, QInputDialog)
    QTest.keyClicks(asked.findChild(QLineEdit), "DH")
    QTest.keyClick(asked.findChild(QLineEdit), Qt.Key.Key_Return)
    keys += 1 + 2 + 1 + 1  # and Return in the dialog that asks where
    qtbot.waitUntil(lambda: space._bottom.state == f"Saved: {out}", timeout=WAIT_MS)
    assert keys - extra <= 25
    said = "\n".join(cell.text for table in docx.Document(str(out)).tables for row in table.rows for cell in row.cells)
    assert "reviewed; DH" in said
    assert f"{len(space.decided)}: 0 open" in said
    assert space.may_lose_decisions(), "they are in the record"


def test_decisions_move_findings_between_filters_and_outlive_a_second_check(
    space: DraftSpace, draft: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    drop(space, draft)
    before = list(checked(space, qtbot))
    qtbot.waitUntil(space.tree.hasFocus, timeout=WAIT_MS)
    go_to(space, before[1])
    press_focused(space, Qt.Key.Key_V)
    assert space.tree.current
    assert space.tree.current.text == before[2], "the next one"
    press_focused(space, Qt.Key.Key_T)
    asked = space.findChild(QInputDialog)
    assert isinstance(asked, QInputDialog)
    QTest.keyClicks(asked.findChild(QLineEdit), "as the clerk said")
    QTest.keyClick(asked.findChild(QLineEdit), Qt.Key.Key_Return)
    space.window().activateWindow()
    spoken = str(space.tree.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole))
    assert spoken.startswith("Point IV: There is no Point IV in the draft. to mend")
    while space.show_which.currentData() != Show.DONE:
        press_focused(space, Qt.Key.Key_F)
    assert [each.text for each in space.tree.findings()] == [before[1]]

    draft.write_text(draft.read_text(encoding="utf-8").replace("As Point IV shows", "As is plain"), encoding="utf-8")
    drop(space, draft)
    checked(space, qtbot)
    assert [(each.finding.kind, each.note) for each in space._gone] == [("dead-reference", "as the clerk said")]
    assert [each.text for each in space.tree.findings()] == [before[1], before[2]], "and what is gone"

    out = tmp_path / "record.json"
    space.save_record(out)
    qtbot.waitUntil(lambda: not space._is_unsaved and space.tree.hasFocus(), timeout=WAIT_MS)
    QTest.keyClick(space.tree, Qt.Key.Key_W, CTRL_SHIFT)
    drop(space, draft)
    checked(space, qtbot)
    assert all(each.decision is Decision.OPEN for each in space.decided)
    space.take_earlier(out)
    qtbot.waitUntil(lambda: any(each.decision is Decision.REVIEWED for each in space.decided), timeout=WAIT_MS)


@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_second_check_that_is_stopped_or_fails_leaves_findings_and_decisions_as_they_were(
    space: DraftSpace, draft: Path, is_stopped: bool, qtbot: QtBot
) -> None:
    drop(space, draft)
    checked(space, qtbot)
    qtbot.waitUntil(space.tree.hasFocus, timeout=WAIT_MS)
    press_focused(space, Qt.Key.Key_V)
    decided, shown = space.decided, list(space.tree.findings())
    if not is_stopped:
        draft.unlink()
    drop(space, draft)
    drop(space, draft)
    assert list(space.tree.findings()) == []
    if is_stopped:
        press_focused(space, Qt.Key.Key_Escape)
    checked(space, qtbot)
    assert (space.decided, list(space.tree.findings())) == (decided, shown)
    assert space.status.text().startswith(f"{len(decided)} findings, {len(decided) - 1} not decided")
    assert space._bottom.state.endswith("What was found and decided before stands.")
    assert space._is_unsaved
    space._is_unsaved = False  # so that the window closes


def test_an_earlier_record_decides_what_is_open_and_one_changed_by_hand_changes_nothing(
    space: DraftSpace, draft: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    saved, edited = tmp_path / "record.json", tmp_path / "edited.json"

    def decide(*at: int) -> None:
        for row in at:
            space.tree.setCurrentIndex(space.tree.rows.index(row, 0))
            press_focused(space, Qt.Key.Key_V if row == 0 else Qt.Key.Key_M)

    space.show_which.setCurrentIndex(space.show_which.findData(Show.OPEN))
    drop(space, draft)
    checked(space, qtbot)
    qtbot.waitUntil(space.tree.hasFocus, timeout=WAIT_MS)
    first, second = list(space.tree.findings())[:2]
    decide(0, 0)
    space.save_record(saved)
    qtbot.waitUntil(lambda: not space._is_unsaved, timeout=WAIT_MS)
    edited.write_text(saved.read_text(encoding="utf-8").replace('"reviewed"', '"mended"'), encoding="utf-8")
    QTest.keyClick(space.tree, Qt.Key.Key_W, CTRL_SHIFT)

    drop(space, draft)
    checked(space, qtbot)
    qtbot.waitUntil(space.tree.hasFocus, timeout=WAIT_MS)
    decide(1)
    here = space.decided
    space.take_earlier(edited)
    qtbot.waitUntil(lambda: "changed" in space._bottom.state, timeout=WAIT_MS)
    assert space.decided == here
    space.take_earlier(saved)
    qtbot.waitUntil(lambda: space.decided != here, timeout=WAIT_MS)
    decisions = {each.finding.key: each.decision for each in space.decided}
    assert (decisions[first.key], decisions[second.key]) == (Decision.REVIEWED, Decision.MENDED)
    space._is_unsaved = False  # so that the window closes


def by_text(box: QMessageBox) -> dict[str, QAbstractButton]:
    return {each.text(): each for each in box.buttons()}


@pytest.mark.parametrize("is_given_up", [True, False])
def test_decisions_that_no_record_has_are_not_lost_unasked(
    space: DraftSpace, draft: Path, is_given_up: bool, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(QMessageBox, "exec", lambda box: by_text(box)["Lose it" if is_given_up else "Stay"].click())
    drop(space, draft)
    checked(space, qtbot)
    qtbot.waitUntil(space.tree.hasFocus, timeout=WAIT_MS)
    press_focused(space, Qt.Key.Key_M)
    QTest.keyClick(space.tree, Qt.Key.Key_W, CTRL_SHIFT)
    assert bool(space.decided) is not is_given_up
    space._is_unsaved = False  # so that the window closes


def test_a_closed_draft_is_gone_and_no_file_ever_held_its_name_or_words(
    space: DraftSpace, window: MainWindow, draft: Path, user_folders: Path, consenting: EngineClient, qtbot: QtBot
) -> None:
    choose(space, draft)
    checked(space, qtbot)
    qtbot.waitUntil(space.tree.hasFocus, timeout=WAIT_MS)
    QTest.keyClick(space.tree, Qt.Key.Key_W, CTRL_SHIFT)
    assert list(space.tree.findings()) == []
    assert space.checking.title.text() == space.status.text() == ""
    assert space.empty.text().startswith("Choose a draft")
    window.close()
    kept = [each for root in (user_folders, consenting.bank_root) for each in root.rglob("*") if each.is_file()]
    assert kept, "settings at least are kept, so that this looks at something"
    assert [
        each for each in kept if b"secret-draft" in each.read_bytes() or WORD_OF_THE_DRAFT.encode() in each.read_bytes()
    ] == []


def test_a_check_is_stopped_with_escape_and_another_draft_takes_its_place(
    space: DraftSpace, draft: Path, qtbot: QtBot
) -> None:
    drop(space, draft)
    press_focused(space, Qt.Key.Key_Escape)
    assert not space.checking.is_checking
    assert space.empty.text() == "Stopped. Nothing was kept of the draft."
    drop(space, draft)
    assert any(each.startswith("State v. Rill") for each in checked(space, qtbot))


def test_a_file_that_is_no_draft_is_told_in_words(space: DraftSpace, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    drop(space, tmp_path / "broken.pdf")
    assert checked(space, qtbot) == {}
    assert "broken.pdf" in space.empty.text()


def test_a_similar_passage_is_copied_with_its_source(space: DraftSpace, draft: Path, qtbot: QtBot) -> None:
    drop(space, draft)
    checked(space, qtbot)
    of_office(space)
    go_to(space, "I. The consent")
    press_focused(space, Qt.Key.Key_Right)
    go_to(space, "Most similar")
    press_focused(space, Qt.Key.Key_Down)
    QTest.keyClick(space.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "\n\n— State v. " in QGuiApplication.clipboard().text()


def test_what_was_found_is_saved_as_a_word_document_in_which_it_stands(
    space: DraftSpace, draft: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    chosen = tmp_path / "check"  # without its ending
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(chosen), ""))
    drop(space, draft)
    checked(space, qtbot)
    QTest.keyClick(space.tree, Qt.Key.Key_E, CTRL_SHIFT)
    written = tmp_path / "check.docx"
    qtbot.waitUntil(lambda: space._bottom.state == f"Written: {written}", timeout=WAIT_MS)
    said = "\n".join(each.text for each in docx.Document(str(written)).paragraphs)
    assert "State v. Rill, 160 N.J. 1" in said
    assert "may not refuse" in said
    QTest.keyClick(space.tree, Qt.Key.Key_E, CTRL_SHIFT)
    qtbot.waitUntil(
        lambda: "check.docx" in space._bottom.state and "Written" not in space._bottom.state, timeout=WAIT_MS
    )


def held() -> list[Finding]:
    """All findings that are in memory."""
    gc.collect()
    return [each for each in gc.get_objects() if issubclass(type(each), Finding)]  # no proxy is asked


def test_nothing_that_was_found_is_held_or_opened_once_the_draft_is_closed(
    space: DraftSpace, window: MainWindow, draft: Path, qtbot: QtBot
) -> None:
    before = held()
    drop(space, draft)
    checked(space, qtbot)
    go_to(space, "State v. Rill")
    qtbot.waitUntil(lambda: bool(space.page.title.text()), timeout=WAIT_MS)
    QTest.keyClick(space.tree, Qt.Key.Key_W, CTRL_SHIFT)
    assert [each.text for each in held() if not any(each is other for other in before)] == []
    QTest.keyClick(space.tree, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.wait(500)
    assert not window.beside.is_open


def test_the_folder_of_a_draft_that_was_chosen_is_not_kept(
    space: DraftSpace, window: MainWindow, draft: Path, user_folders: Path, qtbot: QtBot
) -> None:
    choose(space, draft)
    checked(space, qtbot)
    QApplication.sendPostedEvents(None, 52)  # deferred deletion, at which the dialog keeps where it was
    kept = [each for each in user_folders.rglob("*") if each.is_file() and b"desk" in each.read_bytes()]
    assert kept == []


def test_a_check_ends_with_its_window(space: DraftSpace, window: MainWindow, draft: Path, qtbot: QtBot) -> None:
    drop(space, draft)
    run = space.checking._run
    assert run
    window.close()
    assert not space.checking.is_checking
    qtbot.waitUntil(run.done, timeout=WAIT_MS)
    assert run.cancelled() or isinstance(run.exception(), CancelledError)
