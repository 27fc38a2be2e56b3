"""The processes that models run in, as tests look for them."""

from __future__ import annotations

from collections.abc import Callable

import psutil

from briefbank.models.language import LanguageModel

Open = Callable[..., LanguageModel]


def children() -> list[psutil.Process]:
    """The processes that models run in."""
    living = (each for each in psutil.Process().children() if each.status() != psutil.STATUS_ZOMBIE)
    return [each for each in living if "briefbank.models.language.child" in each.cmdline()]


def the_child() -> psutil.Process:
    (child,) = children()
    return child
