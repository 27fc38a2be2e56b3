"""Pages read by olmOCR on a server that IT names, and put back onto the words that Tesseract found on the page."""
