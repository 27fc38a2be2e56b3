"""The error tree: messages, advice and exit codes."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

from briefbank.errors import BriefBankError, ExitCode, SourceError


def all_errors(root: type[BriefBankError] = BriefBankError) -> Iterator[type[BriefBankError]]:
    yield root
    for child in root.__subclasses__():
        if child.__module__.startswith("briefbank."):
            yield from all_errors(child)


@pytest.mark.parametrize("error", list(all_errors()))
def test_an_error_keeps_its_message_and_advice_between_processes(error: type[BriefBankError]) -> None:
    back = pickle.loads(pickle.dumps(error("It broke.", "Mend it.")))
    assert type(back) is error
    assert (str(back), back.message, back.advice) == ("It broke.", "It broke.", "Mend it.")


def test_each_error_has_a_code_of_its_own() -> None:
    codes = [error.code for error in all_errors() if error is not SourceError]
    assert len(codes) == len(set(codes))


def test_the_exit_codes_are_those_promised() -> None:
    promised = {
        "OK": 0, "OTHER": 1, "USAGE": 2, "SETTINGS": 3, "BANK_MISSING": 4, "IN_USE": 5, "NEWER": 6, "DAMAGED": 7,
        "SOURCE_UNREADABLE": 8, "MODEL": 9, "OCR_MISSING": 10, "NO_SPACE": 11, "SOME_FAILED": 12,
        "DISK": 13, "INTERRUPTED": 130,
    }  # fmt: skip
    assert {code.name: code.value for code in ExitCode} == promised
