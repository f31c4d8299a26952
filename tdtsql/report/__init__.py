"""Comparisons and leaderboards as tables, and the way back from the signature of a number (verifying)."""
