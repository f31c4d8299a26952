"""Origin of the columns of ``base``: columns of ``staging``, or files whose rows are loaded directly into ``base``.

The loaders are Python, so this is written by hand, in ``origin.toml``. A test compares it with the
tables: it has every column of every base table, except numbers assigned on loading.
"""

from collections.abc import Iterator

from tdtsql.toml_file import toml_beside

Place = tuple[str, str]  # relation (or a kind of file), column

#: keys that the registry assigns
GIVEN = frozenset(("corpus_no", "condition_no", "run_no", "profile_no"))

_ORIGINS = toml_beside(__file__)
_KINDS, _SHARED = _ORIGINS.pop("kinds"), _ORIGINS.pop("shared")
#: kinds of files whose rows are not staged -> their kind in registry.input_file; of some, which of its rows they are
READ_AS, WHICH = _ORIGINS.pop("read_as"), _ORIGINS.pop("which")
#: (kind of file, the staging table of its rows)
STAGED = [(kind, f"staging.{table}") for table, kinds in _ORIGINS.pop("staged").items() for kind in kinds]


def origins(relation: str, column: str) -> list[Place]:
    """Return the origin of a column of a base table; empty for keys that the registry assigns."""
    if column in GIVEN or relation not in _ORIGINS:
        return []
    columns = _ORIGINS[relation]
    return sorted(dict.fromkeys(_places(columns.get(column, columns.get("*", "")))))


def _places(text: str) -> Iterator[Place]:
    for word in text.split():
        if word in _SHARED:
            yield from _places(_SHARED[word])
        elif word in _KINDS:
            yield _KINDS[word], ""
        else:
            table, column = word.split(".")
            yield f"staging.{table}", column
