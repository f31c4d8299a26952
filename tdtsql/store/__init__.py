"""The database: its tables and views, the registry, profiles, the ledger."""
