"""Files into the store: corpora, conditions and runs."""
