"""Curves of scored trials: those computed on request, and fast implementations of the views of curves."""
