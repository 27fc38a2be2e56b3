"""The id and the time that every event of a log bears."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime


def new_id() -> str:
    """Return an id that no other event on any machine has: 32 hexadecimal digits."""
    return uuid.uuid4().hex


def utc_now() -> datetime:
    """Return the time of an event that happens now."""
    return datetime.now(UTC)
