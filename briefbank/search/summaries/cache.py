"""Summaries that were written, in one SQLite file of the bank, kept as the model wrote them. Knows no model.

They are checked again whenever they are shown, so that nothing in this file is trusted and a better check serves old
summaries too. All of it can be written again: a damaged file is put aside. Each call opens the file and closes it, so
that it can travel and be replaced.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from briefbank.models.language.port import read_prompt
from briefbank.platform.compressed import compress, decompress
from briefbank.platform.files import put_aside, touch_private
from briefbank.search.summaries.write import Sentence
from briefbank.values.records import Passage

_LOG = logging.getLogger(__name__)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS summary (
    passage_id TEXT NOT NULL,
    text_sha256 TEXT NOT NULL,
    model_sha256 TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    document_id TEXT NOT NULL,
    model_name TEXT NOT NULL,
    written_on TEXT NOT NULL,
    item BLOB NOT NULL,
    PRIMARY KEY (passage_id, text_sha256, model_sha256, prompt_version)
) STRICT, WITHOUT ROWID;
"""
_WAIT_S = 10.0


def prompt_version() -> str:
    """The version of all that a summary is asked for with."""
    return ".".join(read_prompt(name).version for name in ("summary", "summary_missed"))


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary as it was written: by which model, on which ISO date, from which passages, in its words."""

    model_name: str
    model_sha256: str
    written_on: str
    sentences: tuple[Sentence, ...]
    excerpt_ids: tuple[str, ...]
    left_out: int


class SummaryCache:
    """The summaries of one bank, under passage, its text, model and version of the prompt."""

    def __init__(self, path: Path, prompt_version: str) -> None:
        self.path = path
        self._prompt_version = prompt_version

    def get(self, passage: Passage, model_sha256: str = "") -> Summary | None:
        """Return the summary that this model wrote, else the newest that another one did; None where there is none."""
        statement = (
            "SELECT item FROM summary WHERE passage_id = ? AND text_sha256 = ? AND prompt_version = ?"
            " ORDER BY model_sha256 = ? DESC, written_on DESC, model_sha256 LIMIT 1"
        )
        rows = self._read(statement, (passage.id, _text_sha256(passage), self._prompt_version, model_sha256))
        return _decoded(rows[0][0]) if rows else None

    def holds(self, passage: Passage, model_sha256: str) -> bool:
        """Whether this very model has summarised the passage."""
        statement = (
            "SELECT 1 FROM summary WHERE passage_id = ? AND text_sha256 = ? AND prompt_version = ? AND model_sha256 = ?"
        )
        return bool(self._read(statement, (passage.id, _text_sha256(passage), self._prompt_version, model_sha256)))

    def newest_model(self) -> tuple[str, str] | None:
        """The name of the model that wrote last, and when; None where nothing was written."""
        statement = (
            "SELECT model_name, written_on FROM summary WHERE prompt_version = ? ORDER BY written_on DESC LIMIT 1"
        )
        rows = self._read(statement, (self._prompt_version,))
        return (str(rows[0][0]), str(rows[0][1])) if rows else None

    def put(self, passage: Passage, summary: Summary) -> None:
        """Keep a summary.

        Raises:
            sqlite3.OperationalError: the disk is full, or the bank cannot be written to.
        """
        item = compress(msgspec.msgpack.encode(summary))
        key = (passage.id, _text_sha256(passage), summary.model_sha256, self._prompt_version)
        row = (*key, passage.document_id, summary.model_name, summary.written_on, item)
        statement = "INSERT OR REPLACE INTO summary VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        try:
            self._write(statement, row)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            _LOG.warning("the file of summaries is damaged and was put aside")
            put_aside(self.path)
            self._write(statement, row)

    def keep_only(self, document_ids: Collection[str]) -> None:
        """Drop the summaries of all other documents, so that no text stays of files that left the bank."""
        for (document_id,) in self._read("SELECT DISTINCT document_id FROM summary", ()):
            if document_id not in document_ids:
                self._write("DELETE FROM summary WHERE document_id = ?", (document_id,))

    def _read(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        if not self.path.is_file():
            return []
        try:
            with closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True, timeout=_WAIT_S)) as db:
                return db.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:  # the next summary that is written puts a damaged file aside
            _LOG.warning("summaries cannot be read: %s", type(error).__name__)
            return []

    def _write(self, statement: str, values: Sequence[object]) -> None:
        if not self.path.exists():
            touch_private(self.path)
        with closing(sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None)) as db:
            db.execute("PRAGMA secure_delete=ON")
            db.executescript(_SCHEMA)
            db.execute(statement, values)


def _decoded(item: bytes) -> Summary | None:
    try:
        return msgspec.msgpack.decode(decompress(item), type=Summary)
    except ValueError:
        return None


def _text_sha256(passage: Passage) -> str:
    return hashlib.sha256(passage.text.encode()).hexdigest()
