"""Explain one number: follow the views that compute it down to the input files.

For every view of the chain: its title, its formula, and the formula with the
values of this run (and topic) instead of the names.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.user_query import OWN_SCHEMA
from tdtsql.errors import UnknownName, format_value, short_value
from tdtsql.definitions.catalogue import catalog, closure, published, read_statement, Relation
from tdtsql.store.sets import newest_own
from tdtsql.store.registry import one_run, profiles_of_condition, subset_number
from tdtsql.audit.run_lines import SHOWN_LINES, RunLines, run_lines
from tdtsql.scoring.score import task_scope
from tdtsql.audit.signature import BLOCKS
from tdtsql.task import TASKS

#: the subset that is everything
ALL = "all"
#: rows of one view that are shown
SHOWN = 4
_CORPUS = "select corpus_id from registry.corpus join registry.condition using (corpus_no) where condition_no = ?"


@dataclass(slots=True)
class Step:
    """One view of the chain, with its rows for this run."""

    relation: Relation
    columns: list[str]
    rows: list[tuple]
    n_row: int

    known: dict[str, object] = field(default_factory=dict)  #: values of the profile and of single rows that were read

    def formula(self) -> list[tuple[str, str]]:
        """Return (formula, the same with values) of the header as a list; the value part is empty if there are several
        rows, if a name has no value, and if the header has more than arithmetic.
        """
        lines = formulas(self.relation.header.fields.get("formula", ""))
        if len(self.rows) != 1:
            return [(line, "") for line in lines]
        row = dict(zip(self.columns, self.rows[0], strict=True))
        values = self.known | row
        for name, word in (match.groups() for line in lines for match in _LOCAL.finditer(line)):
            if name not in values and word in values:  # With A = n_hit
                values[name] = values[word]
        return [(line, substituted(line, values, row)) for line in lines]


@dataclass(slots=True)
class Explanation:
    """The chain of one number, the view that publishes it first."""

    run: str
    condition: str
    profile: str
    metric: str
    block: str | None
    subset: str
    numbers: list[tuple[str, float | None, int | None, str, str]]  #: weighting, value, n, signature, why NULL
    steps: list[Step] = field(default_factory=list)
    is_decided: bool = True  #: a system accepts or rejects each trial
    #: scored in this block: story, target, yes, score; of all stories, so empty for a subset
    trials: list[tuple] = field(default_factory=list)
    trial_columns: tuple[str, ...] = ()
    lines: list[tuple] = field(default_factory=list)  #: input lines about this block: path, line, content
    n_line: int = 0  #: how many there are, shown or not
    run_lines: RunLines = field(default_factory=RunLines)  #: lines of the run's own files about this block
    files: list[tuple] = field(default_factory=list)  #: owner, path, kind, bytes, sha256

    def __str__(self) -> str:
        """Return the chain in words, from the number down to the files."""
        where = f", topic {self.block}" if self.block else ""
        lines = [
            f"{self.metric} of run {self.run} in {self.condition}{where}, profile {self.profile}, subset {self.subset}"
        ]
        for weighting, value, n, signature, reason in self.numbers:
            shown = f"undefined: {reason}" if value is None else repr(value)
            lines.append(f"    {weighting}: {shown}{f' (n {n})' if n is not None else ''}")
            lines += [f"        {signature}"] if signature else []
        for step in self.steps:
            header = step.relation.header
            lines += [
                f"\n{step.relation.name}: {header.title}",
                f"    source: {' '.join(header.fields['source'].split())}",
            ]
            for line, values in step.formula():
                lines += [f"    formula: {line}", *([f"        here: {values}"] if values else [])]
            lines += [f"    {_named(step.columns, row)}" for row in step.rows]
            lines += [f"    ... {step.n_row} rows of this run"] if step.n_row > SHOWN else []
        if self.trials:
            lines.append("\nTrials of this topic (targets and accepted ones; the first 50):")
            lines += [f"    {_named(self.trial_columns, row)}" for row in self.trials]
        lines += _located("\nLines of the input files about it:", self.lines, self.n_line)
        lines += _located("\nLines of the run's files about it:", self.run_lines.lines, self.run_lines.n_line)
        if not self.run_lines.lines and self.block and not self.run_lines.unread:
            why = ": trials without a decision count as rejected." if self.is_decided else "."
            lines.append(f"\nNo line of the run's files is about it{why}")
        if self.run_lines.unread:
            lines += ["\nFiles of the run that could not be read:", *(f"    {why}" for why in self.run_lines.unread)]
        lines.append("\nFiles:")
        lines += [
            f"    {owner}: {path} ({kind}, {n_byte} bytes, sha256 {sha256[:16]})"
            for owner, path, kind, n_byte, sha256 in self.files
        ]
        return "\n".join(lines)

    text = __repr__ = __str__


def _named(columns: Sequence[str], row: Sequence[object]) -> str:
    return ", ".join(f"{name} {format_value(value) or 'NULL'}" for name, value in zip(columns, row, strict=True))


def _located(title: str, found: Sequence[tuple], n_line: int) -> list[str]:
    if not found:
        return []
    more = [f"    ... {n_line} lines"] if n_line > len(found) else []
    return [title, *(f"    {path}:{line}: {text}" for path, line, text in found), *more]


def explain(
    engine: Engine,
    run: str,
    metric: str,
    block: str | None = None,
    *,
    condition: str | None = None,
    profile: str | None = None,
    subset: str = ALL,
    files: Path | None = None,
) -> Explanation:
    """Return the chain of one number, down to the files, and of a topic down to their lines.

    Args:
        engine: the store.
        run, metric, block, condition, profile, subset: which number, by name.
        files: the folder where the paths of the bundle begin; without it the current folder, the store's, and those are
            tried that it was loaded from.

    Raises:
        UnknownName: no such run, metric, topic, subset or profile; or the run is in several conditions.
    """
    run_no, condition_no, condition_id, task = one_run(engine, run, condition)
    profile_no, profile_id = profiles_of_condition(engine, condition_no, profile)[0]
    block_no = None
    if block is not None:
        named = {"condition_no": condition_no, "run_no": run_no, "block": block}
        found = engine.rows(read_statement("explain/block"), named)
        if not found:
            known = engine.column(
                "select block_id from base.block where condition_no = ? order by block_no limit 6", [condition_no]
            )
            raise UnknownName(f"topic '{block}' is not in condition '{condition_id}'. It has {', '.join(known)} ...")
        block_no = found[0][0]
    subset_no = 0 if subset == ALL else subset_number(engine, condition_no, subset)
    views = [
        view
        for view in (*published(task), *newest_own(engine, task).values())
        if any(entry.is_called(metric) for entry in view.header.metrics)
        and (("block_no" in view.header.grain) == (block is not None) or view.schema == OWN_SCHEMA)
    ]
    if not views:
        names = sorted({entry.metric for view in published(task) for entry in view.header.metrics})
        raise UnknownName(
            f"metric '{metric}' is not a metric of {'a topic of ' if block else ''}a {task} run. There are "
            f"{', '.join(names)}."
        )
    explanation = Explanation(
        run,
        condition_id,
        profile_id,
        metric,
        block,
        subset,
        _numbers(engine, run, condition_id, profile_id, metric, block, subset),
        is_decided=TASKS[task].is_detection,
    )
    with task_scope(engine, task, [condition_no], [run_no], [profile_no]) as scope:
        names = closure(scope.relations, [view.name for view in views])
        scope.build(names)
        keys = {
            "run_no": run_no,
            "profile_no": profile_no,
            "subset_no": subset_no,
            "condition_no": condition_no,
            "block_no": block_no,
        }
        explanation.steps = [
            _step(engine, scope.relations[name], scope.relation(name), keys) for name in reversed(names)
        ]
        # a view that has nothing for this run is of another task or policy
        explanation.steps = [step for step in explanation.steps if step.rows]
        _connect(explanation.steps, _profile(engine, profile_no))
        if (
            block_no is not None
            and not subset_no
            and TASKS[task].is_detection
            and "base.detection_trial__v1" in catalog()
        ):
            scope.build([name for name in closure(catalog(), ["base.detection_trial__v1"]) if name not in scope.names])
            _trials(engine, explanation, scope.relation("base.detection_trial__v1"), keys)
    corpus = f"corpus:{engine.value(_CORPUS, [condition_no])}"
    if block is not None:
        _lines(engine, explanation, corpus, f"condition:{condition_id}")
        folders = [files] if files is not None else [Path(), *([engine.file.parent] if engine.file is not None else [])]
        units: list[tuple[str, ...]] = [tuple(row[0].split(" ")) for row in explanation.trials if row[3] is not None]
        if TASKS[task].is_tree:
            # the vertex whose cost is the topic's, with its contents
            best = engine.rows(
                "select value from report.block_label where run_id = ? and condition_id = ? and profile_id = ? and "
                "block_id = ? and metric = 'best_vertex'",
                [run, condition_id, profile_id, block],
            )
            units = [(row[0],) for row in best if row[0]]
        explanation.run_lines = run_lines(
            engine, f"run:{condition_id}/{run}", folders, task=task, block=block, names=units
        )
    owners = {"run": f"run:{condition_id}/{run}", "condition": f"condition:{condition_id}", "corpus": corpus}
    explanation.files = engine.rows(read_statement("explain/files"), owners)
    return explanation


def _numbers(
    engine: Engine, run: str, condition: str, profile: str, metric: str, block: str | None, subset: str
) -> list[tuple]:
    if block is None:
        named = {"run": run, "condition": condition, "profile": profile, "metric": metric, "subset": subset}
        return engine.rows(read_statement("explain/numbers"), named)
    return engine.rows(
        f"""select 'block', value, null, signature, null_reason
        from {BLOCKS} where run_id = ? and condition_id = ? and profile_id =
        ? and metric = ?
        and subset = ? and block_id = ?""",
        [run, condition, profile, metric, subset, block],
    )


def _step(engine: Engine, relation: Relation, source: str, keys: dict[str, int | None]) -> Step:
    columns = [column.name for column in relation.header.columns]
    filters = [f"{name} = {number}" for name, number in keys.items() if name in columns and number is not None]
    where = f" where {' and '.join(filters)}" if filters else ""
    order = ", ".join(relation.header.grain) or "all"
    rows = engine.rows(
        f"select {', '.join(columns)}, count(*) over () from {source}{where} order by {order} limit {SHOWN}"
    )
    return Step(relation, columns, [row[:-1] for row in rows], rows[0][-1] if rows else 0)


def _trials(engine: Engine, explanation: Explanation, source: str, keys: Mapping[str, int | None]) -> None:
    """Add the targets and the accepted trials of a topic."""
    engine.execute(f"create or replace temp view explained_trial as from {source}")
    named = {name: keys[name] for name in ("condition_no", "run_no", "profile_no", "block_no")}
    rows = engine.records(read_statement("explain/trials"), named | {"most": SHOWN_LINES})
    engine.execute("drop view temp.explained_trial")
    explanation.trials = [tuple(row.values()) for row in rows]
    explanation.trial_columns = tuple(rows[0]) if rows else ()


def _lines(engine: Engine, explanation: Explanation, corpus: str, condition: str) -> None:
    """Add the lines of the input files that speak of the block."""
    named = {"corpus": corpus, "condition": condition, "block": explanation.block, "most": SHOWN_LINES}
    rows = engine.rows(read_statement("explain/lines"), named)
    explanation.lines = [row[:-1] for row in rows]
    explanation.n_line = rows[0][-1] if rows else 0


def _profile(engine: Engine, profile_no: int) -> dict[str, object]:
    found = engine.records(f"select * from registry.profile where profile_no = {int(profile_no)}")
    return found[0] if found else {}


def _connect(steps: list[Step], profile: dict[str, object]) -> None:
    """Set for each step the values of the single rows that it reads."""
    single = {
        step.relation.name: dict(zip(step.columns, step.rows[0], strict=True))
        for step in steps
        if len(step.rows) == 1 and step.n_row == 1
    }
    for step in steps:
        step.known = dict(profile)
        for name in step.relation.header.inputs:
            step.known |= single.get(name, {})


#: how a formula begins, and where another one follows on the same line
_BEGINS = re.compile(r"(?:\w+(?:\([^()=]*\))?\s*=|(?:story|topic):)\s")
_FOLLOWS = re.compile(r"\s{3,}(?=\w+ *=)|[;,]\s+(?=\w+ *= )")
#: a symbol that abbreviates a column: With A = n_hit
_LOCAL = re.compile(r"\b([A-Za-z]\w*) = ([a-z]\w*)(?=[:,.;]|$)")
#: text after a formula: a remark in parentheses, or the value for 0/0
_REMARK = re.compile(r"\s{2,}\(.*$|,\s+0 wh?e.*$|[.:;,]$")
_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?(?:e-?\d+)?|[A-Za-z_]\w*|\*\*|[-+*/^(),])")
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "min": min,
    "max": max,
    "ln": math.log,
    "log2": math.log2,
    "exp": math.exp,
    "sqrt": math.sqrt,
    "abs": abs,
}


#: how a line of a list of definitions in words begins
_NAMED = re.compile(r"^(\w+) {2,}(?![= ])")


def formulas(text: str) -> list[str]:
    """Return the formulas of a header as a list: joins continuation lines, splits lines with several formulas."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if lines and not (_BEGINS.match(line) or _NAMED.match(line)):
            lines[-1] += f" {line}"
        else:
            lines.append(_NAMED.sub(r"\1: ", line))
    return [re.sub(r"\s+= *", " = ", part.strip()) for line in lines for part in _FOLLOWS.split(line)]


def substituted(line: str, values: Mapping[str, object], row: Mapping[str, object]) -> str:
    """Return ``name = expression = value`` with values for names; empty if a name has no value, or if the expression
    does not give the value (the header has more conditions).
    """
    name, mark, tail = (part.strip() for part in line.partition("="))
    expression = _with_values(_REMARK.sub("", tail), values) if mark and _is_number(row.get(name)) else ""
    try:
        found = evaluated(expression) if expression else None
    except (ArithmeticError, ValueError, TypeError, SyntaxError, KeyError):
        found = None
    shown = short_value(row.get(name))
    if found is None or not math.isclose(found, float(shown), rel_tol=1e-4, abs_tol=1e-9):
        return ""
    return f"{name} = {expression} = {shown}"


def _with_values(text: str, values: Mapping[str, object]) -> str:
    """Return an expression with numbers for names and a sign for each product; empty where it is not an expression."""
    parts: list[str] = []
    is_before, place, n_name = False, 0, 0  #: whether an operand ends here, which another one is multiplied with
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            return ""
        token, place = match[1], match.end()
        is_function = token in _FUNCTIONS and text[place:].lstrip().startswith("(")
        is_operand = token[0].isalnum() or token[0] == "_"
        if is_operand and not is_function and not token[0].isdigit():
            if not _is_number(values.get(token)):
                return ""
            token, n_name = short_value(values[token]), n_name + 1
            token = f"({token})" if token.startswith("-") else token
        if is_before and (is_operand or token == "("):
            parts.append(" * ")
        parts.append({"^": "**", ",": ", "}.get(token, f" {token} " if token in "+-*/" and is_before else token))
        is_before = token == ")" or (is_operand and not is_function)
    return "".join(parts).strip() if n_name else ""


def evaluated(expression: str) -> float:
    """Return the value of an expression as `Step.formula` writes it: numbers, arithmetic, and a few functions.

    Raises:
        ArithmeticError, ValueError, TypeError, SyntaxError, KeyError: it has none.
    """

    def value(node: ast.expr) -> float:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return float(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            return _OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return float(_FUNCTIONS[node.func.id](*map(value, node.args)))
        raise ValueError(expression)

    return value(ast.parse(expression, mode="eval").body)


_OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool) and math.isfinite(value)
