"""How one person likes the window: its scheme, its text, the order of results, how sources are written.

Kept in the person's own settings, beside where the window stood. What an office sets for everybody is in the bank. A
value that is damaged, or that only a newer program knows, counts as its default.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum

from PySide6.QtCore import QSettings

from briefbank.values.records import SortOrder
from briefbank.values.source_format import PRESETS, SourceFormat


class Scheme(StrEnum):
    """Which colours the window wears."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class TextSize(StrEnum):
    """How large the window's text is."""

    SMALL = "small"
    NORMAL = "normal"
    LARGE = "large"
    LARGEST = "largest"

    @property
    def points(self) -> float:
        """The size in points: 13, 14, 15 and 18 pixels where the system shows text at its usual size."""
        return {TextSize.SMALL: 9.75, TextSize.NORMAL: 10.5, TextSize.LARGE: 11.25, TextSize.LARGEST: 13.5}[self]


class SourceStyle(StrEnum):
    """How the source of copied words is written: the name of a ready format."""

    FULL = "full"
    SHORT = "short"
    BLUEBOOK = "bluebook"

    @property
    def source_format(self) -> SourceFormat:
        return SourceFormat(PRESETS[self])


@dataclass(frozen=True, slots=True)
class Preferences:
    """All of them, with their defaults."""

    scheme: Scheme = Scheme.SYSTEM
    text_size: TextSize = TextSize.NORMAL
    order: SortOrder = SortOrder.RECENCY
    source_style: SourceStyle = SourceStyle.FULL


def load() -> Preferences:
    """Return what was chosen."""
    kept, chosen = QSettings(), {}
    for name, default in asdict(Preferences()).items():
        try:
            chosen[name] = type(default)(str(kept.value(_key(name), default)))
        except ValueError:
            continue
    return Preferences(**chosen)


def save(preferences: Preferences) -> None:
    """Keep what was chosen."""
    kept = QSettings()
    for name, chosen in asdict(preferences).items():
        kept.setValue(_key(name), str(chosen))


def _key(name: str) -> str:
    return f"preferences/{name}"
