"""Turns: one at a time, the most urgent first, then in order of coming; a cancelled wait holds up nobody."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from briefbank.errors import CancelledError
from briefbank.models.language.llama import Turns
from briefbank.models.language.port import Priority
from briefbank.platform.progress import CancelToken


@settings(max_examples=10)
@given(st.lists(st.sampled_from(list(Priority)), max_size=6))
def test_the_order_is_by_priority_then_by_coming(priorities: list[Priority]) -> None:
    turns = Turns()
    served: list[tuple[Priority, int]] = []
    threads = []

    def ask(priority: Priority, number: int) -> None:
        with turns.turn(priority):
            served.append((priority, number))

    with turns.turn(Priority.BACKGROUND):
        for number, priority in enumerate(priorities):
            threads.append(threading.Thread(target=ask, args=(priority, number)))
            threads[-1].start()
            while len(turns._waiting) <= number:
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert served == sorted(served)
    assert len(served) == len(priorities)


def test_a_cancelled_wait_lets_the_others_pass() -> None:
    turns = Turns()
    cancel = CancelToken()
    threading.Timer(0.1, cancel.cancel).start()
    with turns.turn(Priority.BACKGROUND), pytest.raises(CancelledError), turns.turn(Priority.WAITED_FOR, cancel):
        pass
    with turns.turn(Priority.BACKGROUND):
        assert not turns._waiting


def test_a_fault_during_a_turn_ends_it() -> None:
    turns = Turns()
    with pytest.raises(LookupError), turns.turn(Priority.BACKGROUND):
        raise LookupError
    with turns.turn(Priority.BACKGROUND):
        pass
