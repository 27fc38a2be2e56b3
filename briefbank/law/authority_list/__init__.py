"""A list of all authorities, which an office's IT brings: one mapped file that says whether a volume, reporter and page
are in it, and whether under another name or of another year.

Knows reporters, names and single texts; must not know banks or drafts. That a case is not in a list is no proof that
there is none: answers say what the list has, and of when it is.
"""

from __future__ import annotations

from briefbank.law.authority_list.build import build_list
from briefbank.law.authority_list.check import Listing, ListingKind, listings
from briefbank.law.authority_list.listed import AuthorityList, ListHead, first_day

__all__ = ["AuthorityList", "ListHead", "Listing", "ListingKind", "build_list", "first_day", "listings"]
