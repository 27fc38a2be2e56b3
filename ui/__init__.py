"""The window. Talks to the bank through `briefbank.bank.services` alone; imports nothing heavy but Qt."""
