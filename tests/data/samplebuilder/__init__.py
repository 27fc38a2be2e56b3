"""Lays out the sample documents as an office would have filed them; must not know the program that reads them."""
