"""The page beside the results: a passage where it stands on the page as filed, to be read, searched and copied."""

from ui.reading.page.panel import PagePanel

__all__ = ["PagePanel"]
