"""The command line: one module per verb, all output through `output`."""
