"""The window. Talks to the bank through `briefbank.remote` alone; imports nothing heavy but Qt."""
