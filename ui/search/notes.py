"""The lines above the results: how many, what was left out, and how the question was read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from briefbank.values.records import SearchResult
from ui.flow import FlowLayout, column_of
from ui.plain import PlainLabel, button_text, set_tool_tip
from ui.search.card_parts import WrappedButton
from ui.shortcuts import IN_A_SEARCH, key
from ui.theme import UNIT_PX, font
from ui.wording import corrected_words, correction_switch, count

_SMALL = 0.9
_NO_EXACT = "No passage has all these words. Closest in meaning:"
"""Stands over results without bands alone: the heading of a band says how near they are."""


class Notes(QWidget):
    """What a search left out, each with the button that brings it back."""

    def __init__(self, commands: Mapping[str, Callable[[], object]]) -> None:
        """Begin empty; `commands` are those of a search, by the names of their keys."""
        super().__init__()
        self._searched_for = PlainLabel(scale=_SMALL)
        self.corrected = PlainLabel(scale=_SMALL, is_bold=True)
        self.correction = _link("as-typed", commands)
        self.card = _link("card", commands)
        self.explanation, self.order = (PlainLabel(scale=_SMALL, wraps=True) for _ in range(2))
        self.no_exact = PlainLabel(_NO_EXACT, wraps=True, is_bold=True)
        self.counts = PlainLabel(scale=_SMALL)
        self.tables = _link("tables", commands)
        self.weak = _link("weak", commands)
        left_out = FlowLayout(spacing_px=UNIT_PX // 2, between_px=UNIT_PX // 2)
        for each in (self.counts, self.tables, self.weak):
            left_out.add_group(each)
        spelling = FlowLayout(spacing_px=UNIT_PX // 2, between_px=UNIT_PX // 2)
        spelling.add_group(self._searched_for, self.corrected)
        spelling.add_group(self.correction)
        rows = ((self.card, Qt.AlignmentFlag.AlignLeft), self.explanation, self.no_exact, self.order)
        column_of(spelling, *rows, left_out, within=self, spacing_px=2, margins_px=(2, 0, 0, 0))

    def show_result(self, result: SearchResult, shown: int) -> None:
        """Tell of one search of which `shown` briefs stand below."""
        asked = result.query
        self._show_correction(corrected_words(result), correction_switch(result))
        _say(self.card, f"What briefs report of {result.authority}: its card", is_shown=bool(result.authority))
        said = "\n".join(part for part in (result.explanation, *result.notices) if part)
        self.explanation.setText(said)
        self.explanation.setVisible(bool(said))
        is_near = not any(each.band for each in result.hits) and not result.has_exact
        self.no_exact.setVisible(bool(result.hits) and is_near and bool(asked.text))
        passages = count(max(result.found, shown), "passage")
        self.counts.setText(f"{count(shown, 'brief')} shown · {passages}")
        self.counts.setVisible(bool(shown))
        left_out = [f"{result.hidden_count:,} hidden"] if result.hidden_count else []
        left_out += [f"{result.lowered_count:,} ranked lower"] if result.lowered_count else []
        _offer(self.tables, ", ".join(left_out), "Tables shown, facts ranked alike", is_on=asked.include_hidden)
        weak = count(result.weak_count, "weaker passage") if result.weak_count else ""
        _offer(self.weak, weak, "Weaker ones shown", is_on=asked.include_weak)

    def show_order(self, text: str) -> None:
        """Tell what people should know of the order of the results (`bands.order_notice`)."""
        self.order.setText(text)
        self.order.setVisible(bool(text))

    def _show_correction(self, words: str, switch: str) -> None:
        self.corrected.setText(words)
        self.corrected.setVisible(bool(words))
        self._searched_for.setText("Searched for" if words else "Searched as typed.")
        self._searched_for.setVisible(bool(switch))
        _say(self.correction, switch, is_shown=bool(switch))


def _link(name: str, commands: Mapping[str, Callable[[], object]]) -> QToolButton:
    made = WrappedButton()
    made.setFont(font(scale=_SMALL))
    set_tool_tip(made, key(name, IN_A_SEARCH).tip)
    made.setProperty("tone", "link")
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    made.clicked.connect(lambda _checked: commands[name]())
    return made


def _offer(button: QToolButton, left_out: str, restored: str, *, is_on: bool) -> None:
    """Say on the button what is left out and that it can be shown, or that it is shown."""
    text = f"{restored}: undo" if is_on else f"{left_out}: show"
    _say(button, text, is_shown=is_on or bool(left_out))


def _say(button: QToolButton, text: str, *, is_shown: bool) -> None:
    button.setText(button_text(text))
    button.setAccessibleName(text)
    button.setVisible(is_shown)
