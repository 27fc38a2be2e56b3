"""A brief gone through with a checklist."""
