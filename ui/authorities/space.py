"""The space in which an authority is looked up: the bank's authorities, and the card of one, beside the page.

Everything on a card stands in a brief or in the office's list.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import QWidget

from briefbank.errors import UsageError
from briefbank.values.authorities import AuthoritiesFound, AuthorityCard, CitingBrief
from ui.bottom_bar import BottomBar
from ui.engine import EngineClient, FutureWatcher
from ui.findings.actions import FindingActions
from ui.findings.finding import Finding, of_saying, section
from ui.findings.tree import FindingsTree
from ui.flow import column_of
from ui.plain import PlainLabel, quiet_button
from ui.reading.list_and_page import FilterField, ListAndPage, LoadWhenSeen, status_label
from ui.wording import count, day, problem_text

_MOST_WARNINGS = 3
"""How many treatments stay with words that are copied from a card; the gravest are told first."""
_READ_BY_OCR = "All that is known of it was read by OCR: compare its names and numbers with the page"
_SHOWN_BRIEFS = 25
"""Briefs listed at once; of a leading case there may be hundreds, the rest of which folds."""


def findings_of(card: AuthorityCard) -> tuple[Finding, ...]:
    """Return the lines of a card: what is against the authority first, then what it holds, then who cites it."""
    warnings = warnings_of(card)
    alerts = [Finding(f"⚠ {each}", tone="warning") for each in card.alerts]
    ocr = [Finding(f"⚠ {_READ_BY_OCR}", tone="warning")] if card.is_read_by_ocr else []
    return (
        *ocr,
        *section("Your office warns", alerts, tone="warning"),
        *section("What directives say (no statement of the law)", [of_saying(each) for each in card.directives]),
        *section("How briefs report its treatment", [of_saying(each) for each in card.treatments]),
        *section("What briefs say it holds", [of_saying(each, warnings) for each in card.holdings]),
        *_briefs(card),
    )


def summary_of(card: AuthorityCard) -> str:
    """Return how often an authority is cited, and in which years."""
    if not card.citing:
        return "No brief of this bank cites it."
    times, briefs = count(card.mentions, "time"), count(len(card.citing), "brief")
    cited = f"Cited {times} in {briefs}, {card.full_mentions:,} of these times in full"
    dated = [each.filed for each in card.briefs if each.filed]
    if not dated:
        return f"{cited}."
    oldest = f", oldest {day(min(dated))}" if len(dated) > 1 else ""
    return f"{cited}; newest {day(max(dated))}{oldest}."


def unchecked(card: AuthorityCard) -> str:
    """Return after which day nothing here was checked."""
    if card.last_cited is None:
        return "No brief here is dated. BriefBank checked nothing itself: check what you rely on."
    return (
        f"Nothing here is newer than {day(card.last_cited)}. BriefBank checked nothing itself: check what you rely on."
    )


def warnings_of(card: AuthorityCard) -> tuple[str, ...]:
    """Return what must stay with words that are copied about an authority."""
    grave = [each for gravity in ("stop", "warning") for each in card.treatments if each.severity == gravity]
    reported = (f"A brief says of it: {each.text} ({day(each.document.filed)})" for each in grave[:_MOST_WARNINGS])
    listed = (f"cites {each}" for each in card.alerts)
    return (*listed, *reported, *([_READ_BY_OCR] if card.is_read_by_ocr else ()), unchecked(card))


def _briefs(card: AuthorityCard) -> list[Finding]:
    lines = [_brief(each) for each in card.citing]
    listed, rest = lines[:_SHOWN_BRIEFS], lines[_SHOWN_BRIEFS:]
    if rest:
        listed.append(Finding(f"{len(rest):,} older ones", children=tuple(rest), is_folded=True))
    return section("Briefs that cite it", listed, of_them=len(lines))


def _brief(citing: CitingBrief) -> Finding:
    document, first, last = citing.document, citing.page_first, citing.page_last
    title = document.metadata.title.value
    below = " · ".join(filter(None, (day(document.filed), document.cited_pages(first, last))))
    often = f" · {count(citing.mentions, 'time')}" if citing.mentions > 1 else ""
    return Finding(title, below + often, passage_id=citing.passage_id, places=citing.places)


_ASK = "A citation, a rule, or words of a case’s name; Return shows its card"
_LIST_AFTER_MS = 200
"""How long typing rests before authorities are listed, as for arguments."""
_CHOOSE = "No authority is named just so. Choose one:"
_NONE = "No authority that briefs cite has these words in its name."


class AuthoritySpace(QWidget):
    """Type to list authorities, the most cited first; Return shows the card of one."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        super().__init__()
        self._engine, self._bottom = engine, bottom
        self.tree = FindingsTree("Authorities, or the card of one")
        self.field = FilterField(self.tree, _ASK, self.ask)
        self.status = status_label()
        self.title = PlainLabel(scale=1.2, is_bold=True, wraps=True)
        self.summary = PlainLabel(tone="muted", wraps=True)
        self.copy_card = quiet_button("Copy the whole card", self._on_copy_card, tone="edge")
        self.copy_card.hide()
        self._text = ""
        """Whose card is shown or asked for; empty while authorities are listed."""
        self._asking: FutureWatcher | None = None
        self._refused: tuple[str, Exception] | None = None
        """What was asked for and has no card, and why."""
        self._typing = QTimer(self, singleShot=True, interval=_LIST_AFTER_MS)
        self._typing.timeout.connect(self._list)
        self._lay_out()
        self.findings = FindingActions(engine, bottom, self.tree, self.splitter)
        self.field.textChanged.connect(self._typing.start)
        self.setFocusProxy(self.field)
        self._loading = LoadWhenSeen(engine, self, self.status, self.load)

    @property
    def is_waiting(self) -> bool:
        return self._asking is not None or self._typing.isActive()

    def ask(self, text: str, name: str = "") -> None:
        """Show the card of the authority that a text names, or is a key of; then `name` is how people write it."""
        with QSignalBlocker(self.field):
            self.field.setText(name or text)
        self._text = text
        self.load()

    def load(self) -> None:
        if not self._text:
            self._list()
            return
        self._typing.stop()
        self._drop_asked()
        self._asking = self._engine.ask(self._engine.bank.card(self._text), self._on_card, self._on_failed, parent=self)

    def _list(self) -> None:
        self._typing.stop()
        self._text = ""
        self._drop_asked()
        future = self._engine.bank.authorities(self.field.text().strip())
        self._asking = self._engine.ask(future, self._on_listed, self._on_list_failed, parent=self)

    def _drop_asked(self) -> None:
        if self._asking:
            self._asking.cancel()

    def _on_card(self, card: AuthorityCard) -> None:
        self._asking = None
        self.splitter.forget_page()
        self._show(card.names[0], summary_of(card), unchecked(card) if card.citing else "", findings_of(card))
        if self.isVisible():
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self._bottom.announce(". ".join((self.title.text(), self.summary.text(), *card.alerts)))

    def _on_listed(self, found: AuthoritiesFound) -> None:
        self._asking = None
        self.splitter.forget_page()
        lines = [
            Finding(each.name, f"cited in {count(each.passage_count, 'passage')}", authority=each.key)
            for each in found.authorities
        ]
        said = count(found.found, "authority", "authorities")
        more = f", {len(lines)} listed; type to narrow them" if len(lines) < found.found else ""
        refused, self._refused = self._refused, None
        if refused and found.found == 1 and (only := found.authorities[0]).key != refused[0]:
            self.ask(only.key, only.name)  # there is nothing to choose
            return
        self._show("", _CHOOSE if refused else f"{said}, the most cited first{more}", "", lines)
        if not lines:
            self.summary.hide()
            self.splitter.say_empty(problem_text(refused[1]) if refused else _NONE)
        elif refused and self.isVisible():
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, problem: Exception) -> None:
        """Say why there is no card, or list the authorities that have the words."""
        self._asking = None
        if isinstance(problem, UsageError):
            self._refused = self._text, problem
            self._list()
        else:
            self._on_list_failed(problem)

    def _on_list_failed(self, problem: Exception) -> None:
        self._asking = None
        self._show("", "", "", ())
        self.splitter.say_empty(problem_text(problem))

    def _show(self, title: str, summary: str, status: str, findings: Sequence[Finding]) -> None:
        self.splitter.say_empty("")
        for label, text in ((self.title, title), (self.summary, summary), (self.status, status)):
            label.setText(text)
            label.setVisible(bool(text))
        self.copy_card.setVisible(bool(title))
        self.tree.show_findings(findings)

    def _on_copy_card(self) -> None:
        lines = tuple(self.tree.findings())
        self.findings.copy(
            Finding(self.title.text(), self.summary.text(), cautions=(self.status.text(),), children=lines)
        )

    def _lay_out(self) -> None:
        left = QWidget()
        self.status.setAlignment(Qt.AlignmentFlag.AlignLeft)
        card = (self.title, self.summary, (self.tree, 1), self.status, (self.copy_card, Qt.AlignmentFlag.AlignLeft))
        column_of(self.field, *card, within=left)
        self.splitter = ListAndPage(self._engine, self._bottom, left, self.tree, name="authorities")
        self.page, self.empty = self.splitter.page, self.splitter.empty
        column_of(self.splitter, within=self)
