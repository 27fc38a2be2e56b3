"""Every command that the guides show: those set apart are run, in the order they stand, in a world made for them; those
within a line are at least understood by the program.

A path of the guides (`/srv/briefs`) is the same path below the test's own folder, where the fixtures lie.
"""

from __future__ import annotations

import bz2
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import office
import pytest
from program import ROOT, Briefbank

from briefbank.bank.local import Bank
from briefbank.cli.main import build_parser
from briefbank.judgements.feedback.events import Event, Judged, Searched, shown_as
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.judgements.pooling.sheet import read_sheet, write_sheet
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.values.records import Query
from briefbank.values.summaries import AI_DISCLAIMER

GUIDES = sorted([ROOT / "README.md", ROOT / "models" / "README.md", *(ROOT / "docs").glob("*.md")])
PROGRAMS = ("briefbank", ".venv/bin/briefbank")
WINDOW = ("briefbank-ui", ".venv/bin/briefbank-ui")
ADDED = {"index": ["--quiet"], "evaluate": ["--settings", "quick.toml"]}
"""Words that a verb is given besides, unless it has them: no progress in the test's report, no encoder to load."""

LASTING = ("--watch", "--follow", "scheduler", "tls://head.office.example:8786")
"""Words by which a command runs until it is stopped, or asks other machines: such a one is only understood here."""

ENDS = {"briefbank index ": 12, "--settings expanded.toml": 9, "--reranker": 9, "briefbank synthesize ": 9}
"""Exit codes that are as they should be where not 0, by a part of the command: 12 for the broken file of the library, 9
where no model that the office adds is installed."""

ELSEWHERE = re.compile(
    r"(sudo|systemctl|journalctl|loginctl|schtasks|powershell|msiexec|mount|umount|umask|chmod|cp|tar|sha256sum|curl)\b"
    r"|make |git |cd |\S*(python|python3\.11|pip) |export |\./install\.sh|installer/|BriefBank-\S*setup"
)
"""What a guide may show beside BriefBank's own commands; other tests, or the systems' makers, answer for them."""

STAND_INS = {
    "FOLDER": "/srv/briefs",
    "DIR": "/srv/briefs",
    "BANK": "/var/lib/briefbank/bank",
    "JUDGED": "/path/to/collection",
    "OUT_FOLDER": "/tmp/made-up",
    "PASSAGE_ID": "{passage}",
    "DOCUMENT_ID": "{document}",
}
"""What stands for a word in capitals that a guide leaves to the reader."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A command as a guide shows it."""

    guide: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.guide}:{self.line}: {self.text}"


def blocks(guide: Path, language: str) -> Iterator[tuple[int, str]]:
    """Line number and text of each block of that language."""
    text = guide.read_text(encoding="utf-8")
    for found in re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start(1)) + 1, found[1]


def set_apart(guide: Path) -> list[Shown]:
    """The commands in the guide's `sh` blocks, continued lines joined, comments dropped."""
    shown = []
    for number, block in blocks(guide, "sh"):
        joined = re.sub(r"\\\n\s*", " ", block)
        for offset, line in enumerate(joined.splitlines()):
            words = re.sub(r"(^|\s)#.*", "", line).strip()
            if words:
                shown.append(Shown(guide.name, number + offset, words))
    return shown


def within_lines(guide: Path) -> list[Shown]:
    """Commands of BriefBank in running text, by their code marks; the program's bare name is none."""
    block = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
    outside = block.sub(lambda found: "\n" * found[0].count("\n"), guide.read_text("utf-8"))
    found = re.finditer(r"`(briefbank [a-z][^`]*)`", outside)
    return [Shown(guide.name, outside.count("\n", 0, each.start()) + 1, " ".join(each[1].split())) for each in found]


def is_own(shown: Shown) -> bool:
    return shown.text.startswith(tuple(f"{program} " for program in PROGRAMS))


BULK_DATA = {
    "citations": b"id,volume,reporter,page,cluster_id\n1,172,N.J.,117,7\n",
    "opinion-clusters": b"id,date_filed,case_name_short,case_name,case_name_full\n7,2002-05-06,,State v. Domicz,\n",
}


@pytest.fixture
def world(
    tmp_path: Path, library: Path, library_bank: Path, monkeypatch: pytest.MonkeyPatch, briefbank: Briefbank
) -> Path:
    """The folders that the guides speak of, and a home of its own."""
    from briefbank.platform.files import write_atomic

    shutil.copytree(library, tmp_path / "srv" / "briefs")
    shutil.copytree(library, tmp_path / "path" / "to" / "briefs")
    for bank in ("var/lib/briefbank/bank", "path/to/bank"):
        shutil.copytree(library_bank, tmp_path / bank)
    for place in (
        "media/stick",
        "mnt/share",
        "mnt/office",
        "srv/packs",
        "srv/keys",
        "srv/feedback",
        "tmp",
        "home",
        "work",
    ):
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
    write_collection(tmp_path / "path" / "to" / "collection")
    for name in ("annotated", "others"):
        write_clauses(tmp_path / "path" / "to" / "documents", tmp_path / "work" / f"{name}.jsonl")
    for name, more in (("quick", ""), ("expanded", "expansion_share = 0.3\n")):
        write_atomic(tmp_path / "work" / f"{name}.toml", f'[settings]\nencoder = "hashing"\n{more}'.encode())
    for name, rows in BULK_DATA.items():
        (tmp_path / "work" / f"{name}-2026-09-30.csv.bz2").write_bytes(bz2.compress(rows))
    (tmp_path / "work" / "questions.txt").write_text("consent to search\nexcited utterance\n", encoding="utf-8")
    for place in ("home/feedback", "srv/feedback/laptop-1", "srv/feedback/laptop-2"):
        write_feedback(tmp_path / f"{place}.sqlite", library_bank)
    for guide in GUIDES:
        for number, table in blocks(guide, "csv"):
            write_atomic(tmp_path / "work" / table_name(guide, number), table.encode())
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    monkeypatch.setenv("BRIEFBANK_BANK", str(tmp_path / "var" / "lib" / "briefbank" / "bank"))
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "home" / "models"))
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "home" / "keys"))
    monkeypatch.setenv("BRIEFBANK_FEEDBACK", str(tmp_path / "home" / "feedback.sqlite"))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def table_name(guide: Path, number: int) -> str:
    """The file name that stands nearest to a table in its guide, before or after it."""
    lines = guide.read_text(encoding="utf-8").splitlines()
    names = [(abs(at - number), name) for at, line in enumerate(lines) for name in re.findall(r"[\w-]+\.csv", line)]
    return min(names)[1] if names else f"table-{number}.csv"


def write_collection(folder: Path) -> None:
    """A small judged collection in the BEIR layout."""
    (folder / "qrels").mkdir(parents=True)
    subjects = "consent hearsay credits lineup charge warrant plea juror stop waiver appeal bail".split()
    passages = [
        {"_id": f"p{at}", "title": "", "text": f"On {each} the court erred."} for at, each in enumerate(subjects)
    ]
    queries = [{"_id": f"q{at}", "text": f"did the court err on {each}"} for at, each in enumerate(subjects)]
    for name, rows in (("corpus", passages), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judged = [f"q{at}\tp{other}\t{int(at == other)}" for at in range(12) for other in (at, (at + 1) % 12)]
    (folder / "qrels" / "dev.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *judged, ""]))


def write_clauses(folder: Path, file: Path) -> None:
    """Memoranda on consent and on lineups, a dozen of each, annotated by what they are about."""
    lines = []
    for number in range(24):
        about, text = ("Consent", office.CONSENT) if number % 2 else ("Lineups", office.LINEUP)
        office.write_text(
            folder / f"{number}.txt", office.memo(f"Matter {number}", f"{text} Matter {number} is another one.")
        )
        lines.append({"file": f"{number}.txt", "category": about, "clause": text})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def write_feedback(log: Path, bank: Path) -> None:
    """The log of somebody who asked once and judged the first two results."""
    found = Bank.open(bank).search(Query("consent to search"))
    asked = Searched(found.query, found.generation, found.took_ms, shown_as(found.hits))
    first = Event(new_id(), utc_now(), asked)
    said = [Judged(first.id, hit.passage.id, is_relevant=hit.rank == 1) for hit in found.hits[:2]]
    with FeedbackLog(log) as opened:
        opened.append([first, *(Event(new_id(), utc_now(), each) for each in said)])


def write_graded(pool: Path, folder: Path) -> None:
    """Two readers' copies of a pool, who differ."""
    for name, grade in (("ann.csv", 3), ("ben.csv", 1)):
        write_sheet([replace(pair, grade=grade) for pair in read_sheet(pool)], folder / name, "")


def prepare_runs(shown: Shown, made_earlier: Path, collection: Path, work: Path) -> None:
    """The runs that a comparison takes for granted."""
    if " before.run " in shown.text:
        for name in ("before.run", "after.run"):
            shutil.copy(made_earlier, work / name)
    elif "shown.run after.run" in shown.text:
        shutil.copy(collection / "shown.run", work / "after.run")


def prepare(shown: Shown, world: Path, briefbank: Briefbank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bring about what a guide takes for granted before a command: files handed over, a run made earlier, a laptop."""
    work, collection = world / "work", world / "path" / "to" / "collection"
    prepare_runs(shown, world / "tmp" / "briefbank.run", collection, work)
    if shown.text.startswith("briefbank feedback export"):
        shutil.rmtree(collection, ignore_errors=True)
    elif shown.text.startswith("briefbank feedback merge"):
        (work / "laptop-1").mkdir()
        shutil.copy(world / "srv" / "feedback" / "laptop-1.sqlite", work / "laptop-1" / "feedback.sqlite")
        other = world / "srv" / "feedback" / "laptop-2.sqlite"
        assert briefbank("feedback", "export", "--format", "jsonl", work / "laptop-2.jsonl", "--log", other).code == 0
    elif shown.text.startswith("briefbank feedback adjudicate"):
        write_graded(world / "path" / "to" / "pool" / "pool.csv", work)
    elif shown.text.startswith("briefbank learn"):
        shutil.rmtree(collection, ignore_errors=True)
        write_collection(collection)
    elif shown.text.startswith("briefbank profile mine"):
        shutil.rmtree(world / "path" / "to" / "profiles", ignore_errors=True)
    elif "--compare plain.run" in shown.text:  # the other one wants a model
        shutil.copy(work / "plain.run", work / shown.text.split()[-1])
    elif shown.text.startswith("briefbank keys trust"):
        (public,) = (world / "home").rglob("*.pub")
        shutil.copy(public, work / shown.text.split()[-1])
    elif shown.text.startswith("briefbank install"):
        monkeypatch.setenv("BRIEFBANK_BANK", str(world / "laptop" / "bank"))


def words_of(shown: Shown, world: Path, passage: str) -> list[str]:
    """The command's words with the world's paths, and stand-ins for what is left to the reader."""
    words = shlex.split(shown.text.replace("[", "").replace("]", "").replace("…", "").replace(" | ", " "))[1:]
    document = passage.rpartition("-")[0]
    named = [STAND_INS.get(word, word).format(passage=passage, document=document) for word in words]
    placed = [str(world / word.lstrip("/")) if word.startswith("/") else word for word in named]
    return [each for word in placed for each in (sorted(map(str, Path("/").glob(word[1:]))) if "*" in word else [word])]


@pytest.mark.parametrize(
    "guide",
    [guide for guide in GUIDES if any(map(is_own, set_apart(guide)))],
    ids=lambda guide: guide.relative_to(ROOT).as_posix(),
)
def test_every_command_that_a_guide_sets_apart_does_what_it_should(
    guide: Path, world: Path, briefbank: Briefbank, library_bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passage = a_passage(library_bank)
    for shown in filter(is_own, set_apart(guide)):
        words = words_of(shown, world, passage)
        if set(words) & set(LASTING):
            build_parser().parse_args(words)
            continue
        prepare(shown, world, briefbank, monkeypatch)
        added = ADDED["evaluate"] if "--spans" in words else ADDED.get(words[0], [])
        told = briefbank(*words, *(added if added[:1] and added[0] not in words else []))
        wanted = next((code for part, code in ENDS.items() if part in shown.text), 0)
        assert told.code == wanted, f"{shown}\nended with {told.code}: {told.err}"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.relative_to(ROOT).as_posix())
def test_every_command_within_a_line_of_a_guide_is_one(guide: Path, tmp_path: Path) -> None:
    known = verbs()
    for shown in within_lines(guide):
        words = words_of(shown, tmp_path, "quince-1")
        if len(words) == 1:  # the command is spoken of, not shown
            assert words[0] in known, str(shown)
            continue
        if any(word.startswith("-") for word in words):
            assert_options_are_known(words, shown)
        else:
            assert words[0] in known, str(shown)


def assert_options_are_known(words: list[str], shown: Shown) -> None:
    """Options are what goes stale; a command in running text may leave out the rest."""
    described = help_of(words[0])
    for word in words:
        if word.startswith("-"):
            assert re.search(rf"{re.escape(word)}\b", described), f"{shown}\nthere is no option {word}"


def verbs() -> dict[str, Callable[[], str]]:
    """Each verb with a way to its help, that of its own verbs included."""
    (sub,) = [action for action in build_parser()._actions if hasattr(action, "choices") and action.dest == "verb"]
    return {name: parser.format_help for name, parser in (sub.choices or {}).items()}  # type: ignore[attr-defined, union-attr]


def help_of(verb: str) -> str:
    (sub,) = [action for action in build_parser()._actions if action.dest == "verb"]
    parser = sub.choices[verb]  # type: ignore[index]
    inner = [each for action in parser._actions if isinstance(action.choices, dict) for each in action.choices.values()]
    return "\n".join([parser.format_help(), *(each.format_help() for each in inner)])


def a_passage(bank: Path) -> str:
    return Bank.open(bank).search(Query("consent")).hits[0].passage.id


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.relative_to(ROOT).as_posix())
def test_a_guide_shows_nothing_that_nobody_tries(guide: Path) -> None:
    for shown in set_apart(guide):
        program = shown.text.split()[0]
        assert is_own(shown) or program in WINDOW or ELSEWHERE.match(shown.text), f"{shown}\nis tried by no test"


def test_every_verb_has_its_place_in_a_guide() -> None:
    told = "".join(guide.read_text("utf-8") for guide in GUIDES)
    missing = [verb for verb in verbs() if f"briefbank {verb}" not in told]
    assert not missing, f"documented nowhere: {', '.join(missing)}"


def test_what_a_guide_has_made_is_a_target() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    asked = {
        word
        for guide in GUIDES
        for word in re.findall(r"(?:^|`)make ([a-z-]+)(?=[ `\n])", guide.read_text("utf-8"), re.MULTILINE)
    }
    assert asked, "no guide mentions make"
    assert asked <= targets


def test_every_link_between_the_guides_leads_somewhere() -> None:
    for guide in GUIDES:
        for place, anchor in re.findall(r"\]\(([\w./-]*)(#[\w-]+)?\)", guide.read_text("utf-8")):
            target = (guide.parent / place) if place else guide
            assert target.exists(), f"{guide.name}: {place}"
            if anchor and target.suffix == ".md":
                headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
                slugs = {re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-") for each in headings}
                assert anchor[1:] in slugs, f"{guide.name}: {place}{anchor}"


def test_every_exit_code_is_explained_in_the_operations_guide() -> None:
    from briefbank.errors import ExitCode

    told = set(re.findall(r"^\| (\d+) \|", (ROOT / "docs" / "operations.md").read_text("utf-8"), re.MULTILINE))
    assert told == {str(int(code)) for code in ExitCode}


def test_the_guide_for_defenders_says_what_generated_text_is_worth() -> None:
    told = (ROOT / "docs" / "using.md").read_text("utf-8").partition("## Generative AI")[2].partition("\n## ")[0]
    for word in (
        AI_DISCLAIMER,
        "invent",
        "check every",
        "sanctioned",
        "Never rely on it",
        "confidences",
        "sends nothing",
    ):
        assert word in " ".join(told.split()), word
