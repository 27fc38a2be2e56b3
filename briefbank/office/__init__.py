"""An office's bank on its way: packs and keys, where a bank came from, checking and mending it."""
