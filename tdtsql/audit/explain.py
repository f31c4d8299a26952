"""Explain one number: follow the views that compute it down to the input files.

For every view of the chain: its title, its formula, and the formula with the values of this run (and topic) instead of
the names.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from tdtsql.toml_file import toml_beside
from tdtsql.audit.run_lines import SHOWN_LINES, RunLines, run_lines
from tdtsql.audit.templated import render
from tdtsql.compare.settings import metric_ids
from tdtsql.definitions.catalogue import Relation, closure, published, read_statement
from tdtsql.engine.duckdb import OWN_SCHEMA, Engine
from tdtsql.errors import UnknownName, short_value
from tdtsql.scoring.score import Batch, refresh
from tdtsql.store.registry import check_name, one_run, profiles_of_condition, subset_number
from tdtsql.store.sets import newest_own
from tdtsql.task import TASKS

#: the subset that is everything
ALL = "all"
#: rows of one view that are shown
SHOWN = 4
#: what the trials of a topic are
_TRIALS = "base.detection_trial__v1"


@dataclass(slots=True)
class Step:
    """One view of the chain, with its rows for this run."""

    relation: Relation
    rows: list[dict[str, Any]]  #: the first
    n_row: int = 0
    #: (formula, the same with values) of the header; the second is empty if there are several rows, if a name has no
    #: value, and if the header has more than arithmetic
    formulas: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Explanation:
    """The chain of one number, the view that publishes it first."""

    title: str
    numbers: list[tuple[str, float | None, int | None, str, str]]  #: weighting, value, n, signature, why NULL
    files: list[tuple]  #: owner, path, kind, bytes, sha256
    steps: list[Step] = field(default_factory=list)
    #: scored in this block: story, target, yes, score; of all stories, so empty for a subset
    trials: list[dict] = field(default_factory=list)
    lines: list[tuple] = field(default_factory=list)  #: input lines about this block: path, line, content, how many
    run_lines: RunLines | None = None  #: lines of the run's own files about this block
    is_decided: bool = True  #: a system accepts or rejects each trial

    def __str__(self) -> str:
        """Return the chain in words, from the number down to the files."""
        return render("explanation.txt", found=self)

    text = __repr__ = __str__


def explain(
    engine: Engine,
    run: str,
    metric: str,
    topic: str | None = None,
    *,
    condition: str | None = None,
    profile: str | None = None,
    subset: str = "all",
    source_dir: str | Path | None = None,
) -> Explanation:
    """Explain METRIC of RUN (of topic BLOCK): the views that compute it, with their values, down to the input
    files; for a topic, to their lines.

    Args:
        condition: the condition, where the run is in several.
        profile: the scoring profile; the condition's first without it.
        subset: a subset, e.g. codec=C01.
        source_dir: the bundle's folder, for the lines of the run's files; without it the current folder, the
            store's, and where it was loaded from.

    Raises:
        UnknownName: no such run, metric, topic, subset or profile; or the run is in several conditions.
    """
    refresh(engine)
    [metric] = metric_ids(engine, metric)
    run_no, condition_no, condition_id, name = one_run(engine, run, condition)
    task = TASKS[name]
    profile_no, profile_id = profiles_of_condition(engine, condition_no, profile)[0]
    keys = {"run_no": run_no, "profile_no": profile_no, "condition_no": condition_no}
    of_run, of_topic = {"run_no": run_no, "condition_no": condition_no}, {"condition_no": condition_no, "block": topic}
    keys["subset_no"] = 0 if subset == ALL else subset_number(engine, condition_no, subset)
    if topic is not None:
        [(keys["block_no"], known)] = engine.rows(read_statement("explain/block"), of_run | of_topic)
        if keys["block_no"] is None:
            raise UnknownName(f"topic '{topic}' is not in condition '{condition_id}'. It has {known} ...")
    views = [
        view
        for view in (*published(name), *newest_own(engine, name).values())
        if any(entry.is_called(metric) for entry in view.header.metrics)
        and (("block_no" in view.header.grain) == (topic is not None) or view.schema == OWN_SCHEMA)
    ]
    if not views:
        names = sorted({entry.metric for view in published(name) for entry in view.header.metrics})
        raise UnknownName(
            f"metric '{metric}' is not a metric of {'a topic of ' if topic else ''}a {name} run. There are "
            f"{', '.join(names)}."
        )
    check_name(engine, "metric", metric)  # a measure of items may have any name
    where, source = "", "select *, null as block_id from report.score"
    if topic is not None:
        where, source = f", topic {topic}", read_statement("explain/block_scores")
        source = f"select *, 'block' as weighting, null as n from ({source})"
    wanted = {"run": run, "condition": condition_id, "profile": profile_id, "metric": metric, "subset": subset}
    found = Explanation(
        f"{metric} of run {run} in {condition_id}{where}, profile {profile_id}, subset {subset}",
        engine.rows(
            f"""select weighting, value, n, signature, null_reason from ({source}) where run_id = $run
            and condition_id = $condition and profile_id = $profile and metric = $metric and subset = $subset
            and block_id is not distinct from $topic order by weighting""",
            wanted | {"topic": topic},
        ),
        engine.rows(read_statement("explain/files"), of_run),
        is_decided=task.is_detection,
    )
    with Batch(name, 0, {condition_no}, [(run_no, profile_no)]).scope(engine) as scope:
        chain = closure(scope.relations, [view.name for view in views])
        scope.build(chain)
        steps = [_step(engine, scope.relations[one], scope.relation(one), keys) for one in reversed(chain)]
        # a view that has nothing for this run is of another task or policy
        found.steps = [step for step in steps if step.rows]
        substitute(engine, found.steps, profile_no)
        if topic is not None and subset == ALL and task.is_detection:
            scope.build([one for one in closure(scope.relations, [_TRIALS]) if one not in scope.names])
            engine.execute(f"create or replace temp view explained_trial as from {scope.relation(_TRIALS)}")
            del keys["subset_no"]
            found.trials = engine.records(read_statement("explain/trials"), keys | {"most": SHOWN_LINES})
            engine.execute("drop view temp.explained_trial")
    if topic is not None:
        found.lines = engine.rows(read_statement("explain/lines"), of_topic | {"most": SHOWN_LINES})
        folders = [Path(folder) for folder in (source_dir,) if folder is not None]
        folders = folders or [Path(), *([engine.file.parent] if engine.file is not None else [])]
        units = [row["story"].split(" ") for row in found.trials if row["score"] is not None]
        if task.is_tree:  # the vertex whose cost is the topic's, with its contents
            place = {one: keys[one] for one in ("run_no", "profile_no", "block_no")}
            units = [[vertex] for vertex in engine.column(read_statement("explain/best_vertex"), place) if vertex]
        found.run_lines = run_lines(engine, run_no, folders, block=topic, units=units)
    return found


def _step(engine: Engine, relation: Relation, source: str, keys: Mapping[str, int]) -> Step:
    columns = [column.name for column in relation.header.columns]
    where = " and ".join(f"{name} = {number}" for name, number in keys.items() if name in columns) or "true"
    order = ", ".join(relation.header.grain) or "all"
    rows = engine.records(
        f"select {', '.join(columns)}, count(*) over () as n_of_all from {source} where {where} order by {order} "
        f"limit {SHOWN}"
    )
    n_row = [row.pop("n_of_all") for row in rows]
    return Step(relation, rows, *n_row[:1])


# ---- formulas


def substitute(engine: Engine, steps: Sequence[Step], profile_no: int) -> None:
    """Set the formulas of each step, with the values of its row, of the profile, and of the single rows that it
    reads.
    """
    [profile] = engine.records("select * from registry.profile where profile_no = ?", [profile_no])
    single = {step.relation.name: step.rows[0] for step in steps if step.n_row == 1}
    for step in steps:
        lines = formulas(step.relation.header.fields.get("formula", ""))
        step.formulas = [(line, "") for line in lines]
        if step.relation.name not in single:
            continue
        row, values = single[step.relation.name], dict(profile)
        for name in step.relation.header.inputs:
            values |= single.get(name, {})
        values |= row
        for name, word in (match.groups() for line in lines for match in _LOCAL.finditer(line)):
            if name not in values and word in values:  # With A = n_hit
                values[name] = values[word]
        step.formulas = [(line, with_values(engine, line, values, row)) for line in lines]


#: patterns of formulas in headers of views, and how expressions are spelled
_FORMULA = toml_beside(__file__)
_BEGINS, _FOLLOWS, _LOCAL, _REMARK, _NAMED = (re.compile(pattern) for pattern in _FORMULA["pattern"].values())


def formulas(text: str) -> list[str]:
    """Return the formulas of a header as a list: joins continuation lines, splits lines with several formulas."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if lines and not (_BEGINS.match(line) or _NAMED.match(line)):
            lines[-1] += f" {line}"
        else:
            lines.append(_NAMED.sub(r"\1: ", line))
    return [re.sub(r"\s+= *", " = ", part.strip()) for line in lines for part in _FOLLOWS.split(line)]


def with_values(engine: Engine, line: str, values: Mapping[str, object], row: Mapping[str, object]) -> str:
    """Return ``name = expression = value`` with values for names; empty if a name has no value, or if the expression
    does not give the value (the header has more conditions).
    """
    name, _, tail = (part.strip() for part in line.partition("="))
    text = _REMARK.sub("", tail)
    if not _is_number(row.get(name)) or not re.search("[A-Za-z]", text) or re.search(r"[^\w\s.+*/^(),-]", text):
        return ""
    for pattern, written in _FORMULA["spelling"]:
        text = re.sub(pattern, written, text)
    shown = short_value(row[name])

    def value(word: re.Match) -> str:
        said = short_value(values[word[0]]) if _is_number(values[word[0]]) else "?"
        return f"({said})" if said.startswith("-") else said

    try:
        expression = re.sub(r"\b[A-Za-z_]\w*\b(?!\()", value, text)
        query = re.sub(r"[a-z]\w*(?=\()", lambda word: _FORMULA["function"][word[0]], expression)
        query = re.sub(r"\d+(?=[ ,)]|$)", r"\g<0>::double", query)
        found = engine.value(f"select try({query})")
    except Exception:  # it only looks like an expression
        return ""
    if found is None or not math.isclose(found, float(shown), rel_tol=1e-4, abs_tol=1e-9):
        return ""
    return f"{name} = {expression} = {shown}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool) and math.isfinite(value)
