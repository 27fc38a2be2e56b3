"""What people collect and write from: passages with their sources, notes and headings of their own, in an order."""
