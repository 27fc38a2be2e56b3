"""Terms and connectors, as legal research systems have them: recognising, reading, explaining and evaluating them."""

from __future__ import annotations

from briefbank.search.connectors.detect import is_connectors
from briefbank.search.connectors.evaluate import Evaluator
from briefbank.search.connectors.explain import explain
from briefbank.search.connectors.parser import parse
from briefbank.search.connectors.syntax import ConnectorsError

__all__ = ["ConnectorsError", "Evaluator", "explain", "is_connectors", "parse"]
