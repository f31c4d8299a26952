"""Models of the scores of on-topic and off-topic stories (pure: arrays in, numbers out)."""
