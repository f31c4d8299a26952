"""Run a saved query on a store: look up names, bind values, and attach a second store where the query needs one."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import is_zipfile

import duckdb

from tdtsql.audit import archive
from tdtsql.cookbook.saved_query import STORE, Parameter, SavedQuery, with_values
from tdtsql.engine.duckdb import Engine, Relation
from tdtsql.engine.quoting import quoted_path
from tdtsql.errors import InvalidQuery, unknown_name_error
from tdtsql.store import registry
from tdtsql.task import metric_id
from tdtsql.store.opening import open_file

#: schema of the second store in the SQL of a saved query
OTHER = "other"
#: names of what may be named, of types that are not looked up as a column of report.score is
_NAMES = {
    "topic": "select block_id from base.block union select topic_id from base.topic",
    "story": "select story_id from base.story union select id_1 from base.link_pair union select id_2 from "
    "base.link_pair",
}
_COLUMNS = {
    "run": "run_id",
    "condition": "condition_id",
    "profile": "profile_id",
    "metric": "metric",
    "subset": "subset",
    "weighting": "weighting",
}


def ask(engine: Engine, question: SavedQuery, given: Mapping[str, object]) -> Relation:
    """Return the result of a saved query, as a relation.

    Raises:
        UnknownName: the saved query has no such parameter, or the store no such run, condition, ...
        InvalidQuery: a parameter is missing, or its value not of its type.
    """
    values = question.values(given)
    for parameter in question.parameters:
        word = values[parameter.name]
        if parameter.type == "metric" and isinstance(word, str):
            values[parameter.name] = metric_id(word)
        _check_name(engine, parameter, values[parameter.name])
    if "comparison" in question.needs:
        from tdtsql.compare.rows import with_stored  # imported late: most questions need no numpy
        from tdtsql.compare.words import compare_boards

        names = {name: str(values[name]) for name in ("condition", "profile") if values.get(name) is not None}
        compare_boards(engine, names.get("condition"), names.get("profile"))
        question = replace(question, body=with_stored(engine, question.body))
    other = next((values.pop(parameter.name) for parameter in question.parameters if parameter.type == STORE), None)
    if other is None:
        try:
            return engine.relation(question.body, values)
        except duckdb.CatalogException:
            known = engine.rows(
                "select schema_name || '.' || table_name from duckdb_tables() union all "
                "select schema_name || '.' || view_name from duckdb_views()"
            )
            lacking = sorted(set(question.inputs) - {name for [name] in known})
            raise InvalidQuery(
                f"{question.name} reads {', '.join(lacking)}, which the store does not have: it has no condition of "
                f"this task."
            ) from None
    table = engine.unused_name("answer")
    alias = f"{table}_{OTHER}"  # the store's own file may be called other.duckdb
    body = re.sub(rf"\b{OTHER}\.(?=\w+\.\w)", f"{alias}.", question.body)
    with _attached(engine, str(other), alias):
        # copy the rows: a relation would be read after the other store is closed
        engine.execute(f"create temp table {table} as {body}", values)
    return engine.relation(f"select * from {table}")


def as_query(engine: Engine, question: SavedQuery, given: Mapping[str, object]) -> str:
    """Return the SQL of a saved query with literal values, for editing and running again.

    Raises:
        UnknownName, InvalidQuery: as ``ask``; InvalidQuery also where the query attaches another store.
    """
    if question.reads_another_store:
        raise InvalidQuery(f"{question.name} opens another file, which no query can.")
    values = question.values(given)
    for parameter in question.parameters:
        _check_name(engine, parameter, values[parameter.name])
    return with_values(question, values)


def _check_name(engine: Engine, parameter: Parameter, value: object) -> None:
    """Raise UnknownName if a parameter has a value that the store does not have."""
    if value is None:
        return
    if parameter.type in _COLUMNS:
        registry.check_name(engine, _COLUMNS[parameter.type], str(value))
    elif parameter.type in _NAMES and not engine.value(
        f"select count(*) from ({_NAMES[parameter.type]}) as known (name) where name = $1", [value]
    ):
        raise unknown_name_error(parameter.type, str(value), sorted(engine.column(_NAMES[parameter.type])))


@contextmanager
def _attached(engine: Engine, path: str, alias: str) -> Iterator[None]:
    """Attach another store, or the contents of an archive, under a name."""
    if Path(path).exists() and Path(engine.path).exists() and Path(path).samefile(engine.path):
        raise InvalidQuery(f"{path} is this store itself. Name another one, or an archive.")
    with TemporaryDirectory(prefix="tdtsql-") as folder:
        if Path(path).is_file() and is_zipfile(path):
            path = archive.unpack(Path(path), Path(folder) / "archive.duckdb")
        else:
            open_file(path, read_only=True).close()  # explains what is wrong with it
        engine.execute(f"attach {quoted_path(path)} as {alias} (read_only)")
        try:
            yield
        finally:
            engine.execute(f"detach {alias}")
