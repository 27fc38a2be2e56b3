"""What the bank's briefs argue, grouped."""
