"""User-defined metrics: a checked definition (`definition`), stored in a store (`stored`)."""
