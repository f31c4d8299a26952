"""Hierarchies of clusters: graphs and travel costs (pure: arrays in, numbers out)."""
