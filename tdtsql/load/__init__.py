"""Files into the store: bundles, corpora, conditions and runs."""
