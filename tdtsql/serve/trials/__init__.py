"""Pages and sections about scored trials."""
