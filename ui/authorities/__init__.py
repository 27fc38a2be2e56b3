"""What is known of an authority."""
