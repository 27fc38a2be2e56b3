"""Terms and connectors, as legal research systems have them: reading, explaining and evaluating them."""

from __future__ import annotations

from briefbank.search.connectors.evaluate import Block, Evaluated, Evaluator
from briefbank.search.connectors.explain import explain
from briefbank.search.connectors.parser import parse
from briefbank.search.connectors.syntax import ConnectorsError

__all__ = ["Block", "ConnectorsError", "Evaluated", "Evaluator", "explain", "parse"]
