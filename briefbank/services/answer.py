"""The task boundary of a child process: whatever a call does becomes an answer, and a fault tells no texts."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable

from briefbank.errors import BriefBankError, fault_told
from briefbank.platform.disk import refusal_of
from briefbank.platform.pipes import Sender
from briefbank.services.messages import Answered, Failed

_LOG = logging.getLogger(__name__)


def answer(call: Callable[[], object], sender: Sender) -> None:
    """Make the call and send what becomes of it: the boundary at which any fault becomes an answer."""
    try:
        message: Answered | Failed = Answered(call())
    except BriefBankError as problem:
        message = Failed(_portable(problem))
    except Exception as fault:  # noqa: BLE001 - the task boundary
        message = Failed(fault_of(fault))
    sender.send(message)


def fault_of(fault: Exception) -> BriefBankError:
    """Name what the system refused; log where a fault of this program happened, without its text, which may hold the
    user's, and name it for people.
    """
    if refusal := refusal_of(fault):
        return refusal
    _LOG.error(fault_told(fault))
    advice = "Try again; if it happens again, tell whoever looks after BriefBank."
    return BriefBankError(f"This met a fault of BriefBank itself ({type(fault).__name__}).", advice)


def _portable(problem: BriefBankError) -> BriefBankError:
    """The error itself, if it survives the pipe."""
    try:
        pickle.loads(pickle.dumps(problem))  # noqa: S301 - made a moment ago
    except Exception:  # noqa: BLE001 - whatever its class does when it is made again
        return BriefBankError(problem.message, problem.advice)
    return problem
