"""The bank: what can be asked of it, in this process (`local`) or from afar (`services`)."""
