"""Issue profiles through the command line: made, kept, shown, run, removed."""

from __future__ import annotations

from pathlib import Path

import office
import pytest
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.errors import ExitCode, UsageError
from briefbank.judgements.feedback.events import Event, Judged, Searched, shown_as
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.search.profiles.keywords import read_keywords, write_keywords
from briefbank.search.profiles.profile import OwnProfiles, Profile, ProfileStore
from briefbank.values.records import Query

AS_PUBLISHED = """[“change control”~5^5, “control changed”~5^5, “merger consolidation”~10^2, “written notice”~5,
"privity", consent]"""


def passage_with(briefbank: Briefbank, bank: Path, words: str) -> str:
    found = briefbank("search", words, "--bank", bank, "--top-k", 1, "--json").json["hits"][0]
    assert words.split(maxsplit=1)[0].lower() in found["text"].lower()
    return str(found["passage_id"])


def test_keywords_are_read_as_they_are_published() -> None:
    read = read_keywords(AS_PUBLISHED)
    assert [(each.text, each.reach, each.boost) for each in read] == [
        ("change control", 5, 5.0),
        ("control changed", 5, 5.0),
        ("merger consolidation", 10, 2.0),
        ("written notice", 5, 1.0),
        ("privity", None, 1.0),
        ("consent", None, 1.0),
    ]
    assert read_keywords(write_keywords(read)) == read


@pytest.mark.parametrize("wrong", ['"change control"~^5', '"a b"~5x'])
def test_what_is_no_keyword_is_named(wrong: str) -> None:
    with pytest.raises(UsageError, match="no keyword"):
        read_keywords(wrong)


def test_a_profile_finds_what_resembles_its_samples(briefbank: Briefbank, own_bank: Path) -> None:
    sample = passage_with(briefbank, own_bank, "hearsay excited utterance")
    made = briefbank("profile", "new", "Excited utterances", "--sample", sample, "--bank", own_bank, "--json").json
    assert made["samples"][0]["passage_id"] == sample
    found = briefbank("profile", "run", "excited utterances", "--bank", own_bank, "--json").json
    assert found["hits"][0]["passage_id"] == sample
    assert "telling words" in found["hits"][0]["why"]
    assert [hit["rank"] for hit in found["hits"]] == list(range(1, len(found["hits"]) + 1))


def test_a_profile_is_run_on_a_file_that_is_in_no_bank(briefbank: Briefbank, own_bank: Path, tmp_path: Path) -> None:
    """The sample is a passage of the bank, which the file does not hold."""
    sample = passage_with(briefbank, own_bank, "hearsay excited utterance")
    (own_bank / "profiles").mkdir()
    text = f'name = "Utterances"\n[[sample]]\npassage = "{sample}"\n'
    (own_bank / "profiles" / "utterances.toml").write_text(text, encoding="utf-8")
    file = office.write_text(tmp_path / "memo.txt", office.memo("Excited utterances", office.HEARSAY))
    found = briefbank("profile", "run", "Utterances", "--document", file, "--bank", own_bank, "--json").json
    assert "excited" in found["hits"][0]["text"]
    assert "telling words" in found["hits"][0]["why"]


def test_keywords_lift_and_leave_nothing_out(briefbank: Briefbank, own_bank: Path) -> None:
    question = ("--question", "is the sentence excessive", "--bank", own_bank)
    briefbank("profile", "new", "plain", *question)
    briefbank("profile", "new", "lifted", *question, "--keywords", '"blind administration"^5')
    plain, lifted = (
        briefbank("profile", "run", name, "--bank", own_bank, "--top-k", 50, "--json").json["hits"]
        for name in ("plain", "lifted")
    )
    assert {hit["passage_id"] for hit in lifted} == {hit["passage_id"] for hit in plain}
    holding = next(hit["passage_id"] for hit in plain if "blind administration" in hit["text"])
    assert rank_of(lifted, holding) < rank_of(plain, holding)
    assert "blind administration" in lifted[rank_of(lifted, holding) - 1]["why"]


def rank_of(hits: list[dict[str, object]], passage: str) -> int:
    return next(int(str(hit["rank"])) for hit in hits if hit["passage_id"] == passage)


def test_a_profile_is_listed_shown_replaced_and_removed(briefbank: Briefbank, own_bank: Path) -> None:
    bank = ("--bank", own_bank)
    made = ("profile", "new", "Rofr/Rofo", "--text", "a right of first refusal", "--keywords", AS_PUBLISHED)
    assert briefbank(*made, "--since", "2019", *bank).code == 0
    assert briefbank(*made, *bank).code == ExitCode.USAGE
    assert briefbank(*made, "--question", "who is first", "--replace", *bank).code == 0
    listed = briefbank("profile", "list", *bank, "--json").json["profiles"]
    assert [each["name"] for each in listed] == ["Rofr/Rofo"]
    shown = briefbank("profile", "show", "rofr rofo", *bank).out
    assert '"change control"~5^5' in shown
    assert "who is first" in shown
    assert briefbank("profile", "remove", "Rofr/Rofo", *bank).code == 0
    assert briefbank("profile", "show", "Rofr/Rofo", *bank).code == ExitCode.USAGE


def test_what_a_user_made_in_the_window_is_listed_run_and_removed_by_the_commands(
    briefbank: Briefbank, own_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_PROFILES", str(tmp_path / "own"))
    bank = ("--bank", own_bank, "--json")
    briefbank("profile", "new", "Office", "--question", "is consent to search valid", *bank)
    OwnProfiles(ProfileStore((own_bank / "profiles",))).keep(Profile("Mine", "is consent to search valid"))
    listed = briefbank("profile", "list", *bank).json["profiles"]
    assert [(each["name"], each["own"]) for each in listed] == [("Mine", True), ("Office", False)]
    assert "Mine: 0 samples, 0 keywords (your own)" in briefbank("profile", "list", "--bank", own_bank).out
    assert briefbank("profile", "run", "Mine", *bank).json["hits"]
    assert briefbank("profile", "remove", "mine", *bank).code == 0
    assert list((tmp_path / "own").iterdir()) == []
    assert briefbank("profile", "run", "Mine", *bank).code == ExitCode.USAGE


def test_a_profile_that_cannot_be_read_costs_only_itself(briefbank: Briefbank, own_bank: Path) -> None:
    briefbank("profile", "new", "Good", "--question", "is it good", "--bank", own_bank)
    (own_bank / "profiles" / "bad.toml").write_text('name = "Bad"\nquestions = "misspelt"\n', encoding="utf-8")
    (own_bank / "profiles" / "new.toml").write_text('name = "New"\nformat = 99\n', encoding="utf-8")
    listed = briefbank("profile", "list", "--bank", own_bank)
    assert listed.code == ExitCode.SETTINGS
    assert "Good" in listed.out
    assert "bad.toml is no profile" in listed.err
    assert "questions" in listed.err
    assert "format 99" in listed.err
    assert briefbank("profile", "run", "Good", "--bank", own_bank).code == 0


def test_a_sample_that_the_index_has_no_more_is_told_of(briefbank: Briefbank, own_bank: Path) -> None:
    (own_bank / "profiles").mkdir()
    text = 'name = "Gone"\nquestion = "is consent valid"\n[[sample]]\npassage = "nowhere-000"\n'
    (own_bank / "profiles" / "gone.toml").write_text(text, encoding="utf-8")
    found = briefbank("profile", "run", "Gone", "--bank", own_bank, "--json").json
    assert found["hits"]
    assert any("1 sample is a passage that the index has no more" in each for each in found["notices"])


@pytest.mark.parametrize(
    ("held", "why"),
    [
        ('[[sample]]\npassage = "nowhere-000"', "its samples are passages"),
        ('question = "?!"', "its question has no word"),
    ],
)
def test_a_profile_of_which_nothing_is_left_finds_nothing_at_random(
    briefbank: Briefbank, own_bank: Path, held: str, why: str
) -> None:
    office.write_text(own_bank / "profiles" / "gone.toml", f'name = "Gone"\n{held}\n')
    refused = briefbank("profile", "run", "Gone", "--bank", own_bank)
    assert refused.code == ExitCode.USAGE
    assert f"“Gone” says nothing of what is looked for: {why}" in refused.err


def test_filters_of_a_profile_hold_until_others_are_given(briefbank: Briefbank, own_bank: Path) -> None:
    briefbank("profile", "new", "Consent", "--question", "is consent valid", "--kind", "directive", "--bank", own_bank)
    kinds = {hit["kind"] for hit in briefbank("profile", "run", "Consent", "--bank", own_bank, "--json").json["hits"]}
    assert kinds == {"directive"}
    run = ("profile", "run", "Consent", "--kind", "brief", "--bank", own_bank, "--json")
    assert {hit["kind"] for hit in briefbank(*run).json["hits"]} == {"brief"}


def judged(bank: Path, question: str, log: Path) -> list[str]:
    """Search in the log of somebody who finds the first two results relevant and the third not; returns their ids."""
    found = Bank.open(bank).search(Query(question, top_k=3))
    ids = [hit.passage.id for hit in sorted(found.hits, key=lambda hit: hit.rank)]
    made = Event(new_id(), utc_now(), Searched(found.query, found.generation, found.took_ms, shown_as(found.hits)))
    said = [
        Event(new_id(), utc_now(), Judged(made.id, passage, is_relevant=number < 2))
        for number, passage in enumerate(ids)
    ]
    with FeedbackLog(log) as opened:
        opened.append([made, *said])
    return ids


def test_what_was_marked_relevant_to_a_question_becomes_a_profile(
    briefbank: Briefbank, own_bank: Path, tmp_path: Path
) -> None:
    question, log = "is consent to search valid", tmp_path / "feedback.sqlite"
    ids = judged(own_bank, question, log)
    common = ("--log", log, "--bank", own_bank, "--json")
    made = briefbank("profile", "from-relevant", "Consent", "--question", question, *common).json
    assert made["question"] == question
    assert [each["passage_id"] for each in made["samples"]] == sorted(ids[:2])
    refused = briefbank("profile", "from-relevant", "Other", "--question", "something else", *common)
    assert refused.code == ExitCode.USAGE
    assert "No passage of the bank is marked relevant" in refused.err


def test_keywords_are_mined_from_what_samples_have_in_common(briefbank: Briefbank, own_bank: Path) -> None:
    samples = [f"The {thing} was seized without any warrant or exigency at {place}." for thing, place in (
        ("lantern", "the harbour"), ("copper", "the thicket"), ("saddle", "the orchard"))]  # fmt: skip
    texts = [part for sample in samples for part in ("--text", sample)]
    briefbank("profile", "new", "Seizure", *texts, "--bank", own_bank)
    mined = briefbank("profile", "mine", "Seizure", "--bank", own_bank, "--json").json["keywords"]
    assert any(each.startswith('"seized warrant"~5') for each in mined)
    assert not any("lantern" in each for each in mined)
    briefbank("profile", "new", "Alone", "--text", samples[0], "--bank", own_bank)
    refused = briefbank("profile", "mine", "Alone", "--bank", own_bank)
    assert refused.code == ExitCode.USAGE
    assert "two or more" in refused.err
