"""Cluster maps for the HTML report and the web UI."""
