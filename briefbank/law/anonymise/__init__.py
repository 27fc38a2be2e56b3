"""Finds and replaces what tells who people are, and leaves legal citations as they are.

Pure functions over texts; must not know feedback, banks or files other than its own word lists.
"""

from __future__ import annotations

from briefbank.law.anonymise.anonymiser import Anonymiser, Findings, find_personal
from briefbank.law.anonymise.forms import Kind, PersonalSpan
from briefbank.law.anonymise.review import Approval, read_review, review_table

__all__ = ["Anonymiser", "Approval", "Findings", "Kind", "PersonalSpan", "find_personal", "read_review", "review_table"]
