"""Analyses of scored trials in addition to their metrics."""
