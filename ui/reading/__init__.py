"""Reading: the page beside a list, two briefs side by side, and the panels under results."""
