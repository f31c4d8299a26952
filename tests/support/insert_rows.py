"""Rows straight into the tables of a store, for tests of views: what a load would write beside them is the default."""

from collections.abc import Callable, Iterable, Mapping

DEFAULTS = {
    "registry.corpus": {"n_story": 0, "content_sha256": ""},
    "registry.condition": {
        "task": "tracking", "judgment_set": 1, "mapping": "majority", "on_topic": "yes", "has_key": 0,
        "is_required": 0, "content_sha256": "",
    },
    "registry.run": {"format": "tidy", "n_row": 0, "content_sha256": ""},
    "registry.profile": {"source": "test"},
    "base.subset": {"subset_no": 0, "subset": "all", "kind": "all"},
    "base.block": {"is_scored": 1},
}  # fmt: skip


def insert_rows(execute: Callable, table: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Insert rows, all of the same columns; ``execute`` is that of an engine or a connection."""
    made = [DEFAULTS.get(table, {}) | row for row in rows]
    if made:
        names = list(made[0])
        values = [[row[name] for row in made] for name in names]
        execute(f"insert into {table} ({', '.join(names)}) select {', '.join('unnest(?)' for _ in names)}", values)
