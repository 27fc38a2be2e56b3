"""What this program is made of: versions for whoever looks into a fault, licences for whoever asks.

Everything is read from the installed packages' metadata; none of them is imported for it.
"""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageMetadata, PackageNotFoundError, distribution, requires

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from briefbank import __version__
from ui.flow import column_of
from ui.plain import PlainLabel, set_tool_tip
from ui.theme import UNIT_PX

_PROGRAM = "briefbank"
_COLUMNS = ("Part", "Version", "Licence")
_WHAT = (
    "Finds what your office has already argued. Works without any network; nothing you ask or read leaves this "
    "computer.\n\nBriefBank is free software under the GNU Affero General Public License, version 3 or later. It "
    "comes without any warranty. Choose a part below to read its licence."
)


@dataclass(frozen=True, slots=True)
class ProgramPart:
    """A library the program is built on, or the program itself."""

    name: str
    version: str
    licence: str


def parts() -> list[ProgramPart]:
    """Return the program, what it runs on, and those of its libraries that are installed, by name."""
    own = [
        ProgramPart("BriefBank", __version__, _licence(_PROGRAM)),
        ProgramPart("Python", platform.python_version(), "PSF-2.0"),
        ProgramPart("Qt", qVersion(), "LGPL-3.0-only"),
    ]
    libraries = {name: _part(name) for name in _required()}
    return own + [part for _, part in sorted(libraries.items()) if part]


def licence_text(name: str) -> str:
    """Return the licence that a part brings along, or a sentence where it brings none."""
    known = _distribution(_PROGRAM if name == "BriefBank" else name)
    files = (known.files or []) if known else []
    texts = [file.read_text(encoding="utf-8") for file in files if re.match(r"(?i)licen[cs]e|copying", file.name)]
    return "\n\n".join(texts) or f"{name} brings no licence text of its own; the table names its licence."


class AboutDialog(QDialog):
    """Shows versions and licences, to be copied into a report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About BriefBank")
        self._parts = parts()
        title = PlainLabel(f"BriefBank {__version__}", scale=1.3, is_bold=True)
        what = PlainLabel(_WHAT, wraps=True)
        self._table = _table(self._parts)
        self._licence = QPlainTextEdit()
        self._licence.setReadOnly(True)
        self._licence.setTabChangesFocus(True)
        self._licence.setAccessibleName("Licence of the chosen part")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy versions", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(self._on_copy_clicked)
        buttons.rejected.connect(self.reject)
        self._table.currentCellChanged.connect(
            lambda row: self._licence.setPlainText(licence_text(self._parts[row].name))
        )
        self._table.setCurrentCell(0, 0)
        column_of(title, what, (self._table, 1), (self._licence, 1), buttons, within=self, margins_px=None)
        self.resize(80 * UNIT_PX, 76 * UNIT_PX)

    def _on_copy_clicked(self) -> None:
        lines = [f"{part.name} {part.version}" for part in self._parts]
        QGuiApplication.clipboard().setText("\n".join([*lines, platform.platform()]))


def _table(parts: list[ProgramPart]) -> QTableWidget:
    table = QTableWidget(len(parts), len(_COLUMNS))
    table.setHorizontalHeaderLabels(_COLUMNS)
    table.verticalHeader().hide()
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setAccessibleName("Parts of BriefBank")
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    for row, part in enumerate(parts):
        for column, text in enumerate((part.name, part.version, part.licence)):
            item = QTableWidgetItem(text)
            set_tool_tip(item, text)
            table.setItem(row, column, item)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(len(_COLUMNS) - 1, QHeaderView.ResizeMode.Stretch)
    return table


def _required() -> set[str]:
    """The names of the libraries that the program, or indexing with it, asks for."""
    try:
        asked = requires(_PROGRAM) or []
    except PackageNotFoundError:
        return set()
    return {re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in asked if not re.search(r"extra == .dev", each)}


def _part(name: str) -> ProgramPart | None:
    known = _distribution(name)
    return ProgramPart(known.name, known.version, _licence(name)) if known else None


def _licence(name: str) -> str:
    """The licence as the package's metadata names it: by expression, by classifier, or in a few words."""
    known = _distribution(name)
    if not known:
        return ""
    metadata = known.metadata
    classifiers = [
        each.rpartition(" :: ")[2] for each in metadata.get_all("Classifier", []) if each.startswith("License")
    ]
    return (
        _field(metadata, "License-Expression")
        or ", ".join(classifiers)
        or _field(metadata, "License").partition("\n")[0]
    )


def _field(metadata: PackageMetadata, name: str) -> str:
    return metadata[name] if name in metadata else ""  # noqa: SIM401 - it has no `get`


def _distribution(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None
