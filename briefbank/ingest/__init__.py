"""From files to passages: discover, read, OCR, structure, metadata, segment, encode."""
