"""What is read out of a file changes only together with the version of the step that reads it."""

from __future__ import annotations

import pytest
from golden import VERSIONS, Digests, differences, read_samples, recorded


@pytest.fixture(scope="module")
def found() -> dict[str, Digests]:
    return read_samples()


@pytest.mark.parametrize("step", VERSIONS)
def test_what_is_read_changes_only_with_its_version(found: dict[str, Digests], step: str) -> None:
    where, version = VERSIONS[step]
    how = "then record what is read now: .venv/bin/python tests/golden.py"
    assert recorded(step).is_file(), f"Nothing is recorded for version {version}. If {where} was just raised, {how}"
    changed = list(differences(step, found[step]))
    assert not changed, f"The samples are read otherwise: old banks would keep what they have. Raise {where}, {how}"


def test_every_kind_of_sample_is_held(found: dict[str, Digests]) -> None:
    suffixes = {name.rpartition(".")[2] for name in found["pipeline"]}
    assert {"pdf", "docx", "txt"} <= suffixes
