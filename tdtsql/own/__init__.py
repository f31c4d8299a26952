"""Metrics of one's own: a definition, checked (`definition`), and kept in a store (`stored`)."""
