"""Looks at a folder again and again: shares tell nobody of changes, so that only looking finds them.

Knows neither folder nor bank, only when the next look is due, and after which errors it is worth looking again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from briefbank.errors import BankInUseError, BriefBankError, CancelledError, NoSpaceError, SourceError
from briefbank.platform.progress import CancelToken
from briefbank.values.state import IndexReport

_LOG = logging.getLogger(__name__)
_TRANSIENT = (SourceError, BankInUseError, NoSpaceError)
"""Errors that may be gone at the next look: a share that is away, another program at work, a full disk."""


def watch(
    look: Callable[[], IndexReport],
    every_s: float,
    cancel: CancelToken,
    tell: Callable[[IndexReport | BriefBankError], None],
) -> None:
    """Look now and then every `every_s` seconds, counted from the end of a look, until asked to stop.

    `tell` is given what came of a look, if it is not what came of the one before; of a report's failures and notes,
    those that the report before did not hold.

    Raises:
        BriefBankError: any other error; looking again would not help.
    """
    last: object = None
    known: IndexReport | None = None
    while not cancel.is_cancelled:
        came: IndexReport | BriefBankError
        try:
            came = look()
        except CancelledError:
            return
        except _TRANSIENT as problem:
            came = problem
        news = _news(came)
        _LOG.info("looked at the folder: %s", type(came).__name__)
        if news != last:
            tell(_what_is_new(came, known))
        last = news
        if isinstance(came, IndexReport):
            known = came
        cancel.wait(every_s)


def _what_is_new(came: IndexReport | BriefBankError, known: IndexReport | None) -> IndexReport | BriefBankError:
    if isinstance(came, BriefBankError) or known is None:
        return came
    failures = tuple(each for each in came.failures if each not in known.failures)
    return replace(came, failures=failures, notes=tuple(each for each in came.notes if each not in known.notes))


def _news(came: IndexReport | BriefBankError) -> object:
    """What is new to whoever was told of the look before."""
    if isinstance(came, BriefBankError):
        return came.code, came.message
    return came.generation, came.failures, came.notes
