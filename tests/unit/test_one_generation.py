"""Every answer of a bank is made from one generation and one list, whatever is published between its steps.

The bank holds two generations and IT has two lists; each time the program looks at which of them is in force, the other
one is put in its place. What comes out must be what one of the four states alone gives.
"""

from __future__ import annotations

import inspect
import itertools
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import office
import pytest

from briefbank.bank.local import Bank
from briefbank.bank.reader import BankReader
from briefbank.bank.runs import BankRuns
from briefbank.errors import BriefBankError
from briefbank.index.publish import make_live
from briefbank.matters.check_record import RecordWish
from briefbank.matters.follows import FollowLog, seen_events
from briefbank.platform.layout import Layout
from briefbank.search.checklists.checklist import named
from briefbank.values.authorities import DraftReport
from briefbank.values.collected import CollectedWords
from briefbank.values.records import Query, SearchResult
from briefbank.values.source_format import Source

LISTS = (
    'authority,says\n"State v. Carty, 170 N.J. 632 (2002)",limited\n',
    'authority,says\n"State v. King, 44 N.J. 346 (1965)",see the memo\n"State v. Carty, 170 N.J. 632 (2002)",gone\n',
)
DRAFT = office.brief("Noor Abel", "A-1-20T1", "May 4, 2020", ("THE STOP.", office.STOP), ("CONSENT.", office.CONSENT))


@pytest.fixture(scope="module")
def two_generations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank whose generations share one brief and differ in the others."""
    made = tmp_path_factory.mktemp("generations")
    briefs, bank = made / "briefs", office.write_bank(made / "bank")
    shared = office.brief("Ada Quince", "A-1482-17T4", "May 4, 2018", ("THE STOP.", f"{office.STOP} {office.CONSENT}"))
    office.write_text(briefs / "quince.txt", shared)
    for docket, point in enumerate((office.CONSENT, office.LINEUP, office.HEARSAY)):
        text = office.brief("Petra Lorne", f"A-031{docket}-04T2", "March 3, 2005", ("IT WAS ERROR.", point))
        office.write_text(briefs / f"first{docket}.txt", text)
    Bank.open(bank).index(briefs)
    for gone in briefs.glob("first*.txt"):
        gone.unlink()
    for docket, point in enumerate((office.SENTENCE, office.STOP)):
        text = office.brief("Oren Vale", f"A-077{docket}-09T2", "June 3, 2009", ("A REMAND IS NEEDED.", point))
        office.write_text(briefs / f"second{docket}.txt", text)
    Bank.open(bank).index(briefs, remove_missing=True)
    office.write_text(made / "draft.txt", DRAFT)
    with FollowLog(made / "follows.sqlite") as log:
        log.append(seen_events((), "Consent", Query("consent to search a car"), b""))
    return made


def state(bank: Path, generation: int, listed: int) -> None:
    """Put one of the two generations and one of the two lists in force."""
    layout = Layout(bank)
    make_live(layout, sorted(each.name for each in layout.generations.iterdir())[generation])
    office.write_text(bank / "alerts.csv", LISTS[listed])


def shared_document(bank: BankReader) -> tuple[str, str]:
    """The brief that both generations hold, and a passage of it."""
    (document,) = (each for each in bank.documents() if "quince" in str(each))
    return document.id, bank.passages_of(document.id)[-1].id


def collected(bank: BankReader, passage_id: str) -> object:
    shown = bank.passage(passage_id, context=0)
    source = Source(shown.document.metadata.title.value)
    words = CollectedWords(shown.passage.text, shown.document.sha256, source, is_excerpt=False, cautions=())
    return bank.check_collected((words,))


Ask = Callable[[Any, str, str, Path], object]
ASKS: dict[str, Ask] = {
    "search": lambda bank, _, __, ___: bank.search(Query("consent to search a car", include_weak=True)),
    "addressed": lambda bank, _, __, ___: bank.addressed(Query("State v. Carty")),
    "offered_profiles": lambda bank, _, __, ___: bank.offered_profiles(),
    "run_checklist": lambda bank, document, _, __: bank.run_checklist(named("suppression"), [document]),
    "run_checklist of all": lambda bank, _, __, ___: bank.run_checklist(named("suppression")),
    "check_collected": lambda bank, _, passage, __: collected(bank, passage),
    "passage": lambda bank, _, passage, __: bank.passage(passage, context=3),
    "first_passage": lambda bank, document, _, __: bank.first_passage(document),
    "passages_of": lambda bank, document, _, __: bank.passages_of(document),
    "find_words": lambda bank, document, _, __: bank.find_words(document, "consent"),
    "own_words": lambda bank, _, passage, __: bank.own_words(passage),
    "documents": lambda bank, _, __, ___: bank.documents(),
    "arguments": lambda bank, _, __, ___: bank.arguments("remand"),
    "facets": lambda bank, _, __, ___: bank.facets(),
    "unreadable": lambda bank, _, __, ___: bank.unreadable(),
    "case_names": lambda bank, _, __, ___: bank.case_names(),
    "document_pages": lambda bank, document, _, __: bank.document_pages(document),
    "page_image": lambda bank, document, _, __: bank.page_image(document, 1, 0.5),
    "page_text": lambda bank, document, _, __: bank.page_text(document, 1),
    "marks": lambda bank, _, passage, __: bank.marks(passage, ()),
    "outline": lambda bank, document, _, __: bank.outline(document),
    "references": lambda bank, document, _, __: bank.references(document),
    "typography": lambda bank, _, passage, __: bank.typography(passage, bank.passage(passage).passage.text),
    "alert_marks": lambda bank, document, _, __: bank.alert_marks(document),
    "cited_on": lambda bank, document, _, __: bank.cited_on(document, 1),
    "card": lambda bank, _, __, ___: bank.card("State v. Carty, 170 N.J. 632"),
    "authorities": lambda bank, _, __, ___: bank.authorities("state"),
    "check_draft": lambda bank, _, __, draft: bank.check_draft(draft),
    "check_record": lambda bank, _, __, ___: bank.check_record(
        DraftReport("draft.txt", True, (), (), (), 0, (), ()), RecordWish((), date(2026, 1, 1), Path("no-log"))
    ),
    "news": lambda bank, _, __, draft: bank.news(draft.with_name("follows.sqlite")),
    "alerts": lambda bank, _, __, ___: bank.alerts(),
    "directive_sentences": lambda bank, _, __, ___: bank.directive_sentences(),
    "listed_alerts": lambda bank, _, __, ___: bank.listed_alerts(),
    "said_by_directives": lambda bank, _, __, ___: bank.said_by_directives(),
    "alert_problems": lambda bank, _, __, ___: bank.alert_problems(),
}
ONCE: dict[str, Ask] = {
    "a draft": lambda root, _, __, draft: BankRuns(root).check_draft(draft, reporter=lambda _: None),
    "a checklist of a file": lambda root, _, __, draft: BankRuns(root).run_checklist(
        "suppression", "", draft, with_model=False, reporter=lambda _: None
    ),
}
NO_ANSWERS = {
    "close", "open_files", "profiles", "own_profiles", "profile", "remove_own_profile", "prepared_profile",
    "search_by_profile", "checklists", "passages_as_shown", "correct", "export_corrections", "summary", "warm",
    "may_open",
    "warm_pages", "warm_summaries", "status", "keep_relevant", "profile_from_relevant",
    "require_index", "set_alerts", "decide_on_directive", "follow", "mark_seen", "stop_following", "show_others",
}  # fmt: skip
"""What only opens, keeps, or is a step of the others."""


def outcome(ask: Callable[[], object]) -> object:
    """What comes out, without what is different each time."""
    try:
        found = ask()
    except BriefBankError as problem:
        return type(problem), problem.message
    return replace(found, took_ms=0.0) if isinstance(found, SearchResult) else found


@pytest.fixture
def swapped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Have another state come into force each time that the program looks for it."""
    current, alerts_file = Layout.current, Layout.alerts_file.fget
    states = itertools.cycle(itertools.product((1, 0), (1, 0)))
    watched: list[Path] = []
    is_swapping = False

    def swap(found: Any, layout: Layout) -> Any:
        nonlocal is_swapping
        if watched and layout.root == watched[0] and not is_swapping:
            is_swapping = True
            state(layout.root, *next(states))
            is_swapping = False
        return found

    monkeypatch.setattr(Layout, "current", lambda layout: swap(current(layout), layout))
    monkeypatch.setattr(Layout, "alerts_file", property(lambda layout: swap(alerts_file(layout), layout)))
    yield watched.append
    watched.clear()


@pytest.fixture(scope="module")
def settled(two_generations: Path) -> list[Path]:
    """Copies of the bank, each in one of the four states for good."""
    copies = []
    for number, each in enumerate(itertools.product((0, 1), (0, 1))):
        copies.append(Path(shutil.copytree(two_generations / "bank", two_generations / f"settled{number}")))
        state(copies[-1], *each)
    return copies


@pytest.fixture(scope="module")
def settled_banks(settled: list[Path]) -> list[Bank]:
    return [Bank.open(root) for root in settled]


@pytest.mark.parametrize("name", [*ASKS, *ONCE])
def test_an_answer_is_made_from_one_generation_and_one_list(
    two_generations: Path,
    settled: list[Path],
    settled_banks: list[Bank],
    swapped: Callable[[Path], None],
    name: str,
) -> None:
    root, draft = two_generations / "bank", two_generations / "draft.txt"
    document, passage = shared_document(settled_banks[0])
    ask = (ASKS | ONCE)[name]
    whole = [
        outcome(partial(ask, bank, document, passage, draft)) for bank in (settled if name in ONCE else settled_banks)
    ]
    if name in ("search", "card", "check_draft", "alerts", "documents", "news", *ONCE):
        assert len({repr(each) for each in whole}) > 1  # else nothing could be mixed
    swapped(root)
    bank = root if name in ONCE else Bank.open(root)
    for _ in range(1 if name in ONCE else 3):  # while it opens, then at work
        found = outcome(lambda: ask(bank, document, passage, draft))
        assert any(found == each for each in whole), name


def test_no_method_that_answers_is_left_out() -> None:
    public = {name for name, each in vars(BankReader).items() if inspect.isfunction(each) and not name.startswith("_")}
    assert public - NO_ANSWERS == public & set(ASKS)
