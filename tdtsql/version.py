"""The version of this package, as it stands in signatures and archives."""

__version__ = "0.2.0.dev0"
