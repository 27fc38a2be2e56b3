"""What people said of results: an append-only log. Must not know the window."""
