"""What the office's own directives say against authorities, out of their text. Must not know banks or indexes."""
