"""The append-only file of checksummed lines: what it keeps, what it notices, and what a refused write leaves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program import ROOT
from systems import is_private

from briefbank.platform.journal import BadLine, Journal, Record, record_of

RECORDS = [Record(0, b'{"kind":"test"}'), Record(1, '{"text":"§ 7 “the stop”"}'.encode()), Record(2, b"{}")]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "matters.journal.jsonl")


def test_what_is_appended_is_read_in_its_order(journal: Journal) -> None:
    assert list(journal.read()) == []
    journal.append(RECORDS[:1])
    Journal(journal.path).append(RECORDS[1:])
    assert list(journal.read()) == RECORDS
    assert is_private(journal.path)


def test_replacing_leaves_the_new_records_alone(journal: Journal) -> None:
    journal.append(RECORDS)
    journal.replace(RECORDS[:2])
    assert list(journal.read()) == RECORDS[:2]
    assert list(journal.path.parent.iterdir()) == [journal.path]


def test_every_changed_byte_of_a_line_is_noticed_and_costs_that_line_alone(journal: Journal) -> None:
    journal.append(RECORDS)
    whole = journal.path.read_bytes()
    starts = [0, *(place + 1 for place, byte in enumerate(whole) if byte == 0x0A)]
    for place in range(starts[1], starts[2] - 1):
        for bit in range(8):
            data = bytearray(whole)
            data[place] ^= 1 << bit
            journal.path.write_bytes(data)
            told = list(journal.read())
            assert told[0] == RECORDS[0]
            assert told[-1] == RECORDS[2]
            assert all(isinstance(each, BadLine) and not each.is_cut_off for each in told[1:-1])


def test_a_line_cut_off_is_told_as_such_and_does_not_spoil_the_next(journal: Journal) -> None:
    journal.append(RECORDS[:2])
    journal.path.write_bytes(journal.path.read_bytes()[:-3])
    assert list(journal.read()) == [RECORDS[0], BadLine(2, is_cut_off=True)]
    journal.append(RECORDS[2:])
    assert list(journal.read()) == [RECORDS[0], BadLine(2, is_cut_off=False), RECORDS[2]]


@given(st.binary())
def test_no_line_that_was_not_written_is_taken_for_a_record(line: bytes) -> None:
    assert record_of(line) is None


PROGRAM = """
import resource, signal, sys
from pathlib import Path
from briefbank.platform.journal import Journal, Record
journal = Journal(Path(sys.argv[1]))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
journal.append([Record(1, b'"small"')])
try:
    journal.append([Record(2, b'"' + b"x" * 8000 + b'"')])
except OSError as error:
    print(error.filename)
journal.append([Record(3, b'"small again"')])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_record_that_the_disk_takes_only_half_of_leaves_nothing(journal: Journal) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(journal.path)], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == str(journal.path)
    assert list(journal.read()) == [Record(1, b'"small"'), Record(3, b'"small again"')]
