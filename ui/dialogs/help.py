"""The guide inside the program: the same text as `docs/using.md` and `docs/query-syntax.md`, a section at a time."""

from __future__ import annotations

import re
from importlib.resources import files

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QTextBrowser, QWidget

from ui.theme import UNIT_PX, font

_GUIDE = "using.md"
_SYNTAX = "query-syntax.md"


def sections() -> list[tuple[str, str]]:
    """Return the sections of the guide in order: heading and Markdown."""
    pages = re.split(r"(?m)^(?=## )", _text(_GUIDE))[1:]
    pages.append(_text(_SYNTAX))
    return [(page.partition("\n")[0].lstrip("# "), page) for page in pages]


class HelpDialog(QDialog):
    """Lists the sections and shows one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("BriefBank help")
        self._sections = sections()
        self._list = QListWidget()
        self._list.setAccessibleName("Sections of the help")
        self._list.addItems([heading for heading, _ in self._sections])
        self._list.setSpacing(UNIT_PX // 4)
        self._list.setFixedWidth(self._list.sizeHintForColumn(0) + 3 * UNIT_PX)  # no heading is cut off
        self._page = QTextBrowser()
        self._page.setFont(font(scale=1.1))
        self._page.setOpenLinks(False)
        self._page.setAccessibleName("Help")
        self._page.document().setDocumentMargin(2 * UNIT_PX)
        self._list.currentRowChanged.connect(self._on_row_changed)
        self._page.anchorClicked.connect(self._on_link_clicked)
        whole = QHBoxLayout(self)
        whole.addWidget(self._list)
        whole.addWidget(self._page, 1)
        self.resize(130 * UNIT_PX, 84 * UNIT_PX)
        self._list.setCurrentRow(0)

    def _on_row_changed(self, row: int) -> None:
        heading, text = self._sections[row]
        self._page.setMarkdown(text)
        self._page.setAccessibleName(heading)

    def _on_link_clicked(self, link: QUrl) -> None:
        if link.path() == _SYNTAX:
            self._list.setCurrentRow(len(self._sections) - 1)


def _text(name: str) -> str:
    return files("ui").joinpath("help", name).read_text(encoding="utf-8")
