"""Scoring profiles: the shipped ones, and those a bundle adds."""

import difflib
from collections.abc import Iterator

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidBundle, UnknownName
from tdtsql.store.ledger import seal_profiles
from tdtsql.store.registry import next_number
from tdtsql.store.schema import profile_columns, shipped_profiles

#: what the policy columns may say
POLICIES = {
    "judged_no": ("scored", "excluded"), "training": ("excluded", "scored"), "fa_topics": ("all", "with_target"),
    "topic_cost": ("cost_of_means", "mean_of_costs"), "topic_cost_new_event": ("cost_of_means", "mean_of_costs"),
    "topic_cost_minimum": ("cost_of_means", "mean_of_costs"), "new_event_rule": ("each_topic", "mixed_dropped"),
    "det_rule": ("complete", "program"), "det_omitted": ("lowest", "never"),
    "empty_topic": ("undefined", "zero"), "empty_retrieved": ("undefined", "zero"), "missing_topic": ("empty", "undefined"),
    "b3_unassigned": ("exclude", "drop", "zero", "singleton"), "b3_unjudged": ("exclude", "drop", "zero", "singleton"),
    "relevance": ("graded", "binary"), "unpooled": ("invisible", "null_update", "ignore", "unknown_length"), "nuggets": ("all", "matched"),
    "latency_fix": ("none", "all", "updates_only"), "offsets": ("bytes", "chars"),
    "file_rules": ("ts2013", "ts2014", "ts2015"), "word_count": ("column", "blanks", "words"), "word_marking": ("exact", "program"),
    "binary_rule": ("positive", "nonzero"), "nugget_importance": ("all", "positive"), "repeated_nugget": ("last", "every_row"),
    "scored_events": ("all", "pool", "pool_and_matches"), "unpooled_match": ("kept", "dropped"), "duplicates": ("canonical", "own"),
    "duplicates_file": ("used", "unused"), "tie_break": ("input", "update_id"), "confidence": ("none", "value", "position", "min_max"),
    "confidence_sum": ("divided", "not_divided"), "latency_over": ("matches", "updates"), "confidence_latency_over": ("matches", "updates"),
    "eg_tau_over": ("updates", "verbosity"), "undefined": ("null", "zero"),
}


def load_profiles(engine: Engine, profiles: dict[str, dict], source: str) -> None:
    """Add or change the profiles of a bundle, after the shipped ones they are based on.

    Args:
        profiles: by id; each with ``base`` and the columns that differ.
        source: what registry.profile says of where they are from.

    Raises:
        InvalidBundle: a base that is not there, an unknown column, a value that
            the column cannot have.
    """
    shipped = shipped_profiles()
    there = _profiles(engine)
    for name, profile in shipped.items():
        _write(engine, there, name, profile.get("base"), profile["source"], profile["columns"])
    known = {name: profile["columns"] for name, profile in shipped.items()}
    waiting = dict(profiles)
    while waiting:
        ready = [name for name, values in waiting.items() if values.get("base", "tdt2004") in known]
        if not ready:
            name, values = next(iter(waiting.items()))
            raise InvalidBundle(f"profile '{name}' is based on '{values.get('base')}', which is not there. Shipped are {', '.join(shipped)}.")
        for name in ready:
            values = waiting.pop(name)
            base = values.get("base", "tdt2004")
            changed = {column: _checked(name, column, value) for column, value in values.items() if column != "base"}
            known[name] = {**known[base], **changed}
            _write(engine, there, name, base, source, known[name])
    seal_profiles(engine, [*shipped, *profiles])


def profile_mistakes(engine: Engine, profiles: dict[str, object], wanted: list[str]) -> Iterator[tuple[str, str, object, str]]:
    """Yield (what is wrong, key, value, what to do) of every mistake in a bundle's profiles, and in the names it asks for."""
    shipped = shipped_profiles()
    tables = {name: values for name, values in profiles.items() if isinstance(values, dict)}
    for name, values in profiles.items():
        if name in shipped:
            yield f"profile '{name}' is a shipped one", "base", None, "Give yours another name."
        elif name not in tables:
            yield f"profile '{name}' is not a table", name, values, f"Write [profile.{name}] above its values."
    for name, values in tables.items():
        seen, base = [name], values.get("base", "tdt2004")
        while base in tables and base not in seen and base not in shipped:
            seen.append(base)
            base = tables[base].get("base", "tdt2004")
        if base not in shipped:
            yield (f"profile '{name}' is based on itself or on one that is not there", "base", values.get("base"),
                   f"Shipped are {', '.join(shipped)}.")
        for column, value in values.items():
            try:
                if column != "base":
                    _checked(name, column, value)
            except InvalidBundle as error:
                message, _, advice = str(error).partition(". ")
                yield message.rstrip("."), column, None, advice or "Correct the value."
    known = [row[0] for row in engine.rows("select profile_id from registry.profile order by profile_no")]
    for name in wanted:
        if name not in known and name not in profiles:
            near = difflib.get_close_matches(name, known, 1)
            yield "profile is unknown", "profile", name, f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."


def profile_number(engine: Engine, name: str) -> int:
    """Return the number of a profile.

    Raises:
        UnknownName: there is no profile of that name.
    """
    number = engine.value("select profile_no from registry.profile where profile_id = ?", [name])
    if number is None:
        names = [row[0] for row in engine.rows("select profile_id from registry.profile order by profile_no")]
        near = difflib.get_close_matches(name, names, 1)
        raise UnknownName(f"profile '{name}' is unknown. {f'Did you mean {near[0]}? ' if near else ''}There are {', '.join(names)}.")
    return number


def _checked(profile: str, column: str, value: object) -> object:
    if column not in profile_columns():
        near = difflib.get_close_matches(column, profile_columns(), 1)
        raise InvalidBundle(f"profile '{profile}' has an unknown column '{column}'. {f'Did you mean {near[0]}?' if near else 'See registry.profile.'}")
    if column in POLICIES:
        if value not in POLICIES[column]:
            raise InvalidBundle(f"profile '{profile}': {column} is {value!r}, expected one of {', '.join(POLICIES[column])}.")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) == float("inf"):
        raise InvalidBundle(f"profile '{profile}': {column} is {value!r}, expected a number.")
    return float(value)


def _profiles(engine: Engine) -> dict[str, dict[str, object]]:
    """Return the profiles of a store by id, each with its columns that are not NULL."""
    cursor = engine.query("select * from registry.profile order by profile_no")
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return {row["profile_id"]: {name: value for name, value in row.items() if value is not None} for row in rows}


def _write(engine: Engine, there: dict[str, dict[str, object]], name: str, base: str | None, source: str, columns: dict) -> None:
    """Store a profile in place of the one of its name, unless it is the same."""
    number = there[name]["profile_no"] if name in there else next_number(engine, "registry.profile", "profile_no")
    row = {"profile_no": number, "profile_id": name, "base_profile": base, "source": source, **columns}
    if there.get(name) == {column: value for column, value in row.items() if value is not None}:
        return
    engine.execute("delete from registry.profile where profile_no = ?", [number])
    engine.execute(f"insert into registry.profile ({', '.join(row)}) values ({', '.join('?' for _ in row)})", list(row.values()))
