"""Measuring the search: judged collections, metrics, and one run of the engine over all their queries."""
