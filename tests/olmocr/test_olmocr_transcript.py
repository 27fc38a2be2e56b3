"""What is asked of the server for a page, which of its answers are believed, and how often it is asked again."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Sequence

import pytest
from scripted_server import Answer, Script, always, completion, front_matter, page_of, serving

from briefbank.ingest.ocr.olmocr.reader import Transcriber, Transcript, is_looping, parse_completion
from briefbank.ingest.ocr.olmocr.server import Server, ServerError, resolve

pytestmark = pytest.mark.olmocr
TEXT = "The officer asked for consent.\n\nThe driver waited ten minutes beside the road."
QUICK = (0.01, 0.01)
LINES = [f"Count {number}: the term is {number + 2} years, to run with the others." for number in range(30)]
LOOP = "\n".join(LINES[:9]) + "\n" + "and the State further says that it has nothing to add. " * 20


def transcribe(script: Script, waits_s: Sequence[float] = QUICK) -> Transcript:
    return Transcriber(Server(resolve(script.url), 5.0), "olmocr", waits_s).transcribe("AAAA")


def test_a_page_is_asked_for_with_olmocrs_own_prompt_and_picture() -> None:
    from olmocr.prompts.prompts import build_no_anchoring_v4_yaml_prompt

    with serving(always(page_of(TEXT))) as script:
        assert transcribe(script) == Transcript(TEXT)
    asked = script.asked[0]
    words, picture = asked["messages"][0]["content"]
    assert words["text"] == build_no_anchoring_v4_yaml_prompt()
    assert picture["image_url"]["url"] == "data:image/png;base64,AAAA"
    assert (asked["model"], asked["max_tokens"]) == ("olmocr", 8000)


def test_an_empty_page_is_an_answer() -> None:
    assert parse_completion(page_of("").body) == Transcript("")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (completion(front_matter() + TEXT, finish_reason="length"), "cut off"),
        (completion(TEXT), "front matter"),
        (completion(None), "front matter"),
        (completion("---\nprimary_language: en\n---\n" + TEXT), "invalid"),
        (completion(front_matter(rotation_correction=45) + TEXT), "invalid"),
        (completion("---\n[: {\n---\n" + TEXT), "invalid"),
        (completion("---\n- a list\n---\n" + TEXT), "invalid"),
        (page_of(LOOP), "loop"),
        (page_of("THE STATE OF NEW JERSEY\n" * 12), "loop"),
        (Answer(b'{"choices": []}'), "no sense"),
        (Answer(b'{"choices": [{"message"'), "no sense"),
        (Answer(completion(TEXT).body.replace(b"consent", b"cons\xffnt")), "no sense"),
    ],
)
def test_an_answer_that_cannot_be_believed_is_asked_for_again_and_then_given_up(answer: Answer, reason: str) -> None:
    with serving(always(answer)) as script, pytest.raises(ServerError, match=reason):
        transcribe(script)
    warmth = [asked["temperature"] for asked in script.asked]
    assert warmth == sorted(set(warmth))
    assert len(warmth) == 4


def test_a_better_answer_to_the_second_question_is_taken() -> None:
    with serving(always(page_of(LOOP), page_of(TEXT))) as script:
        assert transcribe(script) == Transcript(TEXT)
        assert len(script.asked) == 2


def test_a_server_that_recovers_is_asked_the_same_again() -> None:
    with serving(always(Answer(b"", status=500), Answer(b"", status=503), page_of(TEXT))) as script:
        assert transcribe(script) == Transcript(TEXT)
        assert {asked["temperature"] for asked in script.asked} == {0.1}


def test_a_broken_server_is_asked_a_bounded_number_of_times() -> None:
    with serving(always(Answer(b"", status=500))) as script, pytest.raises(ServerError, match="500"):
        transcribe(script)
    assert len(script.asked) == len(QUICK) + 1


def test_a_refusal_is_not_asked_for_twice() -> None:
    with serving(always(Answer(b"", status=400))) as script, pytest.raises(ServerError, match="400"):
        transcribe(script)
    assert len(script.asked) == 1


def test_a_turned_page_says_how_it_must_be_turned() -> None:
    answer = page_of(TEXT, is_rotation_valid=False, rotation_correction=90)
    assert parse_completion(answer.body) == Transcript(TEXT, 90)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "\n".join(LINES),
        "Rule 3:5-7 " + "." * 300,
        "Signed " + "_" * 300,
        "No, no, no, no, no, no.",
        "<table>" + "<tr><td></td><td></td></tr>" * 40 + "</table>",
        "* * *\n" * 12,
    ],
)
def test_what_briefs_repeat_is_no_loop(text: str) -> None:
    assert not is_looping(text)


def test_what_cannot_be_parsed_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(ServerError):
        parse_completion(completion("---\n{secret words of a brief: [\n---\n" + TEXT).body)
    assert "secret" not in caplog.text


AUDITED = """
import sys
tried = []
sys.addaudithook(lambda name, _: tried.append(name) if name.startswith(("socket.", "subprocess.")) else None)
import olmocr.prompts.prompts, olmocr.repeatdetect, olmocr.train.front_matter
loaded = {"boto3", "httpx", "requests", "torch", "transformers", "huggingface_hub"} & {*sys.modules}
print(tried, sorted(loaded))
"""


def test_what_is_used_of_olmocr_reaches_no_network_and_loads_nothing_that_could() -> None:
    words = [sys.executable, "-c", AUDITED]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=100, check=True)
    assert done.stdout == "[] []\n"
