"""Results of a gate as rows, markdown, JSON and JUnit."""

import json
import math
from dataclasses import replace
from operator import attrgetter

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import counted
from tdtsql.gate.decide import RuleResult
from tdtsql.gate.gate import Gate
from tdtsql.show.table import RowTable, relation_of
from tdtsql.show.table import PEOPLE, Table, typed_columns

#: columns of a check in a table and in JSON, and where its values are
COLUMNS = {
    "verdict": "verdict",
    "condition_id": "comparison.condition",
    "run_id": "comparison.run",
    "baseline_id": "comparison.baseline",
    "profile_id": "comparison.key.profile",
    "subset": "comparison.key.subset",
    "metric": "comparison.key.metric",
    "rule": "rule.text",
    **{name: name for name in "mean baseline_mean difference limit low high n_topic n_trial p p_adjusted".split()},
    "score": "printed",
    "baseline_score": "baseline_printed",
    "note": "note",
    "signature": "signature",
    "baseline_signature": "baseline_signature",
}
#: columns of the plain table
SHORT = (
    "verdict condition_id profile_id subset rule mean baseline_mean difference limit n_topic n_trial p_adjusted".split()
)
#: columns that are no texts
_NUMBERS = typed_columns("""
    double  mean baseline_mean difference limit low high p p_adjusted score baseline_score
    bigint  n_topic n_trial
""")


def short_columns(found: Gate) -> list[str]:
    """Return the columns of the plain table: of topics or trials those that a check was over."""
    by_trial = {check.n_trial is not None for check in found.checks}
    hidden = {"n_topic"} if by_trial == {True} else set() if True in by_trial else {"n_trial"}
    return [name for name in SHORT if name not in hidden]


def as_row(check: RuleResult) -> dict[str, object]:
    """Return a check by the names of COLUMNS."""
    return {name: attrgetter(place)(check) for name, place in COLUMNS.items()}


def heading(check: RuleResult) -> str:
    """Return which check it is, as one line."""
    profile, subset, _ = check.comparison.key
    return f"{check.comparison.condition}, {profile}, {subset}: {check.rule.text}"


def numbers(check: RuleResult) -> str:
    """Return the numbers of a check as one line."""
    if check.difference is None:
        return "no numbers to compare"
    said = f"{check.mean:.6g} against {check.baseline_mean:.6g}, {check.difference:+.6g} (allowed {check.limit:.6g})"
    if check.n_topic is not None:
        said += f" over {counted(check.n_topic, 'topic')}"
    if check.n_trial is not None:
        said += f" over {check.n_trial:,} trials"
    return said if check.p_adjusted is None else f"{said}, p {check.p_adjusted:.3g}"


def markdown(found: Gate) -> str:
    """Return a page for a pull request or a job's summary."""
    return _rendered("gate.md", found)


def as_json(found: Gate) -> str:
    """Return all results for programs: floats as by ``repr`` (17 digits); undefined numbers are
    null.
    """
    method = found.method
    whole = {
        "gate": "failed" if found.failed else "not failed",
        "run": found.run,
        "baseline": found.baseline,
        "alpha": found.alpha,
        "test": method.test,
        "correction": method.correction,
        "n_test": found.n_test,
        "permutations": method.n_permutation,
        "resamples": method.n_resample,
        "seed": method.seed,
        "interval": method.interval,
        "level": method.level,
        "checks": [
            {
                name: None if isinstance(value, float) and not math.isfinite(value) else value
                for name, value in as_row(check).items()
            }
            for check in found.checks
        ],
        "notes": list(found.notes),
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def junit(found: Gate) -> str:
    """Return a JUnit file: a check is a test case, one that is not decided is skipped with the reason."""
    return _rendered("gate.xml", found)


def _rendered(template: str, found: Gate) -> str:
    from tdtsql.report.sections import render  # imported late: most gates write no such file

    return f"{render(template, found=found, heading=heading, numbers=numbers).rstrip()}\n"


class Verdicts(RowTable):
    """The verdicts of a gate: a relation with one row per check, which is a table for a paper too."""

    keep = ("verdict", "condition_id", "rule", "difference", "p_adjusted")

    def __init__(self, engine: Engine, found: Gate):
        rows = [as_row(check) for check in found.checks]
        kinds = dict.fromkeys(COLUMNS, "varchar") | _NUMBERS
        columns = {name: [row[name] for row in rows] for name in kinds}
        shown = short_columns(found)
        self._table = Table(
            tuple(shown), [tuple(row[name] for name in shown) for row in rows], found.summary, keep=self.keep
        )
        super().__init__(relation_of(engine, columns, kinds), lambda most: [self._table])
        self.failed, self.summary, self.notes = found.failed, found.summary, found.notes
        reasons = [f"{heading(check)}: {check.note}." for check in found.checks if check.reasons]
        self.remarks, self.exit_code = (*reasons, *found.notes, found.summary), int(found.failed)

    def shown(self, format_: str) -> list[Table]:
        return [replace(self._table, caption="")] if format_ in PEOPLE else super().shown(format_)
