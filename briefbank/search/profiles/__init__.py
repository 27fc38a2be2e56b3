"""Issue profiles: what an office looks for again and again, kept as a question, samples of good answers and keywords.

`profile` is what a profile holds and its file, `store` the profiles of a bank, `ranking` passages ranked by one.
"""
