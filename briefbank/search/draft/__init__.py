"""A draft held against the bank: what the office has written on its points, and what in it needs a second look."""
