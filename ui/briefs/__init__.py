"""The table of all briefs."""
