"""Pages as they are looked at: rendered, with their words, and with a passage marked on them."""
