"""Compute numbers from the base tables: views filtered to runs, stored results, fitted distributions, hierarchies."""
