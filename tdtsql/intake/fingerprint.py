"""One hash over several things, whatever is in them."""

import hashlib


def fingerprint(*parts: object) -> str:
    """Return the sha256 over the parts, each with its length before it."""
    digest = hashlib.sha256()
    for part in parts:
        data = str(part).encode()
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()
