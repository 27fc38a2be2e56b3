"""A draft held against the bank."""
