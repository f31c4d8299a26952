"""Clusterings as people look at them: who flows where, for the page and for the desk."""
