"""The engine's parse tree of SQL text, and what of it a text from outside may have.

Typed SQL, user-defined metrics and the views of task packages in a store or an archive are all checked on this
tree: the allow-lists are here, so that a kind of node, of table or of function that a later engine adds is refused
everywhere until it is added.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import duckdb

from tdtsql.engine.memory import rows_in_memory
from tdtsql.errors import InvalidQuery

#: a node of a tree, as JSON has it
Node = dict[str, Any]

#: query nodes that read; an INSERT, UPDATE or DELETE in a CTE is another
READING_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})

#: table functions that read the catalog, or nothing but their arguments; others open files, change settings or run what
#: they are given
TABLE_FUNCTIONS = frozenset(
    """
    range generate_series unnest repeat repeat_row json_each json_tree summary icu_calendar_names pg_timezone_names
    pragma_collations
    pragma_database_size pragma_platform pragma_show pragma_storage_info pragma_table_info pragma_user_agent
    pragma_version
    duckdb_columns duckdb_constraints duckdb_databases duckdb_dependencies duckdb_extensions duckdb_functions
    duckdb_indexes duckdb_keywords
    duckdb_memory duckdb_optimizers duckdb_prepared_statements duckdb_schemas duckdb_sequences
    duckdb_tables
    duckdb_temporary_files duckdb_types duckdb_variables duckdb_views
""".split()
)

#: functions that change state which later statements see, or show the settings of the engine
STATE_FUNCTIONS = frozenset({"nextval", "setval", "write_log", "current_setting"})

#: deterministic functions that do not depend on the order of rows, which user-defined metrics may call; a test compares
#: them with the engine
PURE_FUNCTIONS = frozenset(
    """
    abs acos asin atan atan2 bit_and bit_or bit_xor bool_and bool_or cbrt ceil ceiling coalesce concat concat_ws
    contains cos cot count count_star date_diff date_part date_trunc decimal degrees dense_rank epoch even exp factorial
    floor gamma gcd greatest ifnull instr isfinite isinf isnan lag lcm lead least left length levenshtein lgamma ln
    log log10 log2 lower lpad ltrim max median min mod nullif pow power quantile_cont quantile_disc radians rank
    replace reverse right round row_number rpad rtrim sign sin sqrt starts_with strlen substr substring sum tan tanh
    trim trunc upper year
    """.split()
)
#: functions that the parser writes for syntax: lists, rows, LIKE, intervals
SYNTAX_FUNCTIONS = frozenset(
    """
    list_value list_apply list_filter row struct_pack like_escape ilike_escape not_like_escape not_ilike_escape
    to_years to_months to_days to_hours to_minutes to_seconds to_milliseconds to_microseconds
    """.split()
)

#: location of a node that is not in the text
NOWHERE = 2**64 - 1

#: characters of a table name that make the engine read it as a file or a web address
_FILE_LETTERS = re.compile(r"[./\\:*?\[]")
#: what the engine takes for the end of a file's name, in ``data.csv`` too, where no schema has such a relation
_FILE_ENDINGS = frozenset("csv tsv txt parquet json jsonl ndjson geojson gz zst xlsx db duckdb".split())


class Unparsed(InvalidQuery):
    """A text is not one SELECT."""

    def __init__(self, message: str, at: int = 0):
        super().__init__(message)
        self.at = at  #: byte of the text at which the parser stopped


class Part(NamedTuple):
    """A node, where it is, and the SELECT that it is a part of."""

    node: Node
    at: int  #: byte of the text at which it, or else what it is a part of, begins
    select: Node


def parse_tree(select: str) -> Node:
    """Return the parse tree of a SELECT.

    Raises:
        Unparsed: it cannot be parsed.
    """
    try:
        [[text]] = rows_in_memory("select json_serialize_sql(?)", [select])
        tree: Node = json.loads(text)
    except (duckdb.Error, RecursionError) as error:
        raise Unparsed(f"it cannot be parsed: {str(error).splitlines()[0]}") from None
    if tree.get("error"):
        raise Unparsed(str(tree.get("error_message")), int(tree.get("position") or 0))
    return tree


def parts(tree: Node) -> Iterator[Part]:
    """Yield the nodes of a tree in the order of the text, each before what it consists of."""
    waiting: list[tuple[Any, int, Node]] = [(tree, 0, {})]
    while waiting:
        value, at, select = waiting.pop()
        if isinstance(value, dict):
            here = value.get("query_location", NOWHERE)
            at = here if here != NOWHERE else at
            select = value if value.get("type") == "SELECT_NODE" else select
            yield Part(value, at, select)
            # as a table, a function returns its rows one by one
            value = arguments(value["function"]) if value.get("type") == "TABLE_FUNCTION" else list(value.values())
        if isinstance(value, list):
            waiting += [(one, at, select) for one in reversed(value)]


def arguments(function: Node) -> list[Node]:
    """Return the arguments of a function."""
    return [argument["expression"] for argument in function["arguments"]]


def function_of(node: Node) -> str:
    """Return the function that a node calls, in lower case; empty for another node and for operators."""
    name = node.get("function_name")
    return name.lower() if isinstance(name, str) and re.match(r"\w", name) else ""


def output_name(output: Node) -> str:
    """Return the name of an output of a SELECT: ``*`` of all columns, ``?`` of an expression without a name."""
    return output.get("alias") or (output.get("column_names") or ["*" if output.get("class") == "STAR" else "?"])[-1]


def is_file(table: Node) -> bool:
    """Return whether the engine could take the name of a table for that of a file."""
    name = table.get("table_name") or ""
    above = "".join(table.get(part) or "" for part in ("catalog_name", "schema_name"))
    return bool(_FILE_LETTERS.search(f"{above}{name}") or (above and name.lower() in _FILE_ENDINGS))
