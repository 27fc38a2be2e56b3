"""What every room stands on: files, locks, the layout of a bank, settings, progress, child processes."""
