"""Kinds of values: the macro that converts a text, and the message on one that is not valid (``kinds.toml``).

The macros are those of ``sql/load/kinds.sql``. They are written out where they are called, so that no connection has to
create them.
"""

import re
from functools import cache
from typing import NamedTuple

from tdtsql.toml_file import toml_beside
from tdtsql.definitions.catalogue import sql_root

_MACRO = re.compile(r"create macro (\w+)\(text\) as\s+(.*?);", re.DOTALL)


class Kind(NamedTuple):
    """A kind of values."""

    macro: str = ""  #: of ``sql/load/kinds.sql``, or SQL of ``text``: the value, NULL if it is not valid
    code: str = ""  #: of a value that is not valid
    wrong: str = ""  #: message; may name {name} and {expected}
    expected: str = ""  #: in words
    advice: str = "Correct the value."
    advice_if_none: str = ""  #: on a text that says that there is none, and on none; empty: the usual one
    type: str = "varchar"  #: of the values
    infinite: str = ""  #: code of an infinite number; empty: it is a value like others
    stored_as: str = "the largest finite number of its sign"  #: an infinite number
    most: str = "1.7976931348623157e308"  #: SQL of that number
    is_number: bool = False  #: a decimal comma is a likely mistake
    takes_nan: bool = False  #: NaN of columns is a wrong value, not a missing one
    is_id: bool = False  #: columns of numbers with fractions are reported once


@cache
def _macros() -> dict[str, str]:
    """Return macro -> its SQL of ``text``, without calls of others."""
    macros: dict[str, str] = {}
    for name, body in _MACRO.findall((sql_root() / "load" / "kinds.sql").read_text(encoding="utf-8")):
        macros[name] = f"({_written(body, macros)})"
    return macros


def _written(sql: str, macros: dict[str, str]) -> str:
    """Return SQL of ``text`` with the macros that it calls written out."""
    return re.sub(r"\b(\w+)\(text\)", lambda found: macros.get(found[1], found[0]), sql)


def written_out(sql: str) -> str:
    """Return SQL with the macros that it calls on a name written out."""
    macros = _macros()
    return re.sub(r"\b(\w+)\((\w+)\)", lambda call: value_sql(*call.groups()) if call[1] in macros else call[0], sql)


def value_sql(macro: str, text: str) -> str:
    """Return SQL of the value of a text (SQL), by a macro or by SQL of ``text``."""
    return re.sub(r"\btext\b", lambda _: text, _macros().get(macro, f"({macro})"))


#: begins the text of a value that is neither text nor a number nor a time: as an id it is invalid
NO_TEXT = "\x1f"


def _read_kinds() -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    for name, own in toml_beside(__file__).items():
        kinds[name] = kinds.get(own.pop("like", ""), Kind())._replace(**own)
    return kinds


#: kinds by name; those that modules refer to
KINDS = _read_kinds()
DECISION, ID, SCORE, TEXT, WRITTEN = (KINDS[name] for name in ("decision", "id", "score", "text", "written"))
