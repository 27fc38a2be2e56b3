"""Learning from judgements: what is fitted, what is believed, and what becomes of the bank."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hashing_encoder import HashingEncoder
from hypothesis import given
from hypothesis import strategies as st
from judged import MATTERS, write_collection
from laptops import event
from program import Briefbank
from systems import ON_WINDOWS

from briefbank.bank.local import Bank
from briefbank.errors import BankNewerError, CancelledError
from briefbank.index.generation import Generation
from briefbank.index.learned import Adapter, Card, Learned
from briefbank.index.publish import live_generation
from briefbank.judgements.evaluate.beir import read_beir_qrels, read_corpus
from briefbank.judgements.evaluate.run import evaluate_folder, index_entries, queries_of
from briefbank.judgements.feedback.events import Judged, Searched, shown_as
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.judgements.learn.collection import METRIC, JudgedCollection, listwise_targets, prepare
from briefbank.judgements.learn.fitting import fit_adapter, recipes
from briefbank.judgements.learn.judgements import BeirFolder
from briefbank.judgements.learn.run import LearnReport, judge, random_groups
from briefbank.office.packs.signing_keys import make_key
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Progress, silent
from briefbank.platform.settings import Settings
from briefbank.values.records import Query

QUESTION = "consent to search after an unlawful stop"
unit_floats = st.floats(-1, 1, width=32)


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_collection(tmp_path_factory.mktemp("judged") / "sound")


@pytest.fixture(scope="module")
def noise(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_collection(tmp_path_factory.mktemp("judged") / "noise", is_noise=True, seed=1)


def learned_card(bank: Path) -> Card | None:
    learned = Generation.open(live_generation(Layout(bank))).learned
    return learned.card if learned else None


def hits(bank: Path, question: str = QUESTION) -> list[tuple[str, float]]:
    return [(hit.passage.id, hit.score) for hit in Bank.open(bank).search(Query(question)).hits]


# --- what is fitted -------------------------------------------------------------------------------------------------


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(st.lists(st.lists(unit_floats, min_size=4, max_size=4).filter(any), min_size=1, max_size=5), st.integers(0, 99))
def test_adapted_questions_have_length_one_and_strange_ones_stay_as_they_are(
    rows: list[list[float]], seed: int
) -> None:
    vectors = unit(np.array(rows, dtype=np.float64)).astype(np.float32)
    random = np.random.default_rng(seed)
    known = unit(random.normal(size=(3, 4))).astype(np.float32)
    adapter = Adapter((np.eye(4) + 0.3 * random.normal(size=(4, 4))).astype(np.float32), known)
    moved = adapter.adapt(vectors)
    assert np.allclose(np.linalg.norm(moved, axis=1), 1, atol=1e-5)
    strange = (vectors @ known.T).max(axis=1) <= 0.45
    assert np.allclose(moved[strange], vectors[strange], atol=1e-6)


@pytest.fixture(scope="module")
def prepared(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> JudgedCollection:
    encoder, entries = HashingEncoder(), read_corpus(collection)
    texts = [entry.text for entry in entries]
    place = tmp_path_factory.mktemp("prepared") / "index"
    generation = index_entries(place, entries, texts, encoder.encode_passages(texts), encoder)
    qrels = read_beir_qrels(collection, "judged")
    return prepare(generation, Settings(), queries_of(collection, qrels), qrels, encoder, CancelToken())


def test_a_trial_without_learning_scores_as_an_evaluation_does(collection: Path, prepared: JudgedCollection) -> None:
    values = prepared.values(prepared.topics, Learned(Card("nothing")))
    report = evaluate_folder(collection, "judged", Settings(encoder="hashing"), judged_only=True)
    assert prepared.judged_only
    assert values == pytest.approx(report.per_query[METRIC])


def test_an_adapter_finds_words_that_go_together_for_questions_it_has_not_seen(prepared: JudgedCollection) -> None:
    seen, unseen = prepared.topics[:24], prepared.topics[24:]
    adapter = fit_adapter(seen)
    before = prepared.values(unseen, Learned(Card("nothing")))
    after = prepared.values(unseen, Learned(Card("adapter"), adapter))
    assert np.mean(list(after.values())) > np.mean(list(before.values())) + 0.2
    assert np.array_equal(fit_adapter(seen).matrix, adapter.matrix)


def test_an_adapter_with_nothing_to_tell_apart_is_the_identity(prepared: JudgedCollection) -> None:
    topic = prepared.topics[0]
    alone = replace(topic, judged=topic.grades == topic.grades.max())
    alone = replace(alone, judged=np.cumsum(alone.judged) * alone.judged == 1)
    assert np.allclose(fit_adapter([alone]).matrix, np.eye(topic.vector.shape[0]), atol=1e-6)


def test_what_nobody_judged_competes_unless_it_helps_with_a_like_question(prepared: JudgedCollection) -> None:
    first, second, third = (replace(topic, judged=topic.judged.copy()) for topic in prepared.topics[:3])
    hidden = int(np.flatnonzero(first.grades > 0)[0])
    row = first.candidates.rows[hidden]
    first.judged[hidden] = False
    targets = listwise_targets([first, second, third])
    place = int(np.flatnonzero(np.all(np.isclose(targets.passages, first.candidates.vectors[hidden]), axis=1))[0])
    helps = [bool(topic.grades[topic.candidates.rows == row].any()) for topic in (second, third)]
    alike = targets.questions[1:] @ targets.questions[0] >= 0.35
    assert targets.competes[0, place] == (not any(helps & alike))
    assert targets.shares[0, place] == 0
    assert np.allclose(targets.shares.sum(axis=1), 1)


def test_without_torch_weights_alone_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("briefbank.judgements.learn.fitting.find_spec", lambda _name: None)
    assert [recipe.name for recipe in recipes()] == ["as it is", "meaning 0.45", "meaning 0.75"]


# --- what is believed -----------------------------------------------------------------------------------------------


@given(st.integers(1, 60), st.integers(0, 100))
def test_every_question_is_in_one_group_and_groups_are_of_like_size(count: int, seed: int) -> None:
    ids = [f"q{number}" for number in range(count)]
    groups = random_groups(ids, seed)
    assert sorted(each for group in groups for each in group) == sorted(ids)
    assert max(map(len, groups)) - min(map(len, groups)) <= 1
    assert groups == random_groups(ids, seed)


def test_of_recipes_that_do_alike_the_one_that_changes_nothing_is_chosen() -> None:
    ids = [f"q{number}" for number in range(12)]
    values = {recipe: dict.fromkeys(ids, 0.5) for recipe in recipes()}
    verdict = judge(values, random_groups(ids, 0))
    assert verdict.recipe == recipes()[0]
    assert not verdict.is_better


def test_a_recipe_that_shines_by_chance_on_one_group_is_not_credited_with_it() -> None:
    ids = [f"q{number}" for number in range(10)]
    groups = [ids[:5], ids[5:]]
    nothing, lucky = recipes()[:2]
    values = {nothing: dict.fromkeys(ids, 0.5), lucky: {each: 1.0 if each in groups[0] else 0.4 for each in ids}}
    verdict = judge(values, groups)
    assert verdict.recipe == lucky
    assert verdict.gain.b == pytest.approx((5 * 0.5 + 5 * 0.4) / 10)
    assert not verdict.is_better


# --- what becomes of the bank ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def learned(library_bank: Path, collection: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, LearnReport]:
    """A bank that learned, and the report of it."""
    bank = Path(shutil.copytree(library_bank, tmp_path_factory.mktemp("learned") / "bank"))
    report = Bank.open(bank).learn(BeirFolder(collection, "judged"), reporter=silent, cancel=CancelToken())
    return bank, report


@pytest.fixture
def learned_bank(learned: tuple[Path, LearnReport], tmp_path: Path) -> Path:
    return Path(shutil.copytree(learned[0], tmp_path / "learned"))


def test_what_is_learned_is_published_and_taken_back(
    briefbank: Briefbank, library_bank: Path, learned_bank: Path, learned: tuple[Path, LearnReport]
) -> None:
    before, after, report = Bank.open(library_bank).status(), Bank.open(learned_bank).status(), learned[1]
    assert report.is_better
    assert report.generation == after.generation != before.generation
    assert (after.documents, after.passages) == (before.documents, before.passages)
    card = learned_card(learned_bank)
    assert card is not None
    assert card.low > 0
    assert (card.query_count, card.encoder_digest) == (36, HashingEncoder.digest)
    assert card.recipe in briefbank("status", "--bank", learned_bank).out
    assert briefbank("check", "--bank", learned_bank).code == 0
    assert briefbank("rollback", "--bank", learned_bank).code == 0
    assert Bank.open(learned_bank).status().generation == before.generation
    assert hits(learned_bank) == hits(library_bank)
    assert learned_card(learned_bank) is None


def test_learned_words_find_their_passages_and_other_questions_are_left_alone(
    library_bank: Path, learned_bank: Path
) -> None:
    assert hits(learned_bank) == hits(library_bank)
    learned = Generation.open(live_generation(Layout(learned_bank))).learned
    assert learned is not None
    encoder = HashingEncoder()
    ask, told = MATTERS[0]
    question, passages = encoder.encode_queries([ask]), encoder.encode_passages([told])
    assert (learned.adapt(question) @ passages.T)[0, 0] > (question @ passages.T)[0, 0] + 0.1


def test_what_is_learned_travels_with_a_pack(
    briefbank: Briefbank, learned_bank: Path, collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    make_key("Office of the Example")
    Bank.open(learned_bank).pack(tmp_path / "office.bbpack")
    Bank.install(tmp_path / "laptop", tmp_path / "office.bbpack")
    assert learned_card(tmp_path / "laptop") == learned_card(learned_bank)
    question = " ".join(ask for ask, _ in MATTERS[:3])
    assert hits(tmp_path / "laptop", question) == hits(learned_bank, question)
    refused = briefbank("learn", "--bank", tmp_path / "laptop", "--judgements", collection, "--quiet")
    assert refused.code == 2


def test_judgements_dealt_at_random_change_nothing(briefbank: Briefbank, own_bank: Path, noise: Path) -> None:
    before = Bank.open(own_bank).status().generation
    told = briefbank("learn", "--bank", own_bank, "--judgements", noise, "--quiet")
    assert told.code == 0
    assert "nothing was changed" in told.out
    assert Bank.open(own_bank).status().generation == before


def test_a_dry_run_changes_nothing_and_the_same_judgements_give_the_same_result(
    briefbank: Briefbank, own_bank: Path, collection: Path, learned: tuple[Path, LearnReport]
) -> None:
    before = Bank.open(own_bank).status()
    told = briefbank("learn", "--bank", own_bank, "--judgements", collection, "--dry-run", "--json", "--quiet")
    report = json.loads(told.out)
    assert report == {**asdict(learned[1]), "generation": None, "seconds": report["seconds"]}
    assert report["low"] <= report["after"] - report["before"]
    assert Bank.open(own_bank).status().generation == before.generation


def test_the_next_index_run_keeps_what_was_learned(
    briefbank: Briefbank, empty_bank: Path, folder: Path, collection: Path
) -> None:
    assert briefbank("index", folder, "--bank", empty_bank, "--quiet").code == 0
    assert briefbank("learn", "--bank", empty_bank, "--judgements", collection, "--quiet").code == 0
    card = learned_card(empty_bank)
    assert card is not None
    assert "Nothing changed" in briefbank("index", folder, "--bank", empty_bank, "--quiet").out
    (folder / "lorne.txt").unlink()
    assert "1 removed" in briefbank("index", folder, "--bank", empty_bank, "--quiet").out
    assert learned_card(empty_bank) == card


def test_too_few_questions_are_refused_with_advice(briefbank: Briefbank, own_bank: Path, tmp_path: Path) -> None:
    few = write_collection(tmp_path / "few", questions=4)
    told = briefbank("learn", "--bank", own_bank, "--judgements", few, "--quiet")
    assert told.code == 2
    assert "at least 10" in told.err


def test_learning_that_is_cancelled_leaves_the_bank_as_it_was(own_bank: Path, collection: Path) -> None:
    cancel = CancelToken()
    before = Bank.open(own_bank).status().generation

    def stop(progress: Progress) -> None:
        if progress.stage.startswith("trying, part 2"):
            cancel.cancel()

    with pytest.raises(CancelledError):
        Bank.open(own_bank).learn(BeirFolder(collection, "judged"), reporter=stop, cancel=cancel)
    assert Bank.open(own_bank).status().generation == before
    if not ON_WINDOWS:  # where what is mapped stays until the next learning
        assert not list(own_bank.glob("learning-*"))


ASKED = (
    "consent to search", "excited utterance", "photo array", "aggravating factors", "jury instruction on purpose",
    "prolonged stop", "hearsay exception", "unlawful detention", "blind administration", "mitigating factor youth",
    "reasonable suspicion", "burden of proof",
)  # fmt: skip


def test_marks_in_the_feedback_log_are_learned_from(briefbank: Briefbank, own_bank: Path, tmp_path: Path) -> None:
    bank = Bank.open(own_bank)
    with FeedbackLog(tmp_path / "feedback.sqlite") as log:
        for text in ASKED:
            found = bank.search(Query(text))
            made = event(Searched(found.query, found.generation, found.took_ms, shown_as(found.hits)))
            first, last = found.hits[0].passage.id, found.hits[-1].passage.id
            assert first != last
            log.append([made, event(Judged(made.id, first, is_relevant=False))])
            log.append([event(Judged(made.id, last, is_relevant=True))])
    told = briefbank("learn", "--bank", own_bank, "--log", tmp_path / "feedback.sqlite", "--dry-run", "--json")
    assert told.code == 0, told.err
    report = json.loads(told.out)
    assert (report["questions"], report["judgements"], report["judged_only"]) == (12, 24, True)
    assert not [text for text in ASKED if text in told.out + told.err]


def test_a_folder_and_a_log_at_once_make_no_sense(briefbank: Briefbank, own_bank: Path, collection: Path) -> None:
    assert briefbank("learn", "--bank", own_bank, "--judgements", collection, "--stars").code == 2
    assert briefbank("learn", "--bank", own_bank, "--qrels", "judged").code == 2


def test_learned_weights_stand_in_only_for_settings_as_delivered() -> None:
    learned = Learned(Card("weight", dense_weight=0.75, weak_below=0.1))
    assert learned.applied_to(Settings()).dense_weight == 0.75
    assert learned.applied_to(Settings()).weak_below == 0.1
    chosen = Settings(dense_weight=0.3, weak_below=0.4)
    assert learned.applied_to(chosen) == chosen


@pytest.mark.parametrize(
    ("folder", "recipe", "is_applied"),
    [
        ("reranker", "adapter (without the reranker of an earlier version)", True),
        ("questions", "nothing (adapter of an earlier version is not applied any more; learn again)", False),
    ],
)
def test_what_earlier_versions_learned_beside_an_adapter_is_named_and_not_applied(
    tmp_path: Path, folder: str, recipe: str, is_applied: bool
) -> None:
    adapter = Adapter(np.eye(4, dtype=np.float32), np.eye(4, dtype=np.float32))
    Learned(Card("adapter", before=0.5, after=0.6), adapter).write(tmp_path)
    card = tmp_path / "learned" / "learned.json"
    card.write_text(json.dumps({**json.loads(card.read_text()), "reranker_weight": 0.1, "reranker_gain": 0.02}))
    (tmp_path / "learned" / folder).mkdir()
    learned = Learned.read(tmp_path)
    assert learned is not None
    assert learned.card.recipe == recipe
    assert (learned.adapter is not None, learned.card.after > 0) == (is_applied, is_applied)


def test_a_program_that_knows_no_learning_refuses_what_was_learned(
    learned_bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.platform.versions.GENERATION_LARGE", 1)  # the newest that it would know
    with pytest.raises(BankNewerError):
        Bank.open(learned_bank).search(Query(QUESTION))
