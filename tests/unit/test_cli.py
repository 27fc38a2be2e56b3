"""The command line as its user sees it: text, JSON, errors with advice, exit codes."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import office
import pytest
from systems import pipes

from briefbank.cli.main import build_parser
from briefbank.errors import ExitCode

ROOT = Path(__file__).parents[2]
VERBS = (
    "index",
    "cluster",
    "search",
    "follow",
    "show",
    "documents",
    "outline",
    "arguments",
    "card",
    "profile",
    "draft",
    "checklist",
    "profile",
    "matter",
    "alerts",
    "status",
    "check",
    "rollback",
    "pack",
    "install",
    "keys",
    "authorities",
    "models",
    "summarize",
    "evaluate",
    "feedback",
    "learn",
    "synthesize",
)
BANK_VERBS: dict[str, tuple[str, ...]] = {
    "search": ("consent",), "show": ("no-such",), "documents": (), "arguments": (), "alerts": (), "status": (),
    "outline": ("no-such",), "card": ("Rule 1:36-3",), "check": (), "rollback": (),
}  # fmt: skip
HIT_FIELDS = (
    "rank score passage_id document_id title kind filed court docket page_first page_last page_label section_path "
    "section_kind text matches why source_path"
).split()
QUESTION = "may the police search after consent at a prolonged stop"


def hits(result: Any) -> list[dict[str, Any]]:
    assert result.code == 0, result.err
    found: list[dict[str, Any]] = result.json["hits"]
    return found


# --- help and documentation ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_on_each_option(briefbank: Any, verb: str) -> None:
    result = briefbank(verb, "--help")
    assert result.code == 0
    assert "--json" in result.out
    assert result.err == ""


def test_the_program_names_every_verb_and_its_version(briefbank: Any) -> None:
    told = briefbank("--help").out
    assert all(re.search(rf"^\s+{verb}\s+\w", told, re.MULTILINE) for verb in VERBS)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert briefbank("--version").out == f"briefbank {version}\n"


def test_every_verb_is_documented() -> None:
    files = (ROOT / "README.md", ROOT / "docs" / "operations.md")
    documented = "".join(path.read_text(encoding="utf-8") for path in files if path.exists())
    verbs = next(action for action in build_parser()._actions if action.dest == "verb")
    assert set(verbs.choices or ()) == set(VERBS)
    assert not [verb for verb in VERBS if f"briefbank {verb}" not in documented]


def test_every_exit_code_is_documented() -> None:
    path = ROOT / "docs" / "operations.md"
    documented = path.read_text(encoding="utf-8") if path.exists() else ""
    assert not [code.name for code in ExitCode if not re.search(rf"^\W*{code.value}\b", documented, re.MULTILINE)]


# --- search ---------------------------------------------------------------------------------------------------------


def test_a_search_tells_people_title_date_section_page_passage_and_reason(briefbank: Any, library_bank: Path) -> None:
    result = briefbank("search", "Was the stop prolonged?", "--bank", library_bank)
    assert result.code == 0
    for told in (
        "2018-09-14  State v. Alder Quince", "A-1482-17T4", "POINT I", "sheet 1", "no reasonable and articulable",
        "all", "words", "best match 1", "newest first",
    ):  # fmt: skip
        assert told in result.out
    assert result.err == ""


def test_a_search_gives_programs_the_promised_fields(briefbank: Any, library_bank: Path) -> None:
    result = briefbank("search", QUESTION, "--bank", library_bank, "--json")
    told = result.json
    assert {"query", "generation", "took_ms", "hits"} <= told.keys()
    assert told["query"] == QUESTION
    assert told["generation"] == (library_bank / "current").read_text(encoding="utf-8").strip()
    assert told["took_ms"] > 0
    assert len(told["hits"]) == 5
    for hit in told["hits"]:
        assert set(HIT_FIELDS) <= hit.keys()
        assert hit["filed"] is None or re.fullmatch(r"\d{4}-\d\d-\d\d", hit["filed"])
        if hit["source_path"].endswith(".pdf"):
            assert 1 <= hit["page_first"] <= hit["page_last"]
        else:  # a text has no pages that could be cited
            assert hit["page_first"] is hit["page_last"] is None
        assert all(0 <= start < end <= len(hit["text"]) for start, end in hit["matches"])
        assert Path(hit["source_path"]).is_file()
        assert isinstance(hit["section_path"], list)
    assert result.err == ""


def test_the_matches_are_the_words_asked_for(briefbank: Any, library_bank: Path) -> None:
    (hit,) = hits(briefbank("search", "N.J.R.E. 803(c)(2)", "--top-k", 1, "--bank", library_bank, "--json"))
    assert [hit["text"][start:end] for start, end in hit["matches"]][-1].endswith("803(c)(2)")
    assert hit["docket"] == "A-0311-04T2"


def test_results_are_newest_first_undated_last_and_keep_their_rank(briefbank: Any, library_bank: Path) -> None:
    by_date = hits(briefbank("search", QUESTION, "--top-k", 8, "--bank", library_bank, "--json"))
    dates = [hit["filed"] or "" for hit in by_date]
    assert dates == sorted(dates, reverse=True)
    internal = hits(briefbank("search", QUESTION, "--kind", "internal", "--bank", library_bank, "--json"))
    assert [hit["filed"] for hit in internal] == ["2015-06-08", None]
    by_rank = hits(briefbank("search", QUESTION, "--top-k", 8, "--sort", "relevance", "--bank", library_bank, "--json"))
    assert [hit["rank"] for hit in by_rank] == list(range(1, 9))
    assert [hit["score"] for hit in by_rank] == sorted((hit["score"] for hit in by_rank), reverse=True)
    assert {hit["passage_id"]: hit["rank"] for hit in by_rank} == {hit["passage_id"]: hit["rank"] for hit in by_date}


@pytest.mark.parametrize(
    ("options", "holds"),
    [
        (("--since", "2018", "--until", "2021-12"), lambda hit: hit["filed"] and "2018" <= hit["filed"] < "2022"),
        (("--kind", "internal", "--kind", "directive"), lambda hit: hit["kind"] in {"internal", "directive"}),
        (("--section-kind", "facts"), lambda hit: hit["section_kind"] == "facts"),
        (("--author", "bram okonjo"), lambda hit: hit["author"] == "Bram Okonjo"),
        (("--court", "Superior Court of New Jersey, Appellate Division"), lambda hit: "Appellate" in hit["court"]),
    ],
)
def test_every_hit_meets_the_filters_and_there_are_some(
    briefbank: Any, library_bank: Path, options: tuple[str, ...], holds: Any
) -> None:
    found = hits(briefbank("search", "stop consent search", "--top-k", 50, *options, "--bank", library_bank, "--json"))
    assert found
    assert all(holds(hit) for hit in found)


@pytest.mark.parametrize(("option", "day"), [("--since", "2018-09-14"), ("--until", "2018-09-14")])
def test_both_dates_are_included(briefbank: Any, library_bank: Path, option: str, day: str) -> None:
    found = hits(briefbank("search", "stop", "--top-k", 50, option, day, "--bank", library_bank, "--json"))
    assert day in {hit["filed"] for hit in found}


def test_no_result_is_said_plainly(briefbank: Any, library_bank: Path) -> None:
    result = briefbank("search", "stop", "--since", "2031", "--bank", library_bank)
    assert result.code == 0
    assert result.out.startswith("Nothing found. Try other words, or fewer filters")
    assert hits(briefbank("search", "stop", "--since", "2031", "--bank", library_bank, "--json")) == []


def test_nobody_is_told_to_drop_filters_that_they_did_not_set(briefbank: Any, library_bank: Path) -> None:
    told = briefbank("search", '"zeppelin over Weehawken"', "--bank", library_bank).out
    assert "Nothing found" in told
    assert "filters" not in told


def test_words_of_a_court_or_author_are_enough_for_people(briefbank: Any, library_bank: Path) -> None:
    search = ("search", "stop consent search", "--bank", library_bank)
    part = briefbank(*search, "--author", "OKONJO")
    assert part.err == "--author OKONJO is taken as: Bram Okonjo\n"
    whole = briefbank(*search, "--author", "Bram Okonjo")
    assert whole.err == ""
    assert part.out.splitlines()[0] == whole.out.splitlines()[0] != ""
    court = briefbank(*search, "--court", "appellate division")
    assert "Superior Court of New Jersey, Appellate Division" in court.err
    assert "passages, newest first" in court.out
    unknown = briefbank(*search, "--author", "Bram Okonja")
    assert "No author here is called Bram Okonja; close to it: Bram Okonjo" in unknown.err
    assert "Nothing found" in unknown.out
    programs = briefbank(*search, "--author", "OKONJO", "--json")
    assert (hits(programs), programs.err) == ([], "")


@pytest.mark.parametrize(
    "arguments",
    [("stop", "--top-k", "0"), ("?!",), ("stop", "--since", "yesterday"), ("stop", "--kind", "letter"), ()],
)
def test_a_call_that_makes_no_sense_ends_with_2_and_says_why(
    briefbank: Any, library_bank: Path, arguments: tuple[str, ...]
) -> None:
    result = briefbank("search", *arguments, "--bank", library_bank)
    assert result.code == ExitCode.USAGE
    assert result.out == ""
    assert len(result.err) > 20


# --- the other verbs ------------------------------------------------------------------------------------------------


def test_a_passage_is_shown_among_its_neighbours(briefbank: Any, library_bank: Path) -> None:
    hit = hits(briefbank("search", "consent unequivocal and specific", "--bank", library_bank, "--json"))[0]
    told = briefbank("show", hit["passage_id"], "--context", 2, "--bank", library_bank, "--json").json
    assert told["passage"]["text"] == hit["text"]
    assert told["document"]["document_id"] == hit["document_id"]
    assert 0 < len(told["before"]) <= 2
    starts = [each["span"][0] for each in (*told["before"], told["passage"], *told["after"])]
    assert starts == sorted(starts)
    assert {each["document_id"] for each in (*told["before"], *told["after"])} == {hit["document_id"]}
    text = briefbank("show", hit["passage_id"], "--bank", library_bank).out
    assert f"> {hit['passage_id']}" in text
    assert told["before"][-1]["passage_id"] in text


def test_a_passage_that_is_not_there_is_told_with_advice(briefbank: Any, library_bank: Path) -> None:
    result = briefbank("show", "0000-0001", "--bank", library_bank)
    assert result.code == ExitCode.USAGE
    assert "search again" in result.err


def test_fewer_neighbours_than_none_are_refused(briefbank: Any, library_bank: Path) -> None:
    shown = hits(briefbank("search", "consent", "--bank", library_bank, "--json"))[0]["passage_id"]
    result = briefbank("show", shown, "--context", -1, "--bank", library_bank)
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    assert "0 or more" in result.err
    assert briefbank("show", shown, "--context", 0, "--bank", library_bank).code == ExitCode.OK


def test_documents_come_with_their_metadata_and_where_it_was_found(briefbank: Any, library_bank: Path) -> None:
    rows = briefbank("documents", "--bank", library_bank, "--json").json["documents"]
    assert [row["filed"] for row in rows] == [
        "2022-05-30",
        "2021-11-30",
        "2018-09-14",
        "2015-06-08",
        "2005-03-03",
        None,
    ]
    quince = next(row for row in rows if row["source_path"].endswith("quince.pdf"))
    assert quince["docket"] == "A-1482-17T4"
    assert quince["kind"] == "brief"
    assert quince["pages"] >= 1
    assert quince["found_in"].keys() >= {"title", "kind", "court", "docket", "filed"}
    text = briefbank("documents", "--bank", library_bank).out
    assert "undated" in text
    assert "6 documents" in text


def test_status_tells_what_the_bank_holds_and_what_failed(briefbank: Any, library_bank: Path) -> None:
    told = briefbank("status", "--bank", library_bank, "--json").json
    assert (told["documents"], told["files"], told["format"]) == (6, 8, "1.0")
    assert {(Path(each["path"]).name, each["code"]) for each in told["failures"]} == {
        ("broken.pdf", "damaged-file"), ("plan.xls", "unsupported-file"),
    }  # fmt: skip
    text = briefbank("status", "--bank", library_bank).out
    assert "broken.pdf" in text
    assert "2 failed" in text


def test_a_sound_bank_passes_its_check(briefbank: Any, library_bank: Path) -> None:
    assert briefbank("check", "--bank", library_bank).told == "The bank is sound.\n"
    result = briefbank("check", "--bank", library_bank, "--json")
    assert (result.code, result.json["findings"]) == (0, [])


def test_rolling_back_makes_the_generation_before_live(
    briefbank: Any, own_bank: Path, library: Path, tmp_path: Path
) -> None:
    first = briefbank("status", "--bank", own_bank, "--json").json["generation"]
    assert briefbank("rollback", "--bank", own_bank).code == ExitCode.BANK_MISSING
    office.write_text(tmp_path / "more" / "memo.txt", office.memo("Arrays", office.LINEUP))
    assert briefbank("index", tmp_path / "more", "--bank", own_bank, "--quiet").code == 0
    second = briefbank("status", "--bank", own_bank, "--json").json
    assert second["other_generations"] == [first]
    assert briefbank("rollback", "--bank", own_bank, "--json").json == {"generation": first, "pack": None}
    assert len(briefbank("documents", "--bank", own_bank, "--json").json["documents"]) == 6
    assert second["generation"] in briefbank("rollback", "--bank", own_bank).out


# --- errors that every verb tells ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("verb", "arguments"), BANK_VERBS.items())
def test_a_missing_bank_ends_with_4_and_says_what_to_do(
    briefbank: Any, tmp_path: Path, verb: str, arguments: tuple[str, ...]
) -> None:
    result = briefbank(verb, *arguments, "--bank", tmp_path / "nowhere")
    assert result.code == ExitCode.BANK_MISSING
    assert "briefbank index" in result.err
    assert result.out == ""


@pytest.mark.parametrize("verb", ["search", "show", "documents", "rollback"])
def test_a_bank_without_an_index_ends_with_4(briefbank: Any, empty_bank: Path, verb: str) -> None:
    result = briefbank(verb, *BANK_VERBS[verb], "--bank", empty_bank)
    assert result.code == ExitCode.BANK_MISSING
    assert "ndex" in result.err


def test_checking_a_bank_whose_first_run_was_interrupted_ends_with_4(
    briefbank: Any, library_bank: Path, empty_bank: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("briefbank.ingest.pipeline.publish", stop)
        assert briefbank("index", folder, "--bank", empty_bank, "--quiet").code == ExitCode.INTERRUPTED
    result = briefbank("check", "--bank", empty_bank)
    assert result.code == ExitCode.BANK_MISSING
    assert "holds no index yet" in result.err
    assert briefbank("check", "--repair", "--bank", empty_bank).code == 0  # which publishes what had been read
    lost = Path(shutil.copytree(library_bank, tmp_path / "lost"))
    (lost / "current").unlink()
    assert briefbank("check", "--bank", lost).code == ExitCode.DAMAGED  # there are generations


@pytest.mark.parametrize("content", ["[bank", "{whole}\n[settings]\nweak_below = 0.2\n"])
def test_a_bank_file_that_is_not_toml_ends_with_3_and_names_the_line(
    briefbank: Any, own_bank: Path, content: str
) -> None:
    file = own_bank / "bank.toml"
    file.write_text(content.replace("{whole}", file.read_text(encoding="utf-8")), encoding="utf-8")
    result = briefbank("search", "consent", "--bank", own_bank)
    assert result.code == ExitCode.SETTINGS
    assert re.search(r"bank\.toml .*\(at (line \d|end of document)", result.err)
    assert "remove" not in result.err


@pytest.mark.parametrize(("verb", "arguments"), BANK_VERBS.items())
def test_a_newer_bank_ends_with_6(briefbank: Any, empty_bank: Path, verb: str, arguments: tuple[str, ...]) -> None:
    (empty_bank / "bank.toml").write_text('[bank]\nformat = "3.0"\n', encoding="utf-8")
    result = briefbank(verb, *arguments, "--bank", empty_bank)
    assert result.code == ExitCode.NEWER
    assert "3.0" in result.err
    assert "2.0" in result.err


def test_a_newer_generation_ends_with_6(briefbank: Any, own_bank: Path) -> None:
    manifest = next(own_bank.glob("generations/*/generation.toml"))
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(re.sub(r"^format = \d+", "format = 99", text, flags=re.MULTILINE), encoding="utf-8")
    assert briefbank("search", "consent", "--bank", own_bank).code == ExitCode.NEWER


def test_a_wrong_setting_ends_with_3(briefbank: Any, empty_bank: Path) -> None:
    office.write_bank(empty_bank, top_kay=5)
    result = briefbank("status", "--bank", empty_bank)
    assert result.code == ExitCode.SETTINGS
    assert "top_kay" in result.err


def test_a_model_that_is_missing_ends_with_9(briefbank: Any, folder: Path, empty_bank: Path, tmp_path: Path) -> None:
    office.write_bank(empty_bank, encoder=str(tmp_path / "no-model"))
    result = briefbank("index", folder, "--bank", empty_bank)
    assert result.code == ExitCode.MODEL
    assert "no-model" in result.err


# --- as a process ---------------------------------------------------------------------------------------------------


def test_a_process_keeps_json_alone_on_standard_output(briefbank_process: Any, library: Path, own_bank: Path) -> None:
    result = briefbank_process("index", library, "--bank", own_bank, "--json")
    assert result.code == ExitCode.SOME_FAILED
    assert json.loads(result.out)["unchanged"] == 6
    found = briefbank_process("search", QUESTION, "--json", BRIEFBANK_BANK=str(own_bank))
    assert len(json.loads(found.out)["hits"]) == 5
    assert found.err == ""


@pipes
def test_a_reader_that_goes_away_is_no_failure(library_bank: Path) -> None:
    import subprocess

    from program import command

    shell = f"{' '.join(command('documents', '--bank', library_bank))} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_fault_of_the_program_ends_with_1_and_says_where_but_not_what_was_read(
    briefbank: Any, library_bank: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    read = "oxyrhynchus"

    def fail(_bank: object) -> None:
        raise LookupError(read)

    monkeypatch.setattr("briefbank.bank.local.Bank.status", fail)
    assert briefbank("status", "--bank", library_bank).code == ExitCode.OTHER
    assert "fault in BriefBank: LookupError" in caplog.text
    assert "status.py" in caplog.text
    assert read not in caplog.text


def test_help_is_printed_on_a_console_that_knows_few_letters(briefbank_process: Any) -> None:
    """As on Windows, where what goes into a file or a pipe has the letters of one part of the world."""
    told = briefbank_process("checklist", "--help", PYTHONIOENCODING="ascii")
    assert told.code == 0, told.err
    assert "“Not found”" in told.out
