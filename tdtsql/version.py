"""The version of this package, its only source: the wheel, signatures and archives read it."""

__version__ = "0.2.0"
