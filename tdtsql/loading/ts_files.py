"""Files of conditions and runs of the TREC TS track, official or tidy, as the rules of the condition's profile read
them.
"""

from collections.abc import Callable, Iterator, Mapping

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.find import Inputs
from tdtsql.intake.tidy_input import read_tidy_file
from tdtsql.loading.condition import Condition


def set_file_rules(engine: Engine, condition: Condition) -> str | None:
    """Return how the files of a condition are read, as the first of its profiles that says so; it becomes part of what
    the condition is.
    """
    found = dict(engine.rows("select profile_id, file_rules from registry.profile"))
    rules = next((found[name] for name in condition.profiles if found.get(name)), None)
    condition.spec = {**condition.spec, "file_rules": rules}
    return rules


def require(condition: Condition, *keys: str) -> None:
    """Report keys that the condition does not have (E720)."""
    for key in keys:
        if key not in condition.spec:
            condition.inputs.add(
                "E720",
                f"condition '{condition.spec['id']}'",
                f"a {condition.task} condition needs {key}",
                f'Add {key} = "...".',
            )


def read_rows(inputs: Inputs, spec: Mapping, key: str, official: Callable, tidy: Callable | None = None) -> Iterator:
    """Yield what the files of a key hold: a .csv or .parquet file is tidy, any other is as the track writes it."""
    for given, path in inputs.resolve(spec[key], key) if key in spec else ():
        if tidy is not None and given.removesuffix(".gz").endswith((".csv", ".parquet")):
            table = read_tidy_file(inputs, given, path, key)
            problems = Problems(given)
            yield tidy(table, problems)
            inputs.problems += problems.found
        else:
            yield inputs.read(given, path, key, official)
