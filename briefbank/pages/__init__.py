"""Pages as they are looked at: rendered, with their words, and with a passage marked on them.

A page is either as filed (`filed`: the very file that was indexed) or set here from the text that the bank holds
(`typeset`); `maker` decides which, and never shows a changed file under an old citation.
"""
