"""BriefBank: offline search over the briefs that a public defender office has written."""

__version__ = "0.1.0"
