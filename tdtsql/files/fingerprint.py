"""One hash over several things, whatever is in them."""

from tdtsql.definitions.hashes import digest


def fingerprint(*parts: object) -> str:
    """Return the sha256 over the parts, each with its length before it."""
    return digest(map(str, parts))
