"""Summaries: what the model is given, how it is asked, what is shown, and what is kept."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_index import make_passage
from scripted_model import ScriptedModel
from systems import is_private

from briefbank.errors import (
    CancelledError,
    ContextOverflowError,
    InvalidAnswerError,
    LanguageModelError,
    ModelError,
    TimeLimitError,
)
from briefbank.law.grounding.plain import words
from briefbank.models.language.port import Priority, Speaker, read_prompt
from briefbank.platform.progress import CancelToken
from briefbank.search.summaries.cache import SummaryCache, prompt_version
from briefbank.search.summaries.summarizer import SAYS_NOTHING, WITHHELD, Summarizer, says_nothing
from briefbank.search.summaries.write import SentenceStream, SentenceTopic, by_priority, compose, schema_of, source_of
from briefbank.values.records import Passage, SectionKind
from briefbank.values.summaries import SummaryModel, SummaryPart

STOP = (
    "Trooper Varga stopped Alder Quince on Route 9 and kept him for thirty-one minutes. State v. Carty, 170 N.J. 632 "
    "(2002). The motion to suppress was denied on May 4, 2018."
)
ANSWER = {
    "legal_issue": ["The issue is whether the stop of Quince was prolonged without suspicion."],
    "facts": ["Trooper Varga held him for 31 minutes.", "The driver, Mr. Lorne, waited."],
    "posture": ["The motion was denied on May 4, 2018.", "This was error under State v. Marlowe, 12 N.J. 3 (1970)."],
}
NOTHING: dict[str, list[str]] = {"legal_issue": [], "facts": [], "posture": []}
TODAY = date(2026, 11, 20)


def brief() -> list[Passage]:
    """Ten passages: a question presented, then a section of eight in whose middle the stop is, then another section."""
    texts = [f"Passage number {number} of the argument." for number in range(10)]
    texts[5] = STOP
    passages = [make_passage("quince", order, text) for order, text in enumerate(texts)]
    passages[0] = replace(passages[0], section_kind=SectionKind.QUESTIONS, section_path=("QUESTIONS PRESENTED",))
    passages[9] = replace(passages[9], section_path=("ARGUMENT", "POINT II"))
    return passages


PASSAGES = brief()
PASSAGE = PASSAGES[5]


@pytest.fixture
def cache(tmp_path: Path) -> SummaryCache:
    return SummaryCache(tmp_path / "summaries.sqlite", "1.1")


def summarizer_of(cache: SummaryCache, model: ScriptedModel) -> Summarizer:
    return Summarizer(cache, lambda: model, time_limit_s=9.0, today=lambda: TODAY)


def shown(summarizer: Summarizer, cancel: CancelToken | None = None) -> tuple[SummaryModel, list[SummaryPart]]:
    parts: list[SummaryPart] = []
    return summarizer.show(PASSAGE, PASSAGES, parts.append, cancel or CancelToken()), parts


def no_model() -> ScriptedModel:
    raise ModelError("No language model is installed.", "Install one.")


# --- what the model is given


def test_the_passage_comes_first_then_the_questions_then_the_section_from_near_to_far() -> None:
    assert [each.order for each in by_priority(PASSAGE, PASSAGES)] == [5, 0, 4, 6, 3, 7, 2, 8, 1]


def test_the_excerpts_stand_in_document_order_with_the_passage_named() -> None:
    composed = compose(PASSAGE, PASSAGES, 10_000, ScriptedModel().count_tokens)
    asked = composed.messages[-1].text
    places = [asked.index(each.text) for each in PASSAGES[:9]]
    assert places == sorted(places)
    assert asked.index("### PASSAGE") < asked.index(STOP) < asked.index("### TASK")
    assert PASSAGES[9].text not in asked
    assert composed.left_out == 0
    assert [message.speaker for message in composed.messages] == [Speaker.SYSTEM, Speaker.USER]


@given(budget=st.integers(min_value=0, max_value=600))
def test_what_does_not_fit_is_left_out_whole_and_counted(budget: int) -> None:
    count = ScriptedModel().count_tokens
    try:
        composed = compose(PASSAGE, PASSAGES, budget, count)
    except ContextOverflowError:
        assert budget < count(compose(PASSAGE, PASSAGES, 10_000, count).messages)
        return
    given_ = composed.excerpts
    assert count(composed.messages) <= budget
    assert [each.id for each in given_] == [each.id for each in by_priority(PASSAGE, PASSAGES)][: len(given_)]
    assert len(given_) + composed.left_out == 9
    assert all(each.text in composed.messages[-1].text for each in given_)


def test_a_passage_that_does_not_fit_is_refused_and_never_cut(cache: SummaryCache) -> None:
    with pytest.raises(ContextOverflowError):
        shown(summarizer_of(cache, ScriptedModel(ANSWER, context=1500)))


def test_what_was_left_out_is_said(cache: SummaryCache) -> None:
    passage_alone = ScriptedModel().count_tokens(compose(PASSAGE, [PASSAGE], 10_000, len).messages)
    kept_free = 1_400 + len(read_prompt("summary_missed").user.split())
    summarizer = summarizer_of(cache, ScriptedModel(ANSWER, NOTHING, context=passage_alone + kept_free + 12))
    _, parts = shown(summarizer)
    assert "for which there was no room" in parts[-1].text
    assert shown(summarizer)[1] == parts


# --- how it is asked


def test_it_is_asked_twice_with_bounded_schemas_and_the_second_time_for_what_was_missed(cache: SummaryCache) -> None:
    model = ScriptedModel(ANSWER, NOTHING)
    shown(summarizer_of(cache, model))
    first, second = model.requests
    assert second.messages[: len(first.messages)] == first.messages
    assert json.loads(second.messages[-2].text) == ANSWER
    assert "missed" in second.messages[-1].text
    for request in (first, second):
        assert (request.priority, request.time_limit_s) == (Priority.WAITED_FOR, 9.0)
        assert request.schema
        for told in request.schema["properties"].values():  # type: ignore[attr-defined]
            assert told["maxItems"] >= 1
            assert told["items"]["maxLength"] >= 200


def test_what_the_second_answer_repeats_is_not_told_again(cache: SummaryCache) -> None:
    again = {"legal_issue": [], "facts": ["TROOPER Varga held him for 31 minutes", "He was on Route 9."], "posture": []}
    _, parts = shown(summarizer_of(cache, ScriptedModel(ANSWER, again)))
    text = "".join(part.text for part in parts)
    assert text.lower().count("31 minutes") == 1
    assert text.endswith("Also: He was on Route 9.")


@pytest.mark.parametrize("problem", [InvalidAnswerError, TimeLimitError, ContextOverflowError])
def test_a_second_question_that_fails_leaves_the_first_answer(
    problem: type[LanguageModelError], cache: SummaryCache
) -> None:
    summarizer = summarizer_of(cache, ScriptedModel(ANSWER, problem("Failed.", "Again.")))
    _, parts = shown(summarizer)
    assert shown(summarizer)[1] == parts


@given(
    st.dictionaries(st.sampled_from(list(SentenceTopic)), st.lists(st.text(max_size=30), max_size=3)),
    st.integers(min_value=1, max_value=9),
    st.booleans(),
)
def test_sentences_are_told_from_any_pieces_of_the_answer(
    answer: dict[SentenceTopic, list[str]], size: int, is_ascii: bool
) -> None:
    text = json.dumps(answer, ensure_ascii=is_ascii)
    stream = SentenceStream()
    told = [each for at in range(0, len(text), size) for each in stream.feed(text[at : at + size])]
    wanted = [(topic, " ".join(each.split())) for topic, sentences in answer.items() for each in sentences]
    assert told == [(topic, each) for topic, each in wanted if each]


@given(st.text(alphabet='{}[]":,\\\\ud8facts_ \n', max_size=60))
def test_an_answer_that_is_no_json_is_passed_over(answer: str) -> None:
    for topic, sentence in SentenceStream().feed(answer):
        assert topic in list(SentenceTopic)
        assert sentence.encode()


def test_the_schema_asks_for_every_topic() -> None:
    assert schema_of({SentenceTopic.FACTS: 2})["required"] == ["facts"]


# --- what is shown


def test_sentences_are_shown_under_headings_what_the_source_lacks_is_named_and_invented_law_withheld(
    cache: SummaryCache,
) -> None:
    model, parts = shown(summarizer_of(cache, ScriptedModel(ANSWER, NOTHING)))
    assert model == SummaryModel("Scripted 1B", "2026-11-20")
    text = "".join(part.text for part in parts)
    assert text.startswith("Legal issue: The issue is whether the stop of Quince")
    assert "\nFacts: Trooper Varga held him for 31 minutes. The driver, Mr. Lorne, waited.\nPosture: The motion" in text
    assert [part.doubt for part in parts if part.doubt] == ["the name Lorne"]
    assert "Marlowe" not in text
    assert text.endswith(WITHHELD)


@pytest.mark.parametrize(
    ("sentence", "is_shown"),
    [
        ("The sentence is excessive and excessive and excessive.", False),
        ("The court denied the motion the court denied the motion the court denied the motion.", False),
        ("The stop stop stop was long.", False),
        ("The legal question that the passage argues for.", False),
        ("The facts of the case that matter to it.", False),
        ("A new trial is asked of the reviewing court by Alder Quince.", True),
        ("The motion to suppress was denied, and denied again.", True),
        ("The court below denied the motion to suppress.", True),
    ],
)
def test_a_sentence_that_goes_round_or_says_what_was_asked_is_not_shown(
    sentence: str, is_shown: bool, cache: SummaryCache
) -> None:
    _, parts = shown(summarizer_of(cache, ScriptedModel({**NOTHING, "facts": [sentence]}, NOTHING)))
    assert parts[1].text == (f" {sentence}" if is_shown else f" {SAYS_NOTHING}")
    quoted = replace(PASSAGE, text=f"{PASSAGE.text} {sentence}")
    assert says_nothing(words(sentence), f" {' '.join(words(source_of([quoted])))} ") is False


def test_sentences_are_told_while_the_answer_is_written(cache: SummaryCache) -> None:
    model = ScriptedModel(ANSWER, NOTHING)
    seen: list[int] = []
    parts: list[SummaryPart] = []
    model.on_piece = lambda _piece: seen.append(len(parts))
    summarizer_of(cache, model).show(PASSAGE, PASSAGES, parts.append, CancelToken())
    assert len(set(seen)) > 3


def test_texts_show_in_no_repr(cache: SummaryCache) -> None:
    summarizer = summarizer_of(cache, ScriptedModel(ANSWER, NOTHING))
    _, parts = shown(summarizer)
    kept = cache.get(PASSAGE)
    assert kept
    for told in (*map(repr, parts), repr(kept)):
        assert "Varga" not in told
        assert "Lorne" not in told


def test_a_cancelled_summary_is_not_kept(cache: SummaryCache) -> None:
    model, cancel = ScriptedModel(ANSWER, NOTHING), CancelToken()
    model.on_piece = lambda _piece: cancel.cancel()
    with pytest.raises(CancelledError):
        shown(summarizer_of(cache, model), cancel)
    assert cache.get(PASSAGE) is None


# --- what is kept


def test_a_summary_is_written_once_and_then_shown_as_it_was(cache: SummaryCache) -> None:
    model = ScriptedModel(ANSWER, NOTHING)
    first = shown(summarizer_of(cache, model))
    assert shown(summarizer_of(cache, model)) == first
    assert len(model.requests) == 2


def test_it_is_shown_without_any_model(cache: SummaryCache) -> None:
    first = shown(summarizer_of(cache, ScriptedModel(ANSWER, NOTHING)))
    assert shown(Summarizer(cache, no_model, time_limit_s=9.0)) == first


def test_without_model_and_summary_it_says_that_there_is_no_model(cache: SummaryCache) -> None:
    with pytest.raises(ModelError, match="No language model"):
        shown(Summarizer(cache, no_model, time_limit_s=9.0))


def test_what_is_kept_is_checked_against_the_bank_as_it_is_now(cache: SummaryCache) -> None:
    """A cache that came with words of its own is believed in nothing."""
    shown(summarizer_of(cache, ScriptedModel({**NOTHING, "facts": ["The driver was Petra Lorne."]}, NOTHING)))
    _, parts = shown(Summarizer(cache, no_model, time_limit_s=9.0))
    assert [part.doubt for part in parts] == ["", "the name Petra Lorne"]


def test_the_own_model_comes_before_others_and_others_before_none(cache: SummaryCache) -> None:
    shown(summarizer_of(cache, ScriptedModel(ANSWER, NOTHING, name="Large", sha256="a" * 64)))
    small = ScriptedModel(ANSWER, NOTHING, name="Small", sha256="b" * 64)
    model, parts = shown(summarizer_of(cache, small))
    assert (model.name, parts[0].text[:39]) == ("Large", "[Not by Small, which writes summaries h")
    summarizer = summarizer_of(cache, small)
    summarizer.prepare(PASSAGE, PASSAGES, CancelToken())
    assert shown(summarizer)[0].name == "Small"
    assert not any("[Not by" in part.text for part in shown(summarizer)[1])
    assert shown(Summarizer(cache, no_model, time_limit_s=9.0))[1][0].text == "Legal issue:"


def test_another_text_or_another_prompt_has_no_summary(cache: SummaryCache) -> None:
    shown(summarizer_of(cache, ScriptedModel(ANSWER, NOTHING)))
    assert cache.get(PASSAGE)
    assert cache.get(replace(PASSAGE, text="Another text.")) is None
    assert SummaryCache(cache.path, "2.1").get(PASSAGE) is None


def test_the_file_is_its_owners_alone_and_holds_no_plain_words(cache: SummaryCache) -> None:
    shown(summarizer_of(cache, ScriptedModel(ANSWER, NOTHING)))
    assert is_private(cache.path)
    assert b"Varga" not in cache.path.read_bytes()
    assert [each.name for each in cache.path.parent.iterdir()] == [cache.path.name]


@pytest.mark.parametrize("damage", [b"no database at all, but text " * 99, b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_damaged_file_is_put_aside_and_written_anew(damage: bytes, cache: SummaryCache) -> None:
    cache.path.write_bytes(damage)
    summarizer = summarizer_of(cache, ScriptedModel(ANSWER, NOTHING))
    first = shown(summarizer)
    assert cache.path.with_name(f"{cache.path.name}.damaged").read_bytes() == damage
    assert shown(Summarizer(cache, no_model, time_limit_s=9.0)) == first


def test_a_summary_with_a_flipped_bit_is_none(cache: SummaryCache) -> None:
    shown(summarizer_of(cache, ScriptedModel(ANSWER, NOTHING)))
    first = cache.get(PASSAGE)
    with closing(sqlite3.connect(cache.path, isolation_level=None)) as database:
        (item,) = database.execute("SELECT item FROM summary").fetchone()
        for place in range(len(item)):
            spoilt = bytearray(item)
            spoilt[place] ^= 1 << place % 8
            database.execute("UPDATE summary SET item = ?", (bytes(spoilt),))
            assert cache.get(PASSAGE) in (None, first), place


def test_an_item_that_cannot_be_decoded_is_written_anew(cache: SummaryCache) -> None:
    summarizer = summarizer_of(cache, ScriptedModel(ANSWER, NOTHING))
    first = shown(summarizer)
    with sqlite3.connect(cache.path) as database:
        database.execute("UPDATE summary SET item = x'00'")
    database.close()
    assert shown(summarizer_of(cache, ScriptedModel(ANSWER, NOTHING))) == first


def test_a_bank_that_cannot_be_written_to_still_shows_summaries(
    cache: SummaryCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.path.write_bytes(b"")
    database = sqlite3.connect(cache.path)
    database.execute("CREATE TABLE other (x)")
    database.execute("BEGIN EXCLUSIVE")  # as locked as a read-only disk, for root too
    monkeypatch.setattr("briefbank.search.summaries.cache._WAIT_S", 0.05)
    try:
        _, parts = shown(summarizer_of(cache, ScriptedModel(ANSWER, NOTHING)))
    finally:
        database.close()
    assert parts
    assert cache.get(PASSAGE) is None


def test_documents_that_left_the_bank_leave_no_summary(cache: SummaryCache) -> None:
    shown(summarizer_of(cache, ScriptedModel(ANSWER, NOTHING)))
    cache.keep_only({"quince", "another"})
    assert cache.get(PASSAGE)
    cache.keep_only({"another"})
    assert cache.get(PASSAGE) is None


def test_the_source_is_all_that_was_given_and_its_headings() -> None:
    given_ = source_of(PASSAGES[:2]).split("\n\n")
    assert given_ == ["QUESTIONS PRESENTED", "ARGUMENT", "POINT I", PASSAGES[0].text, PASSAGES[1].text]


WRITES_FOR_EVER = """
import sys
from contextlib import closing
from pathlib import Path
from sample_index import make_passage
from briefbank.search.summaries.cache import Summary, SummaryCache
from briefbank.search.summaries.write import Sentence, SentenceTopic

cache = SummaryCache(Path(sys.argv[1]), "1.1")
for number in range(100_000):
    passage = make_passage("quince", number, "The stop.")
    sentences = (Sentence(SentenceTopic.FACTS, f"Sentence {number}. " * 50),)
    cache.put(passage, Summary("Killed", "5" * 64, "2026-11-20", sentences, (passage.id,), 0))
    print(number, flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_every_summary_it_told_of(cache: SummaryCache) -> None:
    for round_ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITES_FOR_EVER, str(cache.path)],
            cwd=Path(__file__).parent,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
        ) as writer:
            assert writer.stdout
            told = [int(writer.stdout.readline()) for _ in range(7 + 5 * round_)]
            writer.kill()
        for number in told:
            kept = cache.get(make_passage("quince", number, "The stop."))
            assert kept
            assert kept.sentences[0].text.startswith(f"Sentence {number}.")
    assert not cache.path.with_name(f"{cache.path.name}.damaged").exists()


def test_a_prompt_is_not_changed_without_its_version() -> None:
    """Summaries are kept under the version; whoever changes a prompt raises it, and writes the new digest here."""
    folder = files("briefbank.models.language").joinpath("prompts")
    digests = {
        name: hashlib.sha256(folder.joinpath(f"{name}.txt").read_bytes()).hexdigest()[:16]
        for name in ("summary", "summary_missed")
    }
    assert (prompt_version(), digests) == ("1.1", {"summary": "1c00c0472338ac39", "summary_missed": "84ad988a2e010ec7"})
