"""The tables of the feedback log. What is done with its file: `platform.event_log`."""

from __future__ import annotations

from briefbank.platform.event_log.database import LogFormat, refusals

_TABLES = """
CREATE TABLE log (
    one INTEGER PRIMARY KEY CHECK (one = 1), device_id TEXT NOT NULL, made_at TEXT NOT NULL, made_by TEXT NOT NULL
) STRICT;
CREATE TABLE event (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, device_id TEXT NOT NULL, at TEXT NOT NULL, program TEXT NOT NULL
) STRICT;
CREATE TABLE search (
    event_id TEXT PRIMARY KEY REFERENCES event (id),
    text TEXT NOT NULL, parameters TEXT NOT NULL, generation TEXT NOT NULL, took_ms REAL NOT NULL
) STRICT;
CREATE TABLE shown (
    event_id TEXT NOT NULL REFERENCES event (id), search_id TEXT NOT NULL REFERENCES search (event_id),
    position INTEGER NOT NULL CHECK (position >= 1), rank INTEGER NOT NULL CHECK (rank >= 1), score REAL NOT NULL,
    passage_id TEXT NOT NULL, document_id TEXT NOT NULL, text_sha256 TEXT NOT NULL, generation TEXT NOT NULL,
    PRIMARY KEY (search_id, passage_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE judgement (
    event_id TEXT PRIMARY KEY REFERENCES event (id), search_id TEXT NOT NULL, passage_id TEXT NOT NULL,
    is_relevant INTEGER CHECK (is_relevant IN (0, 1)),
    FOREIGN KEY (search_id, passage_id) REFERENCES shown (search_id, passage_id)
) STRICT;
CREATE TABLE rating (
    event_id TEXT PRIMARY KEY REFERENCES event (id), search_id TEXT NOT NULL, passage_id TEXT NOT NULL,
    stars INTEGER CHECK (stars BETWEEN 1 AND 5),
    FOREIGN KEY (search_id, passage_id) REFERENCES shown (search_id, passage_id)
) STRICT;
CREATE TABLE comment (
    event_id TEXT PRIMARY KEY REFERENCES event (id), search_id TEXT NOT NULL REFERENCES search (event_id),
    text TEXT NOT NULL
) STRICT;
CREATE TABLE summary_opened (
    event_id TEXT PRIMARY KEY REFERENCES event (id), search_id TEXT NOT NULL, passage_id TEXT NOT NULL,
    FOREIGN KEY (search_id, passage_id) REFERENCES shown (search_id, passage_id)
) STRICT;
CREATE TABLE saved (
    event_id TEXT PRIMARY KEY REFERENCES event (id), name TEXT NOT NULL, text TEXT, parameters TEXT,
    CHECK ((text IS NULL) = (parameters IS NULL))
) STRICT;
CREATE INDEX search_by_text ON search (text);
"""
# SQLite takes the bare columns of a query with max() from the row that holds the maximum.
_CURRENT = """
CREATE VIEW current_{table} AS
SELECT event.device_id, search.text, json_extract(search.parameters, '$.like_passage') AS like_passage,
       shown.passage_id, shown.document_id, shown.text_sha256, {table}.{value}, {table}.search_id, event.at,
       max(event.seq) AS seq
FROM {table} JOIN event ON event.id = {table}.event_id JOIN search ON search.event_id = {table}.search_id
     JOIN shown ON shown.search_id = {table}.search_id AND shown.passage_id = {table}.passage_id
GROUP BY event.device_id, search.text, like_passage, shown.passage_id, shown.text_sha256;
"""
_VIEWS = (
    _CURRENT.format(table="judgement", value="is_relevant")
    + _CURRENT.format(table="rating", value="stars")
    + """
CREATE VIEW current_comment AS
SELECT event.device_id, comment.search_id, comment.text, event.at, max(event.seq) AS seq
FROM comment JOIN event ON event.id = comment.event_id GROUP BY comment.search_id;
CREATE VIEW current_saved AS
SELECT event.device_id, saved.name, saved.text, saved.parameters, event.at, max(event.seq) AS seq
FROM saved JOIN event ON event.id = saved.event_id GROUP BY event.device_id, saved.name;
"""
)
_TABLE_NAMES = "log event search shown judgement rating comment summary_opened saved".split()

_MODEL = "ALTER TABLE summary_opened ADD COLUMN model TEXT NOT NULL DEFAULT '';"
STEPS: tuple[str, ...] = (_TABLES + _VIEWS + refusals("feedback log", _TABLE_NAMES), _MODEL)
"""Step i brings a log of version i to version i + 1. A released step is never changed."""

FORMAT = LogFormat(
    name="feedback log",
    goes_on="feedback goes on",
    variable="BRIEFBANK_FEEDBACK",
    application_id=0x42424662,  # "BBFb"
    steps=STEPS,
)
