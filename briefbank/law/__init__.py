"""What is legal about text: citations, a sentence held against its source, names and what hides them."""
