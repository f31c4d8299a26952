"""What the page of a report holds: the data of its script, and the rows of a section."""

import base64
import gzip
import json
import re


def data_of(page: str) -> dict:
    """Return what a page carries for its script."""
    packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', page)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def part_of(page: str, section: str, place: tuple, choice: tuple = ()) -> dict | None:
    """Return what a packed section shows of a condition and profile, under a choice; None where it shows nothing."""
    parts = data_of(page)["sections"].get(section, {"parts": []})["parts"]
    found = [part for part in parts if part["place"] == [*place] and part["choice"][: len(choice)] == [*choice]]
    return found[0] if found else None


def rows_of(page: str, section: str, place: tuple, choice: tuple = ()) -> list[dict]:
    """Return the rows of a table of a packed section, by the heads of its columns."""
    grid = part_of(page, section, place, choice)["grid"]
    return [dict(zip(grid["heads"], row, strict=True)) for row in zip(*grid["rows"], strict=True)]
