"""Files as they come in: their names and hashes, tidy tables, rows as found."""
