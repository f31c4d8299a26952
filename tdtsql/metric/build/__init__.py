"""What is needed to compile definitions and to write them for other engines, and not to compute numbers."""
