"""The window. Talks to the bank through `briefbank.services` alone; imports nothing heavy but Qt."""
