"""Finds in a text what court rules keep out of public filings: numbers that identify somebody, and what tells of
children, births and homes. How each is written stands in `forms.toml`; dates of birth and addresses are those that an
anonymised export takes out.

Pure functions over text: nothing is changed, kept or logged. Must not know drafts, matters or banks.
"""

from __future__ import annotations

from briefbank.law.identifiers.clients import Client, ClientMention, clients_of, mentions_of
from briefbank.law.identifiers.finder import FORMS, Identifier, IdentifierKind, Rule, identifiers_in, rule_of_court
from briefbank.law.identifiers.masks import hiding, masked

__all__ = [
    "FORMS",
    "Client",
    "ClientMention",
    "Identifier",
    "IdentifierKind",
    "Rule",
    "clients_of",
    "hiding",
    "identifiers_in",
    "masked",
    "mentions_of",
    "rule_of_court",
]
