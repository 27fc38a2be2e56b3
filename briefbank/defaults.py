"""What a search shows unless somebody says otherwise: how many results, and where weak ones are cut off.

Imports nothing, since values of every room start from it.
"""

from __future__ import annotations

RESULTS_SHOWN = 5
"""How many results a search brings, and how many more each time more are asked for."""

ARGUMENTS_SHOWN = 50
"""How many groups of arguments are listed, and how many more each time more are asked for."""

WEAK_BELOW = 0.22
"""Strength (0 to 1) below which a match is left out as too weak, where the setting `weak_below` says nothing else.
Calibrated on 70 judged defenders' queries on 22 November 2026: docs/evaluation.md, "Weak matches". `search/engine.py`
applies it, `search/retrieve.py` says what strength is.
"""
