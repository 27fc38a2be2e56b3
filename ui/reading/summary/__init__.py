"""The panel under each result: a generated summary that cannot be mistaken for a source, or the brief's own words."""

from ui.reading.summary.panel import SummaryPanel

__all__ = ["SummaryPanel"]
