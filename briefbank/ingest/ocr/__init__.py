"""OCR of single pages, engine by engine; every engine takes a file and a page number and gives a `Page`."""
