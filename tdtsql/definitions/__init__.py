"""Definitions in SQL files: headers, macros, catalogue, lock; created and verified in a store."""
