"""Finds and replaces what tells who people are, and leaves legal citations as they are.

Pure functions over texts; must not know feedback, banks or files other than its own word lists.
"""

from __future__ import annotations

from briefbank.anonymise.anonymiser import Anonymiser
from briefbank.anonymise.finder import Findings, find_personal
from briefbank.anonymise.review import Approval, read_review, review_table
from briefbank.anonymise.values import Found, Kind

__all__ = ["Anonymiser", "Approval", "Findings", "Found", "Kind", "find_personal", "read_review", "review_table"]
