"""The bank: what can be asked of it (`port`), done in this process (`local`) or reached in children (`remote`)."""
