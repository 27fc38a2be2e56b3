"""Whose turn it is: one at a time, whoever is waited for first, then in order of coming."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Condition

from briefbank.models.language.port import Priority
from briefbank.platform.progress import CancelToken

_LOOK_S = 0.05


class Turns:
    """A lock that the most urgent of those who wait is given next."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._waiting: list[tuple[Priority, int]] = []
        self._numbers = count()
        self._is_taken = False

    @contextmanager
    def turn(self, priority: Priority, cancel: CancelToken | None = None) -> Iterator[None]:
        """Wait for a turn and hold it.

        Raises:
            CancelledError: it was cancelled while it waited.
        """
        ticket = (priority, next(self._numbers))
        with self._changed:
            heappush(self._waiting, ticket)
            try:
                while self._is_taken or self._waiting[0] != ticket:
                    if cancel:
                        cancel.check()
                    self._changed.wait(_LOOK_S)
            except BaseException:
                self._waiting.remove(ticket)
                heapify(self._waiting)
                self._changed.notify_all()
                raise
            heappop(self._waiting)
            self._is_taken = True
        try:
            yield
        finally:
            with self._changed:
                self._is_taken = False
                self._changed.notify_all()
