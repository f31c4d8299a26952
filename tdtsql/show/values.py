"""Values as people read them, and as LaTeX and Markdown show them unchanged. Ids are untrusted: control characters are
escaped (``\\x1b``), and special characters too.
"""

import math
import re

from tdtsql.toml_file import toml_beside
from tdtsql.errors import escape_control

#: decimals of numbers that people read
DECIMALS = 4
UNDEFINED = "–"
#: marks of baselines, as LaTeX names them
SIGNS = {"dagger": "†", "ddagger": "‡", "S": "§", "P": "¶"}


_SPECIAL: dict[str, str] = toml_beside(__file__)
#: between two letters of which LaTeX makes one
_LIGATURE = re.compile(r"(?<=[-'`,])(?=[-'`,])")
#: markup of markdown (cells, code, links, HTML, emphasis) and its escape
_MARKDOWN = re.compile(r"[\\|`<\[$&]|\*(?=.*\*)|\b_|_\b")


def in_words(value: object) -> str:
    """Return a value other than a double as a text: booleans, bytes and intervals as DuckDB writes them."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return "".join(chr(one) if 32 <= one < 127 and one != 92 else f"\\x{one:02X}" for one in value)
    return str(value)


def fixed(value: float | None, decimals: int = DECIMALS, *, signed: bool = False) -> str:
    """Return a number with fixed decimals; a dash where it is undefined, powers of ten where it is tiny or huge."""
    if value is None or math.isnan(value):
        return UNDEFINED
    sign = "+" if signed else ""
    if math.isinf(value) or value and (abs(value) < 0.5 * 10.0**-decimals or abs(value) >= 1e9):
        return f"{value:{sign}.2e}" if math.isfinite(value) else f"{value:{sign}}"
    return f"{value:{sign}.{decimals}f}"


def escape_latex(text: str) -> str:
    """Return ``text`` so that LaTeX sets it as it is."""
    return "".join(_SPECIAL.get(letter, letter) for letter in _LIGATURE.sub("\0", escape_control(text)))


def escape_markdown(text: str) -> str:
    """Return ``text`` so that a cell of a markdown table shows it as it is: no cell, code, link or HTML begins in
    it.
    """
    return _MARKDOWN.sub(r"\\\g<0>", escape_control(text))
