"""Matters: what is kept of what people collect, in which order, and what is refused."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from hits import result
from hypothesis import given
from hypothesis import strategies as st
from systems import is_private

from briefbank.errors import BankDamagedError, BankNewerError, BriefBankError, SourceError, UsageError
from briefbank.matters.events import (
    Content,
    Event,
    ItemAdded,
    ItemEdited,
    ItemMoved,
    ItemRemoved,
    ItemRestored,
    MatterArchived,
    MatterMade,
    MatterRenamed,
)
from briefbank.matters.exchange import find_matter, read_matter, write_matter
from briefbank.matters.items import HeadingItem, Item, NoteItem, PassageItem, excerpt_item, passage_item
from briefbank.matters.log import MatterLog
from briefbank.matters.state import Matter, matters_of
from briefbank.platform.event_log.database import journal_of
from briefbank.platform.event_log.log import new_id
from briefbank.platform.event_log.writer import Writer
from briefbank.platform.files import TABLE_BYTES
from briefbank.values.pages import Typography
from briefbank.values.records import Span

START = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
HIT = result("the stop", 1).hits[0]
PASSAGE = passage_item(
    HIT.passage, HIT.document, printed=Typography((Span(0, 3),), bold=(Span(4, 8),)), cautions=("Cites X: overruled",)
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "office" / "matters.sqlite"


@pytest.fixture
def log(path: Path) -> Iterator[MatterLog]:
    with MatterLog(path) as opened:
        yield opened


def events(contents: Sequence[Content]) -> list[Event]:
    return [Event(new_id(), START + timedelta(seconds=at), content) for at, content in enumerate(contents)]


def told(*contents: Content) -> Matter:
    (matter,) = matters_of(events([MatterMade("m", "Renfrew II"), *contents]))
    return matter


def ids(matter: Matter) -> list[str]:
    return [entry.id for entry in matter.entries]


def notes(*names: str) -> list[Content]:
    return [ItemAdded("m", each, NoteItem(each)) for each in names]


def test_a_matter_holds_what_was_added_in_its_order() -> None:
    matter = told(
        *notes("a", "b"), ItemAdded("m", "c", PASSAGE, after="a"), ItemAdded("m", "d", NoteItem("d"), after="")
    )
    assert ids(matter) == ["d", "a", "c", "b"]
    assert matter.passages == (PASSAGE,)


def test_an_item_is_moved_behind_another_and_to_the_beginning() -> None:
    assert ids(told(*notes("a", "b", "c"), ItemMoved("m", "a", "b"))) == ["b", "a", "c"]
    assert ids(told(*notes("a", "b", "c"), ItemMoved("m", "c", ""))) == ["c", "a", "b"]


def test_what_was_removed_comes_back_to_its_place() -> None:
    removed = [*notes("a", "b", "c"), ItemRemoved("m", "b")]
    assert ids(told(*removed)) == ["a", "c"]
    assert ids(told(*removed, ItemMoved("m", "c", "a"), ItemRestored("m", "b"))) == ["a", "c", "b"]


def test_an_item_that_was_moved_to_where_it_stood_before_stands_there() -> None:
    before = told(*notes("a", "b", "c"))
    moved = [*notes("a", "b", "c"), ItemMoved("m", "c", ""), ItemMoved("m", "c", before.before("c"))]
    assert ids(told(*moved)) == ids(before)


def test_a_note_is_written_anew_and_a_passage_never() -> None:
    matter = told(*notes("a"), ItemAdded("m", "p", PASSAGE), ItemEdited("m", "a", NoteItem("new")))
    assert matter.entries[0].item == NoteItem("new")
    assert told(ItemAdded("m", "p", PASSAGE), ItemEdited("m", "p", NoteItem("not filed"))).passages == (PASSAGE,)


def test_a_matter_is_renamed_archived_and_taken_out_again() -> None:
    matter = told(MatterRenamed("m", "Oakes"), MatterArchived("m", is_archived=True))
    assert (matter.name, matter.is_archived) == ("Oakes", True)
    assert not told(MatterArchived("m", is_archived=True), MatterArchived("m", is_archived=False)).is_archived


ITEM_IDS = st.sampled_from(["a", "b", "c", "d"])
PLACES = st.none() | st.just("") | ITEM_IDS
ITEMS = st.sampled_from([NoteItem("note"), HeadingItem("I", 2), PASSAGE])
OWN = st.sampled_from([NoteItem("other"), HeadingItem("II", 1)])
MATTER_IDS = st.sampled_from(["m", "n"])
CONTENTS = st.one_of(
    st.builds(MatterMade, MATTER_IDS, st.sampled_from(["Renfrew", "Oakes"])),
    st.builds(MatterRenamed, MATTER_IDS, st.just("renamed")),
    st.builds(MatterArchived, MATTER_IDS, st.booleans()),
    st.builds(ItemAdded, MATTER_IDS, ITEM_IDS, ITEMS, PLACES),
    st.builds(ItemEdited, MATTER_IDS, ITEM_IDS, OWN),
    st.builds(ItemMoved, MATTER_IDS, ITEM_IDS, PLACES),
    st.builds(ItemRemoved, MATTER_IDS, ITEM_IDS),
    st.builds(ItemRestored, MATTER_IDS, ITEM_IDS),
)


@given(st.lists(CONTENTS, max_size=25))
def test_any_beginning_of_any_history_gives_sound_matters(contents: list[Content]) -> None:
    history = events(contents)
    for end in range(len(history) + 1):
        for matter in matters_of(history[:end]):
            added = {each.content.item_id for each in history[:end] if isinstance(each.content, ItemAdded)}
            assert matter.name
            assert len(set(ids(matter))) == len(matter.entries)
            assert set(ids(matter)) <= added
            assert all(isinstance(entry.item, NoteItem | HeadingItem | PassageItem) for entry in matter.entries)


@given(st.data())
def test_two_windows_that_write_at_once_lose_nothing(data: st.DataObject) -> None:
    """Each adds, moves and removes items of its own, and moves them behind those of the other."""
    histories: list[list[Content]] = []
    kept: set[str] = set()
    for name in "xy":
        own = [f"{name}{number}" for number in range(data.draw(st.integers(1, 5)))]
        anywhere = st.sampled_from([None, "", *own, "x0", "y0"])
        history: list[Content] = []
        for each in own:
            history.append(ItemAdded("m", each, NoteItem(each), data.draw(anywhere)))
            history.append(ItemMoved("m", each, data.draw(anywhere)))
            if data.draw(st.booleans()):
                history.append(ItemRemoved("m", each))
            else:
                kept.add(each)
        histories.append(history)
    mixed: list[Content] = []
    while any(histories):
        mixed.append(data.draw(st.sampled_from([each for each in histories if each])).pop(0))
    assert set(ids(told(*mixed))) == kept


def test_what_was_appended_is_there_for_the_next_program(log: MatterLog, path: Path) -> None:
    log.append(events([MatterMade("m", "Renfrew"), ItemAdded("m", "p", PASSAGE), ItemAdded("m", "n", NoteItem("so"))]))
    with MatterLog(path) as other:
        assert other.matters() == log.matters()
        assert [entry.item for entry in other.matters()[0].entries] == [PASSAGE, NoteItem("so")]


def test_an_event_that_is_there_already_is_skipped(log: MatterLog) -> None:
    made = events([MatterMade("m", "Renfrew")])
    log.append(made)
    log.append(made)
    assert log.event_ids() == [made[0].id]


def test_nothing_in_the_log_can_be_changed_or_deleted(log: MatterLog, path: Path) -> None:
    log.append(events([MatterMade("m", "Renfrew")]))
    database = sqlite3.connect(path)
    for statement in ("UPDATE event SET body = ''", "DELETE FROM event", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
            database.execute(statement)
    database.close()


@pytest.mark.parametrize("spoilt", ["cut off", "overwritten", "gone", "row changed"])
def test_a_damaged_log_is_made_again_from_its_journal(path: Path, spoilt: str) -> None:
    with MatterLog(path) as log:
        log.append(events([MatterMade("m", "Renfrew"), ItemAdded("m", "p", PASSAGE)]))
        before = log.matters()
    if spoilt == "cut off":
        path.write_bytes(path.read_bytes()[:5000])
    elif spoilt == "overwritten":
        path.write_bytes(path.read_bytes()[:4096] + b"x" * (path.stat().st_size - 4096))
    elif spoilt == "gone":
        path.unlink()
    else:
        data = path.read_bytes()
        assert b"Renfrew" in data
        path.write_bytes(data.replace(b"Renfrew", b"Renfrow"))
    with pytest.raises(BankDamagedError) as caught:
        MatterLog(path)
    assert "All 2 entries were restored" in caught.value.advice
    with MatterLog(path) as log:
        assert log.matters() == before


@pytest.mark.skipif(os.name == "nt", reason="a file that is open is not moved there")
def test_a_window_goes_on_writing_when_another_one_mended_the_log(path: Path) -> None:
    first, second = events([MatterMade("m", "Renfrew"), ItemAdded("m", "p", PASSAGE)])
    written = threading.Event()
    told: list[BriefBankError] = []
    writer = Writer[MatterLog, Event](
        lambda: MatterLog(path),
        on_opened=lambda _: None,
        on_written=lambda _: written.set(),
        on_failed=told.append,
        retry_s=0.05,
    )
    writer.put(first)
    assert written.wait(10)
    path.write_bytes(path.read_bytes().replace(b"Renfrew", b"Renfrow"))
    with pytest.raises(BankDamagedError, match="was moved to"):
        MatterLog(path)
    MatterLog(path).close()
    writer.put(second)
    assert writer.close() == 0
    with MatterLog(path) as log:
        assert log.event_ids() == [first.id, second.id]
    (problem,) = told
    assert "moved by another program" in str(problem)


def test_a_damaged_journal_is_made_again_from_the_log(path: Path) -> None:
    with MatterLog(path) as log:
        log.append(events([MatterMade("m", "Renfrew"), ItemAdded("m", "p", PASSAGE)]))
    journal = journal_of(path).path
    whole = journal.read_bytes()
    journal.write_bytes(whole.replace(b"Renfrew", b"Renfrow"))
    with pytest.raises(BankDamagedError, match="second copy"):
        MatterLog(path)
    MatterLog(path).close()
    assert sorted(journal.read_bytes().splitlines()) == sorted(whole.splitlines())


FORMATS = Path(__file__).parents[1] / "formats"


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_log_of_every_version_is_read_and_written(path: Path, version: int) -> None:
    """The files were written by the first programs that had them, and are never written again."""
    path.parent.mkdir()
    shutil.copy(FORMATS / f"matters-{version}.sqlite", path)
    with MatterLog(path) as log:
        first, second = log.matters()
        assert (first.name, second.name, second.is_archived) == ("Renfrew III", "Oakes", True)
        heading, passage, note = (entry.item for entry in first.entries[:3])
        assert [each.quotes for each in first.passages[1:]] == [(Span(0, 23),)] * (version - 1)
        assert [each.bold for each in first.passages[2:]] == [(Span(0, 3),)] * (version == 3)
        assert (heading, note) == (HeadingItem("POINT I"), NoteItem("Ask for the second tape."))
        assert isinstance(passage, PassageItem)
        assert passage.italics == (Span(23, 37),)
        log.append(events([ItemAdded(first.id, "new", NoteItem("new"))]))
        assert ids(log.matters()[0])[-1] == "new"


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_a_file_of_every_version_is_imported(version: int) -> None:
    _, history = read_matter(FORMATS / f"matter-{version}.json")
    (matter,) = matters_of(history)
    assert matter.name == "Renfrew III"
    assert [type(entry.item) for entry in matter.entries] == [HeadingItem, PassageItem, NoteItem]


# --- what may stand in a matter ---------------------------------------------------------------------------------


def test_a_passage_keeps_all_that_was_known_of_it() -> None:
    known = HIT.document.metadata
    assert PASSAGE.text == HIT.passage.text
    assert PASSAGE.title == known.title.value
    assert PASSAGE.document_sha256 == HIT.document.sha256
    assert PASSAGE.pages == HIT.document.cited_pages(HIT.passage.page_first, HIT.passage.page_last)
    assert (PASSAGE.italics, PASSAGE.cautions) == ((Span(0, 3),), ("Cites X: overruled",))


def test_a_selection_keeps_the_pages_it_stands_on() -> None:
    item = excerpt_item("  the words ", HIT.passage, HIT.document, pages=(3, 4))
    assert (item.text, item.pages, item.is_excerpt) == ("the words", HIT.document.cited_pages(3, 4), True)


def test_a_passage_of_another_document_is_refused() -> None:
    other = result("the stop", 2).hits[0]
    with pytest.raises(UsageError):
        passage_item(HIT.passage, other.document)


FORGED = {
    "the words of another passage": {**msgspec.to_builtins(PASSAGE), "text": "The stop was lawful, in short."},
    "no document": {**msgspec.to_builtins(PASSAGE), "document_id": ""},
    "a summary": {"type": "summary", "text": "In short, the stop was unlawful."},
    "a model's word on a passage": {**msgspec.to_builtins(PASSAGE), "summary": "In short."},
    "italics beyond the text": {**msgspec.to_builtins(PASSAGE), "italics": [[0, 10**6]]},
}


@pytest.mark.parametrize("forged", FORGED)
def test_nothing_but_passages_word_for_word_notes_and_headings_can_be_read_in(forged: str, tmp_path: Path) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(FORGED[forged], Item)
    file = tmp_path / "m.json"
    table = {"format": "briefbank matter", "version": 1, "name": "m", "items": [FORGED[forged]]}
    file.write_bytes(msgspec.json.encode(table))
    with pytest.raises(SourceError, match="not as it was written") as caught:
        read_matter(file)
    assert "In short" not in caught.value.message


# --- one matter as a file ---------------------------------------------------------------------------------------


def whole() -> Matter:
    return told(ItemAdded("m", "h", HeadingItem("Point I", 2)), *notes("a"), ItemAdded("m", "p", PASSAGE))


def test_an_exported_matter_is_imported_as_a_new_one(log: MatterLog, tmp_path: Path) -> None:
    log.append(events([MatterMade("m", "Renfrew II")]))
    write_matter(whole(), tmp_path / "m.json", {})
    made, history = read_matter(tmp_path / "m.json")
    log.append(history)
    first, second = log.matters()
    assert (first.id, first.entries) == ("m", ())
    assert (second.id, second.name) == (made, "Renfrew II")
    *own, passage = (entry.item for entry in whole().entries)
    assert PASSAGE.italics  # which nobody can look up: a file is not believed that words were stressed
    assert [entry.item for entry in second.entries] == [*own, msgspec.structs.replace(passage, italics=None, bold=())]
    assert is_private(tmp_path / "m.json")


def test_a_matter_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text('{"format": "briefbank matter", "version": 9, "who": "knows"}', encoding="utf-8")
    with pytest.raises(BankNewerError, match="version 9"):
        read_matter(file)


@pytest.mark.parametrize("version", [0, -1])
def test_a_version_that_no_program_wrote_is_refused(version: int, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_bytes(msgspec.json.encode({"format": "briefbank matter", "version": version, "name": "m", "items": []}))
    with pytest.raises(SourceError, match=r"at \$\.version"):
        read_matter(file)


def test_a_file_larger_than_any_matter_is_refused(tmp_path: Path) -> None:
    write_matter(whole(), tmp_path / "m.json", {})
    with (tmp_path / "m.json").open("ab") as file:
        file.write(b" " * TABLE_BYTES)  # white space, which JSON allows
    with pytest.raises(SourceError, match="larger than"):
        read_matter(tmp_path / "m.json")


TOO_MUCH = {
    "2,001 entries": [{"type": "note", "text": ""}] * 2_001,
    "entry 2 has 100,001 letters": [{"type": "note", "text": ""}, {"type": "heading", "text": "x" * 100_001}],
    "entry 1 has more than": [{**msgspec.to_builtins(PASSAGE), "title": "T" * 1_001}],
    "entry 1 has more than 100 headings and warnings": [{**msgspec.to_builtins(PASSAGE), "cautions": ["c"] * 101}],
}


@pytest.mark.parametrize("told", TOO_MUCH)
def test_a_matter_over_the_bounds_is_refused_with_the_bound(told: str, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    table = {"format": "briefbank matter", "version": 2, "name": "m", "items": TOO_MUCH[told]}
    file.write_bytes(msgspec.json.encode(table))
    with pytest.raises(SourceError, match=f"{told}.*0") as caught:
        read_matter(file)
    assert "several matters" in caught.value.advice


def test_no_file_is_written_that_nobody_could_bring_in(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="2,001 entries"):
        write_matter(told(*notes(*map(str, range(2_001)))), tmp_path / "m.json", {})
    assert list(tmp_path.iterdir()) == []


def test_a_matter_at_the_bounds_is_read_and_its_log_stays_small(log: MatterLog, path: Path, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    items = [{"type": "note", "text": ""}] * 2_000
    file.write_bytes(msgspec.json.encode({"format": "briefbank matter", "version": 2, "name": "m", "items": items}))
    log.append(read_matter(file)[1])
    assert len(log.matters()[0].entries) == 2_000
    assert sum(each.stat().st_size for each in path.parent.iterdir()) < 2_500_000


DEEP = '{"format": "briefbank matter", "version": 1, "name": "m", "x": ' + "[" * 100_000


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"format": "other", "version": 1}', "\ud800".encode("utf-8", "surrogatepass"), DEEP],
    ids=["empty", "no keys", "a list", "another format", "no UTF-8", "brackets within brackets"],
)  # fmt: skip
def test_a_file_that_is_no_matter_is_named(text: str | bytes, tmp_path: Path) -> None:
    file = tmp_path / "letter.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SourceError, match=r"letter\.json is no matter"):
        read_matter(file)


@pytest.mark.parametrize(
    ("name", "filed", "where"), [("m", "soon", r"\$\.items\[1\]\.filed"), (" ", "2024-05-06", r"\$\.name")]
)
def test_a_file_that_could_never_be_exported_or_called_is_refused(
    name: str, filed: str, where: str, tmp_path: Path
) -> None:
    file = tmp_path / "m.json"
    items = [NoteItem("sound"), msgspec.structs.replace(PASSAGE, filed=filed)]
    file.write_bytes(msgspec.json.encode({"format": "briefbank matter", "version": 1, "name": name, "items": items}))
    with pytest.raises(SourceError, match=where):
        read_matter(file)


def test_a_matter_is_found_by_its_name_or_the_beginning_of_its_id() -> None:
    made = matters_of(
        events([MatterMade("abcdef12", "Renfrew"), MatterMade("abcdef99", "renfrew"), MatterMade("q", "Oakes")])
    )
    assert find_matter(made, "oakes").id == "q"
    assert find_matter(made, "abcdef1").id == "abcdef12"
    with pytest.raises(UsageError, match="Several"):
        find_matter(made, "Renfrew")
    with pytest.raises(UsageError, match="no matter"):
        find_matter(made, "Carty")
