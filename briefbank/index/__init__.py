"""One built index of a bank: passages and vectors in LanceDB, words in bm25s, and how both are written and opened."""
