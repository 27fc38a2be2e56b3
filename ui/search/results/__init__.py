"""The results: a list of cards, the lines above them, and what stands there when there is nothing to list."""
