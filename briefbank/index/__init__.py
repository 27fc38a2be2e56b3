"""One built index of a bank: passages and vectors in LanceDB, words in bm25s, and how both are written and opened."""

MEND_ADVICE = "Have it mended (briefbank check --repair), or go back to the one before (briefbank rollback)."
"""What people can do about an index that is damaged."""
