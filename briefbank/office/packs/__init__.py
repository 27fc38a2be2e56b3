"""Packs: one verified file that carries a bank's index to a laptop. Written by `write`, installed by `install`."""
