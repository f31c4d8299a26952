"""Scoring profiles: the shipped ones, and those a bundle adds."""

import json
import math
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from functools import cache
from itertools import count

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.memory import rows_in_memory
from tdtsql.engine.quoting import sql_list
from tdtsql.errors import check_known, counted, first_few, meant
from tdtsql.store.recording import record_profiles
from tdtsql.definitions.catalogue import cached_definitions, package_entries, read_statement, sql_root
from tdtsql.definitions.hashes import profile_files, with_bases
from tdtsql.definitions.table import tables
from tdtsql.store.registry import next_number
from tdtsql.task import TASKS

#: the default base of a profile
BASE = "tdt2004"

#: prefix of ``decide_at``: the threshold is fitted on the scores of the condition whose name follows
OF_CONDITION = "condition:"


#: profiles as defined, by id: the ``base`` and ``source`` of each, and the ``columns`` in which it differs
Profiles = Mapping[str, Mapping[str, Any]]


@cache
def profile_columns() -> list[str]:
    """Return the value columns of registry.profile."""
    return [
        name
        for name in tables()["registry.profile"].columns
        if name not in ("profile_no", "profile_id", "base_profile", "source")
    ]


def policies() -> dict[str, tuple[str, ...]]:
    """Return the values that each policy column may have: those of its CHECK constraint."""
    table = tables()["registry.profile"]
    return {column: table.allowed(column) for column in table.columns if table.allowed(column)}


@cached_definitions
def shipped_profiles() -> Profiles:
    """Return every profile of ``sql/profile``, and of task packages in use, by id."""
    every = {**profile_files(sql_root()), **package_entries("profiles")}
    return {
        name: {**said, "columns": {**said.get("columns", {}), **said.get("values", {})}} for name, said in every.items()
    }


def of_packages(table: str) -> dict[str, Any]:
    """Return what profiles of task packages in use say of these packages' values: ``values`` (of one of them),
    ``choices`` (what a value may be) and ``meaning`` (in words).
    """
    return dict(ChainMap(*(profile.get(table, {}) for profile in package_entries("profiles").values())))


def with_base(profiles: Profiles, name: str) -> dict[str, object]:
    """Return all columns of a profile: its own, those of its base where it has none, and the threshold that its
    ``decide_at`` means, or the condition on whose scores it is fitted when runs are scored.
    """
    columns = with_bases(profiles, name)
    decided_at = columns.get("decide_at")
    if isinstance(decided_at, float):
        columns |= {"decide_at": "threshold", "decide_threshold": decided_at}
    elif _of_condition(decided_at):
        columns |= {"decide_at": "condition", "decide_condition": str(decided_at).removeprefix(OF_CONDITION)}
    elif decided_at == "bayes":
        columns["decide_threshold"] = _bayes_threshold(columns)
    return columns


def _of_condition(value: object) -> bool:
    """Return whether a value of ``decide_at`` names a condition."""
    return isinstance(value, str) and value.startswith(OF_CONDITION) and len(value) > len(OF_CONDITION)


def _bayes_threshold(columns: Mapping[str, object]) -> float | None:
    """Return the threshold of least expected cost where scores are natural logarithms of likelihood ratios: 0 -
    ln(c_miss p_target / (c_fa (1 - p_target))), of the quotient of the decimals that a profile writes; None without
    costs for it.
    """
    from fractions import Fraction

    try:
        p_target, c_miss, c_fa = (Fraction(repr(columns[key])) for key in ("p_target", "c_miss", "c_fa"))
        return 0 - math.log(c_miss * p_target / (c_fa * (1 - p_target)))
    except (KeyError, ValueError, ZeroDivisionError):
        return None


def load_profiles(engine: Engine, profiles: dict[str, dict], source: str) -> list[str]:
    """Add or change the profiles of a bundle, after the shipped ones; returns a note on each that was another one
    before, under which runs are scored.

    Args:
        profiles: by id; each with ``base`` and the columns that differ, without mistakes (`profile_mistakes`).
        source: origin of the profiles, for registry.profile.

    """
    there, columns, as_given = stored_profiles(engine), tables()["registry.profile"].columns, of_packages("values")
    every = dict(shipped_profiles())
    changed: dict[str, dict[str, Any]] = {}
    for name, values in profiles.items():
        own = {
            column: value if isinstance(value, str) or column in as_given else float(value)
            for column, value in values.items()
        }
        every[name] = {"base": own.pop("base", BASE), "source": source, "columns": own}
    numbers = count(next_number(engine, "registry.profile", "profile_no"))
    for name, profile in every.items():
        before = there.get(name, {})
        given: dict[str, Any] = {
            "profile_no": before.get("profile_no") or next(numbers),
            "profile_id": name,
            "base_profile": profile.get("base"),
            "source": profile["source"],
        }
        # values of task packages are stored as texts, numbers in full precision
        row = {
            column: value if column in columns or isinstance(value, str) else repr(float(value))
            for column, value in {**given, **with_base(every, name)}.items()
            if value is not None
        }
        if row != before:
            changed[name] = row
    if changed:
        rows = changed.values()
        of_changed = f"where profile_no in ({sql_list(row['profile_no'] for row in rows)})"
        engine.execute_all(f"delete from registry.{table} {of_changed}" for table in ("profile", "profile_value"))
        engine.insert_rows("registry.profile", [*columns], [[row.get(column) for column in columns] for row in rows])
        own_values = [(row["profile_no"], *value) for row in rows for value in row.items() if value[0] not in columns]
        engine.insert_rows("registry.profile_value", ("profile_no", "name", "value"), own_values)
        record_profiles(engine, changed)
    redefined = profiles.keys() & there.keys()
    return [
        note for name in changed if name in redefined for note in _redefined(engine, name, there[name], changed[name])
    ]


def _redefined(engine: Engine, name: str, before: dict[str, object], now: dict[str, object]) -> list[str]:
    changes = ", ".join(
        f"{column} {before.get(column, 'NULL')} -> {now.get(column, 'NULL')}"
        for column in dict.fromkeys((*now, *before))
        if column != "source" and before.get(column) != now.get(column)
    )
    rows = engine.column(
        """select condition_id || '/' || run_id from ledger.computation join registry.run using (run_no) join
        registry.condition using (condition_no) where profile_no = ? group by condition_id, run_id order by all""",
        [before["profile_no"]],
    )
    if not (changes and rows):
        return []
    n_run = counted(len(rows), "run")
    return [f"profile {name} is redefined ({changes}): earlier scores of {n_run} are stale ({first_few(rows, 10)})"]


def profile_mistakes(
    engine: Engine, profiles: Mapping[str, object], conditions: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str | None, str, str, object, str]]:
    """Yield (profile, what is wrong, key, value, advice) for every error in a bundle's profiles, and (None, ...) in
    those that its conditions use.
    """
    shipped = shipped_profiles()
    written = {name: values for name, values in profiles.items() if isinstance(values, dict)}
    own = {name: {"base": values.get("base", BASE), "columns": values} for name, values in written.items()}
    every, made = {**own, **shipped}, {name: with_bases(shipped, name) for name in shipped}
    for name, values in profiles.items():
        if name in shipped:
            yield name, f"profile '{name}' is a shipped one", "base", None, "Give yours another name."
        elif name not in written:
            yield None, f"profile '{name}' is not a table", name, values, f"Write [profile.{name}] above its values."
    for name, values in written.items():
        wrong = _refusals(values)
        try:
            columns = with_bases(every, name)
        except (KeyError, RecursionError):
            said, advice = f"profile '{name}' is based on itself or on an unknown profile", ", ".join(shipped)
            yield name, said, "base", values.get("base"), f"Shipped are {advice}."
        else:
            wrong, made[name] = wrong or _threshold_refusals(columns), columns
        for column, said, advice in wrong:
            yield name, f"profile '{name}'{said}", column, None, advice
    known = engine.column("select profile_id from registry.profile order by profile_no")
    known += [name for name in package_entries("profiles") if name not in known]
    for condition in conditions:
        if TASKS[condition["task"]].must_name_profile and not condition.get("profile"):
            fitting = engine.column('select profile_id from registry.profile where "primary" is not null order by 1')
            names = [*dict.fromkeys([*fitting, *written])]
            said = f"condition '{condition['id']}' names no profile: costs and the definition of the EER depend on it"
            advice = f'Add for example profile = ["{names[0]}"]. Profiles: {", ".join(names)}.'
            yield None, said, "id", condition["id"], advice
        default = TASKS[condition["task"]].default_profile
        for name in condition.get("profile", []):
            if name not in known and name not in profiles:
                yield None, "profile is unknown", "profile", name, meant(name, known, f"There are {', '.join(known)}.")
            elif {name, default} <= made.keys() and made[name].keys().isdisjoint(made[default]):
                yield None, "profile is of other tasks", "profile", name, f"Name one such as {default}."


def _threshold_refusals(columns: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return (column, why all columns of a profile give no threshold for its ``decide_at``, what to do)."""
    decided_at = columns.get("decide_at")
    if _of_condition(decided_at) and columns.get("det_rule") == "program":
        needs = 'needs det_rule = "complete": a threshold of "program" accepts scores above it'
        return [("decide_at", f': decide_at = "{decided_at}" {needs}', 'Add det_rule = "complete".')]
    if decided_at == "bayes" and _bayes_threshold(columns) is None:
        said = ': decide_at = "bayes" needs p_target between 0 and 1, and c_miss and c_fa above 0'
        return [("decide_at", said, "Add them.")]
    return []


def profile_number(engine: Engine, name: str) -> int:
    """Return the number of a profile.

    Raises:
        UnknownName: no such profile.
    """
    numbers = dict(engine.rows("select profile_id, profile_no from registry.profile order by profile_no"))
    check_known("profile", name, numbers)
    return numbers[name]


def _refusals(values: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """Return (column, why it cannot have its value, what to do) of the values of a profile."""
    given, known = {column: value for column, value in values.items() if column != "base"}, profile_columns()
    said = {
        "columns": [*given],
        "shown": [*map(repr, given.values())],
        "texts": [value if isinstance(value, str) else None for value in given.values()],
        "numbers": [
            float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
            for value in given.values()
        ],
        "known": known,
        "choices": json.dumps({**policies(), **of_packages("choices")}),
        "own": json.dumps(of_packages("values")),
    }
    rows = rows_in_memory(read_statement("verify/profile_value"), said)
    return [(column, *rest, advice or meant(column, known, "See registry.profile.")) for column, *rest, advice in rows]


def stored_profiles(engine: Engine) -> dict[str, dict[str, object]]:
    """Return the profiles of a store by id, each with its columns that are not NULL and the values of task packages."""
    profiles = {row["profile_no"]: row for row in engine.records("from registry.profile order by profile_no")}
    values = "from registry.profile_value semi join registry.profile using (profile_no) order by all"
    for number, name, value in engine.rows(values):
        profiles[number][name] = value
    return {
        row["profile_id"]: {name: value for name, value in row.items() if value is not None}
        for row in profiles.values()
    }
