"""Learning a reranker: what it is trained on, what is believed of it, and what becomes of the bank."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import office
import pytest
from program import Briefbank
from tiny_bert import write_tiny_bert

from briefbank.bank.local import Bank
from briefbank.errors import CancelledError
from briefbank.index.generation import Generation
from briefbank.index.learned import Card, Learned
from briefbank.index.publish import live_generation
from briefbank.ingest.pipeline import republish
from briefbank.judgements.evaluate.beir import read_beir_qrels, read_corpus
from briefbank.judgements.evaluate.compare import Comparison
from briefbank.judgements.evaluate.run import index_entries, queries_of
from briefbank.judgements.learn.collection import JudgedCollection, prepare
from briefbank.judgements.learn.crossval import random_groups
from briefbank.judgements.learn.reranking import RerankerTrainer, is_proven, load_trainer
from briefbank.models.encoders.reranker import OnnxReranker
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.platform.progress import CancelToken, Progress, silent
from briefbank.platform.settings import Settings, read_settings
from briefbank.values.records import Query, SortOrder

pytest.importorskip("sentence_transformers", reason="learning needs the extra 'index'")

NOUNS = [one + other for one in ("kite", "lamp", "bell", "rope", "sand", "moss") for other in "abcdef"]
FILLER = "that this then there here now".split()
GOOD, BAD = "granted", "denied"
NOTHING = Learned(Card("as it is"))


def write_verdicts(folder: Path, *, is_noise: bool = False) -> Path:
    """A collection in which passages that say 'granted' are what is wanted, of those on the matter asked about."""
    chance = random.Random(3)
    passages, lines, queries = [], [], []
    for number, noun in enumerate(NOUNS):
        words = [GOOD, GOOD, BAD, BAD, BAD, BAD]
        chance.shuffle(words)
        queries.append({"_id": f"q{number}", "text": noun})
        for place, word in enumerate(words):
            passages.append({"_id": f"p{number}-{place}", "text": f"{noun} {word} {FILLER[place]}"})
            grade = chance.randrange(2) if is_noise else int(word == GOOD)
            lines.append(f"q{number}\tp{number}-{place}\t{grade}")
    (folder / "qrels").mkdir(parents=True)
    for name, entries in (("corpus", passages), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in entries), encoding="utf-8")
    header = "query-id\tcorpus-id\tscore"
    (folder / "qrels" / "judged.tsv").write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_verdicts(tmp_path_factory.mktemp("judged") / "verdicts")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, collection: Path) -> Settings:
    texts = [entry.text for entry in read_corpus(collection)]
    return Settings(encoder=str(write_tiny_bert(tmp_path_factory.mktemp("model") / "tiny", texts)))


def prepared_of(folder: Path, settings: Settings, place: Path) -> JudgedCollection:
    from briefbank.models.encoders import load_passage_encoder

    encoder, entries = load_passage_encoder(settings, "fp32"), read_corpus(folder)
    texts = [entry.text for entry in entries]
    generation = index_entries(place / "index", entries, texts, encoder.encode_passages(texts), encoder)
    qrels = read_beir_qrels(folder, "judged")
    return prepare(generation, settings, queries_of(folder, qrels), qrels, encoder, CancelToken())


@pytest.fixture(scope="module")
def prepared(collection: Path, settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> JudgedCollection:
    return prepared_of(collection, settings, tmp_path_factory.mktemp("prepared"))


def trainer_of(prepared: JudgedCollection, seed: int = 0) -> RerankerTrainer:
    trainer = load_trainer(prepared, prepared.settings, is_bf16=False, seed=seed, reporter=silent, cancel=CancelToken())
    assert trainer is not None
    return trainer


def groups_of(prepared: JudgedCollection) -> list[list[str]]:
    return random_groups([topic.id for topic in prepared.topics], 0)


@pytest.fixture(scope="module")
def gain(prepared: JudgedCollection) -> Comparison:
    return trainer_of(prepared).trial(groups_of(prepared), lambda _: NOTHING)


@pytest.mark.slow
def test_what_questions_have_in_common_is_learned_for_questions_not_seen(
    prepared: JudgedCollection, gain: Comparison
) -> None:
    assert is_proven(gain)
    assert gain.a == pytest.approx(np.mean(list(prepared.values(prepared.topics, NOTHING).values())))


@pytest.mark.slow
def test_judgements_dealt_at_random_teach_nothing(settings: Settings, tmp_path: Path) -> None:
    noise = prepared_of(write_verdicts(tmp_path / "noise", is_noise=True), settings, tmp_path)
    assert not is_proven(trainer_of(noise).trial(groups_of(noise), lambda _: NOTHING))


def test_the_same_seed_trains_the_same_reranker_and_it_travels_with_what_was_learned(
    prepared: JudgedCollection, gain: Comparison, tmp_path: Path
) -> None:
    learned, again = (trainer_of(prepared, seed=4).add_to(NOTHING, gain) for _ in range(2))
    assert learned.digest == again.digest != NOTHING.digest
    assert learned.digest != trainer_of(prepared, seed=5).add_to(NOTHING, gain).digest
    learned.write(tmp_path)
    read = Learned.read(tmp_path)
    assert read is not None
    assert isinstance(read.reranker, OnnxReranker)
    assert read.digest == learned.digest
    assert f"reranker {gain.difference:+.3f}" in read.card.told
    good, bad = (f"kitea {word} now" for word in (GOOD, BAD))
    scores = read.reranker.scores("kitea", [good, bad])
    assert scores[0] > scores[1]


def test_there_is_none_to_train_without_weights_or_where_it_is_switched_off(prepared: JudgedCollection) -> None:
    def load(settings: Settings) -> RerankerTrainer | None:
        return load_trainer(prepared, settings, is_bf16=False, seed=0, reporter=silent, cancel=CancelToken())

    assert load(Settings(encoder="hashing")) is None
    assert load(Settings(encoder=prepared.settings.encoder, reranked_results=0)) is None


def test_training_tells_of_the_time_left_and_can_be_cancelled(prepared: JudgedCollection) -> None:
    cancel, told = CancelToken(), []

    def stop(progress: Progress) -> None:
        told.append(progress)
        if progress.seconds_left is not None:
            cancel.cancel()

    trainer = load_trainer(prepared, prepared.settings, is_bf16=False, seed=0, reporter=stop, cancel=cancel)
    assert trainer is not None
    with pytest.raises(CancelledError):
        trainer.trial(groups_of(prepared), lambda _: NOTHING)
    assert [progress.seconds_left is None for progress in told[:1] + told[-1:]] == [True, False]


@pytest.fixture
def bank(briefbank: Briefbank, empty_bank: Path, settings: Settings, tmp_path: Path) -> Path:
    source = tmp_path / "briefs"
    source.mkdir()
    for name, word in (("one", BAD), ("two", GOOD)):
        (source / f"{name}.txt").write_text(f"Kitea {word} here now, {word} there. " * 3, encoding="utf-8")
    office.change_settings(empty_bank, encoder=settings.encoder, weak_below=0.0)
    assert briefbank("index", source, "--bank", empty_bank, "--quiet").code == 0
    return empty_bank


def best(bank: Path) -> str:
    return Bank.open(bank).search(Query("kitea", sort=SortOrder.RELEVANCE)).hits[0].passage.text


def test_a_bank_takes_a_reranker_on_and_goes_back(
    briefbank: Briefbank, bank: Path, prepared: JudgedCollection, gain: Comparison
) -> None:
    layout, (before, found) = Layout(bank), (Bank.open(bank).status().generation, best(bank))
    learned = trainer_of(prepared).add_to(NOTHING, gain)
    learned = replace(
        learned,
        card=replace(
            learned.card,
            encoder_digest=Generation.open(live_generation(layout)).info.encoder_digest,
            reranker_weight=10.0,
        ),
    )
    with writer_lock(layout.lock_file):
        name = republish(layout, read_settings(layout.settings_file), learned, reporter=silent, cancel=CancelToken())
    assert GOOD in best(bank)
    assert "reranker +" in briefbank("status", "--bank", bank).out
    assert briefbank("check", "--bank", bank).code == 0
    (layout.generations / name / "learned" / "reranker" / "model.onnx").write_bytes(b"changed")
    assert briefbank("check", "--bank", bank).code == 7
    assert briefbank("rollback", "--bank", bank).code == 0
    assert (Bank.open(bank).status().generation, best(bank)) == (before, found)


@pytest.mark.slow
def test_learning_tells_what_a_reranker_adds_to_what_else_was_learned(
    briefbank: Briefbank, bank: Path, collection: Path
) -> None:
    told = briefbank("learn", "--bank", bank, "--judgements", collection, "--dry-run", "--json", "--quiet")
    assert told.code == 0, told.err
    report = json.loads(told.out)
    assert 0 < report["reranking"]["before"] <= 1
    assert report["reranking"]["low"] <= report["reranking"]["after"] - report["reranking"]["before"]
