"""Names that others chose, as they are shown."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.platform.showing import escaped, json_escaped


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("State v. Peña – “brief”.pdf", "State v. Peña – “brief”.pdf"),
        ("протокол 証言.pdf", "протокол 証言.pdf"),  # a name in another script
        ("a\nIndexed 0 files.pdf", "a\\x0aIndexed 0 files.pdf"),
        ("a\x1b[2Jb\x9b.pdf", "a\\x1b[2Jb\\x9b.pdf"),
        ("brief\u202efdp.exe", "brief\\u202efdp.exe"),
        ("a\udcff.pdf", "a\\xff.pdf"),
    ],
)
def test_what_could_disguise_a_name_is_written_out(name: str, shown: str) -> None:
    assert escaped(name) == shown


@given(st.text(st.characters(), max_size=40))
def test_nothing_shown_moves_breaks_or_turns_its_line(name: str) -> None:
    shown = escaped(name)
    assert len(shown.splitlines()) <= 1
    assert not any(each in shown for each in "\x1b\x7f\u200e\u200f\u202a\u202e\u2066\u2069")
    shown.encode()


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_a_json_document_keeps_its_values(name: str) -> None:
    document = json_escaped(json.dumps({"path": name}, ensure_ascii=False, indent=2))
    assert json.loads(document) == {"path": name}
    assert not any(each in document for each in "\x1b\x7f\u202e\u2066")
