"""The space of searching: the bar, the filters, what is asked in the background, and the results."""
