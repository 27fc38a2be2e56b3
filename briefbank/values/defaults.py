"""What a search shows unless somebody says otherwise: how many results, and where weak ones are cut off.

Imports nothing, since values of every room start from it.
"""

from __future__ import annotations

RESULTS_SHOWN = 5
"""How many results a search brings, and how many more each time more are asked for: briefs in the window, passages on
the command line.
"""

PASSAGES_FETCHED = 30
"""How many passages the window fetches at a time, to show the best `RESULTS_SHOWN` briefs among them with their other
passages. Of 40 questions to 107 briefs, 4 found five briefs among 5 passages, 29 among 20, 35 among 30, 37 among 40;
each ten more took some 8 ms.
"""

ARGUMENTS_SHOWN = 50
"""How many groups of arguments are listed, and how many more each time more are asked for."""

WEAK_BELOW = 0.22
"""Strength (0 to 1) below which a match is left out as too weak, where the setting `weak_below` says nothing else.
Calibrated on 70 judged defenders' queries on 22 November 2026: docs/evaluation.md, "Weak matches". `search/rank.py`
says what strength is, and applies it.
"""

MOST_GRADED = 50
"""How many of the best results a model may be set to put in order."""

AUTHORITIES_SHOWN = 50
"""Authorities listed at once, the most cited first. Chosen: some screens; typing narrows them sooner than scrolling."""
NEWS_MOST = 100
"""New passages of what is followed that are counted and shown."""
