"""What is loaded: bundles, corpora, conditions, runs."""
