"""DuckDB: connections, typed queries of users, quoting, Arrow."""
