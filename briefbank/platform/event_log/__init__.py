"""Logs of what people wrote: a SQLite database that is only ever added to, beside a journal that mends it."""
