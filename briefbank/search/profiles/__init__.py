"""Issue profiles: what an office looks for again and again, kept as a question, samples of good answers and keywords.

`profile` is what a profile holds, its file and where profiles lie, `ranking` passages ranked by one.
"""
