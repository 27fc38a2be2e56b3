"""Child processes of this program: how they are started, what is said to them and by them, how they end.

A child's bytes are decoded into the types that its call declares and into nothing else, so that one which a hostile
file has taken over can tell its parent wrong values and no more.
"""
