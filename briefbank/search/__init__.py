"""From a question to passages: understanding it, finding candidates, ranking them, saying why each was found."""
