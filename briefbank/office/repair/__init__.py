"""Is a bank what it was when it was written, and if not, what can be made again? Found by `check`, done by `mend`."""
