"""What is asked of scored trials beyond their numbers."""
