"""Models of the scores a system gives to on-topic and off-topic stories (pure: arrays in, numbers out)."""
