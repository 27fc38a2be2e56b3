"""Matters: what people collect, and write from."""
