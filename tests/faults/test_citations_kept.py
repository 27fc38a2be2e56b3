"""Citations read anew under readers that are killed: what was stays, and what is missing is never recorded as none."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import numpy as np
import office
import psutil
import pytest
from program import ROOT, Briefbank, command

from briefbank.index.generation import Generation
from briefbank.index.manifest import read_unreadable
from briefbank.index.publish import live_generation
from briefbank.ingest.cache import Cache
from briefbank.platform.layout import Layout
from briefbank.values.unreadable import CITATIONS_NOT_READ

LOCAL_CODE = """[[pattern]]
title = "{town} code"
family = "local"
regex = '''{town} Code (?P<number>[0-9]+)'''
examples = ["{town} Code 12"]
"""
linux_only = pytest.mark.skipif(sys.platform == "win32", reason="Wine starts a program too slowly to kill each in time")


def citations(bank: Path) -> Mapping[str, int]:
    """How many citations the live index holds of each file, by name."""
    generation = Generation.open(live_generation(Layout(bank)))
    assert generation.authorities
    of_passages = generation.dense.columns.document
    counts = np.bincount(of_passages, weights=generation.authorities.counts(len(of_passages)))
    return {Path(each.source_path).name: int(count) for each, count in zip(generation.documents, counts, strict=True)}


def not_cited(bank: Path) -> set[str]:
    lacking = read_unreadable(live_generation(Layout(bank)))
    assert lacking
    return {each.name for each in lacking.files if each.code == CITATIONS_NOT_READ}


def index_and_kill(folder: Path, bank: Path, is_to_die: Callable[[int], bool]) -> int:
    """Index, and kill those readers that the number of their start says; returns the exit code."""
    process = subprocess.Popen(
        command("index", folder, "--bank", bank, "--quiet"),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    )
    seen: set[int] = set()
    while process.poll() is None:
        with suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                if child.pid not in seen and "briefbank.ingest.worker" in child.cmdline():
                    seen.add(child.pid)
                    if is_to_die(len(seen)):
                        child.kill()
    assert seen
    return process.returncode


@pytest.fixture
def cited(folder: Path, empty_bank: Path, briefbank: Briefbank) -> Path:
    """A bank whose office writes a new list of citations after its first run."""
    office.write_text(folder / "king.txt", office.brief("Ada King", "A-0007-20", "", ("CONSENT.", office.CONSENT)))
    assert briefbank("index", folder, "--bank", empty_bank, "--quiet").code == 0
    (empty_bank / "citations.toml").write_text(LOCAL_CODE.format(town="Millbrook"), encoding="utf-8")
    return empty_bank


@linux_only
def test_a_reader_that_is_killed_once_costs_no_citation(cited: Path, folder: Path) -> None:
    before = citations(cited)
    assert index_and_kill(folder, cited, lambda number: number == 1) == 0
    assert citations(cited) == before
    assert not_cited(cited) == set()


@linux_only
def test_where_every_reader_is_killed_earlier_citations_stay_and_the_next_run_reads_them(
    cited: Path, folder: Path, briefbank: Briefbank
) -> None:
    before, names = citations(cited), {path.name for path in folder.iterdir()}
    assert all(before.values())
    assert index_and_kill(folder, cited, lambda _: True) == 12
    assert citations(cited) == before
    assert not_cited(cited) == names
    told = briefbank("check", "--bank", cited).out
    assert all(name in told for name in names)
    assert all(name in briefbank("status", "--bank", cited).out for name in names)

    again = briefbank("index", folder, "--bank", cited, "--quiet", "--json")
    assert again.code == 0
    assert again.json["published"]
    assert not_cited(cited) == set()
    assert citations(cited) == before
    assert "sound" in briefbank("check", "--bank", cited).out


def test_an_index_that_lacks_citations_which_the_cache_holds_is_named_and_mended(
    cited: Path, folder: Path, briefbank: Briefbank
) -> None:
    """As an earlier program left it: stripped, and nobody told."""
    assert briefbank("index", folder, "--bank", cited, "--quiet").code == 0
    before = citations(cited)
    with closing(Cache(Layout(cited).cache_file)) as cache:
        key = cache.keys("notes:")[0]
        notes = cache.get(key, dict)
        assert notes
        full = msgspec.msgpack.decode(msgspec.msgpack.encode(notes))
        notes["citations"]["passages"] = [[] for _ in notes["citations"]["passages"]]
        cache.put(key, notes)
    (folder / "new.txt").write_text("A memo on hearsay that cites nothing.\n", encoding="utf-8")
    assert briefbank("index", folder, "--bank", cited, "--quiet").code == 0
    assert list(citations(cited).values()).count(0) == 2
    with closing(Cache(Layout(cited).cache_file)) as cache:
        cache.put(key, full)
    found = briefbank("check", "--bank", cited)
    assert found.code == 7
    assert "citations, the index holds 0" in found.out

    with closing(Cache(Layout(cited).cache_file)) as cache:
        cache.drop([key])  # as the killed reader left it
    assert briefbank("index", folder, "--bank", cited, "--quiet").code == 0
    assert {name: count for name, count in citations(cited).items() if name != "new.txt"} == before
    assert "sound" in briefbank("check", "--bank", cited).out
