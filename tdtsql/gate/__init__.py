"""A gate for continuous evaluation: is a new run worse than a baseline by more than is allowed, and is that more than
chance.
"""
