"""The window. Talks to the bank through `briefbank.bank.remote` alone; imports nothing heavy but Qt."""
