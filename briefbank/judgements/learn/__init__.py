"""Learning from judgements: what an office said of results changes how its bank ranks, where that is shown to help."""
