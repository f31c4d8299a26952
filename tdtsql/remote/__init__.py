"""Stores in another engine: the local copy, a store in PostgreSQL, a store in Spark, copying and export."""
