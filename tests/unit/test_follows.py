"""What is followed, and what of it stands in documents that a bank had not when somebody looked last."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path
from typing import Any

import office
import pytest

from briefbank.bank.local import Bank
from briefbank.cli.main import main
from briefbank.errors import ExitCode
from briefbank.matters.follows import (
    BankKnown,
    FollowEnded,
    FollowLog,
    FollowSeen,
    event,
    follows_of,
    seen_events,
)
from briefbank.values.follows import Follow, News, marks_of
from briefbank.values.records import Document, Fact, Metadata, Query

CONSENT = (
    "Nobody who is asked for consent at the roadside may be told that refusing it is useless. State v. Rill, 160 N.J. "
    "7 (1999)."
)
SENTENCE = "The sentence is excessive, for the court found two factors in aggravation that the verdict denies."


def indexed(root: Path, name: str, words: str) -> None:
    text = office.brief(f"{name.title()} Osei", f"A-00{len(name):02d}-20T1", "May 9, 2020", ("A POINT.", words))
    office.write_text(root.parent / f"briefs/{name}.txt", text)
    assert main(["index", str(root.parent / "briefs"), "--bank", str(root), "--quiet"]) == 0


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    root = office.write_bank(tmp_path / "bank")
    indexed(root, "first", CONSENT)
    return root


def test_what_is_new_is_told_until_it_was_seen_and_only_of_what_is_followed(
    briefbank: Any, bank: Path, tmp_path: Path
) -> None:
    log = ("--log", tmp_path / "follows.sqlite", "--bank", bank)
    assert "Nothing is followed" in briefbank("follow", "list", *log).out
    for name, *question in (("consent", '"consent at the roadside"'), ("Rill", "State v. Rill, 160 N.J. 7")):
        assert briefbank("follow", "add", name, *question, *log).code == 0
    assert news(briefbank, log) == {"consent": 0, "Rill": 0}
    indexed(bank, "second", SENTENCE)
    assert news(briefbank, log)["Rill"] == 0
    assert briefbank("follow", "seen", *log).code == 0
    indexed(bank, "third", CONSENT.replace("Nobody", "No driver"))
    assert news(briefbank, log) == {"consent": 1, "Rill": 1}
    (told, _) = briefbank("follow", "list", *log, "--json").json["follows"]
    since = date.fromisoformat(told["since"])
    assert f"consent: 1 new passage since {since.day} {since:%B %Y}" in briefbank("follow", "list", *log).out
    assert briefbank("follow", "seen", "Rill", *log).code == 0
    assert news(briefbank, log) == {"consent": 1, "Rill": 0}
    assert briefbank("follow", "stop", "consent", *log).code == 0
    assert news(briefbank, log) == {"Rill": 0}


def test_what_was_published_after_it_was_shown_stays_new(bank: Path, tmp_path: Path) -> None:
    log = tmp_path / "follows.sqlite"
    with Bank.open(bank) as opened:
        opened.follow({"Rill": Query("State v. Rill, 160 N.J. 7")}, log)
        indexed(bank, "second", CONSENT.replace("Nobody", "No driver"))
        (shown,) = opened.news(log)
        indexed(bank, "third", CONSENT.replace("Nobody", "No motorist"))
        (left,) = opened.mark_seen({"Rill": shown.query.filters.documents}, log)
        assert (shown.passages, left.passages) == (1, 1)
        assert set(left.query.filters.documents).isdisjoint(shown.query.filters.documents)


def news(briefbank: Any, log: tuple[object, ...]) -> dict[str, int]:
    return {each["name"]: each["new_passages"] for each in briefbank("follow", "list", *log, "--json").json["follows"]}


def test_what_is_not_there_to_be_followed_is_named(briefbank: Any, bank: Path, tmp_path: Path) -> None:
    log = ("--log", tmp_path / "follows.sqlite", "--bank", bank)
    saved = ("add", "gone", "--feedback", tmp_path / "feedback.sqlite")
    for wrong in (saved, ("add", "gone", "--issue"), ("stop", "gone"), ("seen", "gone")):
        told = briefbank("follow", *wrong, *log)
        assert told.code == ExitCode.USAGE
        assert "gone" in told.err


@pytest.mark.parametrize(
    "words",
    [
        ("follow", "list"),
        ("follow", "seen"),
        ("follow", "seen", "gone"),
        ("follow", "stop", "gone"),
        ("follow", "add", "gone", "--feedback", "new/none.sqlite"),
        ("matter", "list"),
        ("matter", "export", "gone", "gone.docx"),
    ],
)
def test_reading_makes_no_log(briefbank: Any, bank: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    where = tmp_path / "here"
    where.mkdir()
    paths = [str(where / each) if "." in each else each for each in words]
    told = briefbank(*paths, "--log", where / "new/follows.sqlite", "--bank", bank)
    assert told.code == (ExitCode.USAGE if "gone" in words else ExitCode.OK)
    assert list(where.iterdir()) == []


def test_a_log_whose_file_is_gone_is_made_again_by_who_reads_it(briefbank: Any, bank: Path, tmp_path: Path) -> None:
    file = tmp_path / "follows.sqlite"
    log = ("--log", file, "--bank", bank)
    assert briefbank("follow", "add", "consent", "consent at the roadside", *log).code == 0
    file.unlink()
    assert briefbank("follow", "list", *log).code == ExitCode.DAMAGED
    assert news(briefbank, log) == {"consent": 0}


@pytest.mark.parametrize("seed", range(5))
def test_the_state_is_the_same_whatever_was_written_twice_or_reopened(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    with FollowLog(tmp_path / "follows.sqlite") as log:
        for _ in range(20):
            name, known = chance.choice("abc"), bytes(chance.choices(b"xy", k=5))
            made = seen_events(log.events(), name, Query(name), known)
            if not chance.randrange(4):
                made = [event(FollowEnded(name))]
            log.append(made)
            log.append(made)
        events = log.events()
    with FollowLog(tmp_path / "follows.sqlite") as log:
        assert follows_of(log.events()) == follows_of(events)
    last = {each.content.name: each for each in events if isinstance(each.content, (FollowSeen, FollowEnded))}
    assert [each.name for each in follows_of(events)] == sorted(
        name for name, each in last.items() if isinstance(each.content, FollowSeen)
    )
    states = [each.content.known for each in events if isinstance(each.content, BankKnown)]
    assert len(states) == len(set(states)), "a state of the bank is written once"


def test_documents_are_known_again_by_what_they_hold_and_in_any_order() -> None:
    facts = Metadata(Fact("State v. Osei", "caption"), Fact("brief", "caption"))
    documents = [Document(str(number), "a.txt", f"{number:064}", facts, 1, 0, None, 1) for number in range(50)]
    follow = Follow("f", Query("f"), date(2026, 5, 12), marks_of(documents[10:40]))
    assert marks_of(reversed(documents)) == marks_of(documents)
    assert follow.new_among(documents) == documents[:10] + documents[40:]
    assert News(follow, 3, follow.query).told == "3 new passages since 12 May 2026"
    assert News(follow, 0, follow.query).told == "nothing new since 12 May 2026"
