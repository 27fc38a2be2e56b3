"""What people say of results, and what is made of it: the log, evaluation, learning, made-up questions."""
