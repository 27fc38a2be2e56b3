"""An evaluation as one page to look at: `content` gathers its figures, `plots` draws them, `write` makes the file."""
