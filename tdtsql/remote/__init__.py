"""Stores in another engine: the copy that lies here, a store in PostgreSQL, a store in Spark, copying and export."""
