"""A gate for continuous evaluation: rules over comparisons of a run with its baseline.

    c_det_norm > +0.02                      worse by more than 0.02
    c_det_norm > +5%                        by more than 5 % of the baseline's number
    f1 < -0.01                              where higher is better, worse is less
    c_det_norm[language=ENGLISH] > +0.02    on one subset; [*] on every one that both have, [language=*] on each value

The saved query ``verdicts`` says what a rule is about, and what its verdict is; here the comparisons are made that it
reads. The test is that of `tdtsql compare` (two-sided) of "no difference"; the tolerance is a bound on what was
observed. A baseline is a run of the store, of another store, or of an archive, which is unpacked into a temporary
database: topics and items are compared by the numbers there; scored trials of two stores are not, so that what is worse
stays undecided.
"""

import json
import math
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tdtsql.audit.published import check_published
from tdtsql.compare.resample import Row
from tdtsql.compare.rows import comparison_rows, decided, pair_table
from tdtsql.compare.settings import (
    Correction,
    Interval,
    Method,
    Missing,
    Setting,
    Test,
    Weighting,
    accepted,
    read_rules,
    runs_named,
    withdrawn,
)
from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import (
    InvalidComparison,
    InvalidRule,
    InvalidSetting,
    MissingTopics,
    Names,
    UnknownName,
    check_known,
    counted,
    listed,
)
from tdtsql.output_file import check_writable, write_whole
from tdtsql.progress import Progress, counting, silent
from tdtsql.scoring.score import refresh
from tdtsql.show.rendering import render
from tdtsql.show.section import attached, find, in_store
from tdtsql.show.table import PEOPLE, RowTable, Table, relation_of, typed_columns
from tdtsql.store.registry import check_names
from tdtsql.task import TASKS, topic_word

ARCHIVE, STORE = ".zip", ".duckdb"
#: how verdicts are written -> the template
WRITTEN = {"markdown": "gate.md", "json": "", "junit": "gate.xml"}
#: columns of a check
COLUMNS = typed_columns("""
    varchar  verdict condition_id run_id baseline_id profile_id subset metric rule
    double   mean baseline_mean difference limit low high
    bigint   n_topic n_trial
    double   p p_adjusted score baseline_score
    varchar  note signature baseline_signature
""")
#: columns of the plain table
SHORT = "verdict condition_id profile_id subset rule mean baseline_mean difference limit n p_adjusted".split()
_KEY = "condition_id run_id baseline_condition_id baseline_id profile_id subset metric".split()


def gate(
    engine: Engine,
    run: str,
    baseline: str | Path,
    *,
    fail_if: Names,
    alpha: float = 0.05,
    baseline_id: str | None = None,
    markdown: str | Path | None = None,
    json: str | Path | None = None,
    junit: str | Path | None = None,
    condition: Names = None,
    profile: Names = None,
    subset: Names = None,
    missing: Missing = "common",
    test: Test | None = None,
    correction: Correction = "holm",
    interval: Interval | None = None,
    unit: str | None = None,
    no_cluster: bool = False,
    level: float = 0.95,
    permutations: int = 100_000,
    resamples: int | None = None,
    seed: int = 20040,
    weighting: Weighting | None = None,
    progress: Progress = silent,
) -> "Verdicts":
    """Fail where run NEW is significantly worse than BASELINE by more than a rule allows.

    BASELINE is a run, an archive (.zip), or another store (.duckdb). Exit codes: 0 nothing failed
    (undecided rules are listed on stderr), 1 a rule is broken, 2 a wrong call, such as an invalid rule. P values
    are corrected over all conditions, profiles and subsets that are compared.

    Args:
        fail_if: fail where NEW is worse than BASELINE by more than a rule allows, and significantly; repeatable.
            For example 'c_det_norm > +0.02', 'c_det_norm > +5%', 'f1[language=ENGLISH] < -0.01' ([*]: every
            subset; [language=*]: every value).
        alpha: corrected p values below this are significant.
        baseline_id: the baseline's name in its file, where it is not that of NEW.
        markdown: write the verdicts as markdown.
        json: write the verdicts as JSON.
        junit: write the verdicts as JUnit XML.
        condition: only these conditions; repeatable.
        profile: only these scoring profiles; repeatable.
        subset: for example language=ENGLISH (default all); repeatable.
        weighting: of the means that are compared (default: the usual one).

    Returns:
        A relation with one row per check, and ``failed``.

    Raises:
        InvalidRule: a rule is not valid.
        UnknownName: no such run, condition, profile, subset or metric.
        InvalidComparison: the runs cannot be compared like this.
    """
    paths = {"markdown": markdown, "json": json, "junit": junit}
    files = {kind: Path(path) for kind, path in paths.items() if path is not None}
    requested = Method.of_call(
        no_cluster=no_cluster,
        missing=missing,
        unit=unit,
        test=test,
        interval=interval,
        resamples=resamples,
        permutations=permutations,
        correction=correction,
        level=level,
        seed=seed,
    )
    if not (rules := read_rules(engine, listed(fail_if))):
        raise InvalidRule("there is no rule. Give one with --fail-if, for example 'c_det_norm > +0.02'.")
    for path in files.values():
        check_writable(path)  # before the work, not after it
    baseline, conditions, profiles = str(baseline), listed(condition), listed(profile)
    refresh(engine, progress)
    check_published(engine, conditions)
    step = counting(progress, requested.n_permutation + requested.n_draw, "comparing")
    if not 0.0 < alpha < 1.0:
        raise InvalidSetting(f"alpha {alpha!r} is not between 0 and 1. Give 0.05, for example.")
    check_names(engine, condition_id=conditions, profile_id=profiles)
    tasks = {where: task for where, _, task in runs_named(engine, run, conditions)}
    best = dict(engine.rows("select metric, min(best) from registry.metric group by metric order by metric"))
    other = engine.unused_name("baseline") if Path(baseline).suffix in (ARCHIVE, STORE) else ""
    if not other:
        try:
            runs_named(engine, baseline, conditions)
        except UnknownName as error:
            raise UnknownName(f"{error} A baseline in a file is an archive ({ARCHIVE}) or a store ({STORE}).") from None
    with attached(engine, baseline, other) if other else nullcontext():
        called: dict[str, Any] = {"run": run, "baseline": baseline, "wanted": listed(baseline_id)}
        called |= {"conditions": conditions, "is_file": bool(other)}
        [pairs] = accepted(engine.records(in_store(read_statement("compare/gate_pairs"), other), called))
        for rule in rules:
            check_known("metric", rule["metric"], best)
        question = find("verdicts")
        body = in_store(question.body, other)
        named: dict[str, Any] = {"rules": [rule["line"] for rule in rules], "profiles": profiles or None}
        named["subsets"] = listed(subset) or None
        named |= {"runs": pairs["runs"], "baselines": pairs["baselines"]}
        values = question.values(named | {"alpha": alpha, "correction": requested.correction})
        del values["other"]
        pair, source = ("the new run", "the baseline"), "report.block_score"
        if other:
            columns = "run_id, profile_id, subset, metric, block_id, value"
            source = f"""(select condition_id, {columns} from {source} union all
                select '{other}' || condition_id, {columns} from {other}.{source})"""

        def checked(compared: Sequence[Row]) -> list[Row]:
            with pair_table(engine, compared) as table:
                return engine.records(body.replace("report.comparison", table), values)

        methods, rows = [], list[Row]()
        for check in {tuple(check[name] for name in _KEY): check for check in checked([])}.values():
            condition_id, where, metric = check["condition_id"], check["baseline_condition_id"], check["metric"]
            is_apart = other or condition_id != where or requested.is_by_topic
            is_by_trial = TASKS[tasks[condition_id]].is_by_trial and not is_apart
            runs = {
                "the new run": (condition_id, check["run_id"]),
                "the baseline": (f"{other}{where}", check["baseline_id"]),
            }
            of = (runs, tasks[condition_id], check["profile_id"], metric, check["subset"], best[metric])
            setting = Setting(*of, is_by_trial, weighting or "", source)
            methods.append(decided(engine, setting, requested))
            named = {name: check[name] for name in _KEY} | {"weighting": setting.weighted}
            named["missing"] = methods[-1].missing
            if condition_id != where:
                named["baseline_id"] = f"{where}/{check['baseline_id']}"
            try:
                [row] = comparison_rows(engine, setting, [pair], methods[-1], step)
            except (InvalidSetting, MissingTopics):
                raise
            except InvalidComparison as error:  # no topic in common, an infinite value
                row = {"reason": str(error).rstrip(".")}
            rows.append(row | named)
        checks = checked(rows)
    for rule in rules:
        if rule["line"] not in {check["rule"] for check in checks}:
            raise InvalidRule(
                f"rule {rule['rule']!r} matches nothing: no {rule['metric']} of this subset and profile exists under "
                f"{pairs['conditions']}. `tdtsql score RUN --long` shows what does."
            )
    texts = {rule["line"]: rule["rule"] for rule in rules}
    for check in checks:
        check["rule"], n = texts[check["rule"]], check["n_trial"] or check["n_topic"]
        what = "trial" if check["n_trial"] else topic_word(tasks[check["condition_id"]])
        check |= {"n": n, "over": counted(n, what) if n else ""}
    found = Verdicts(engine, run, baseline, alpha, methods[0], checks, pairs["notes"])
    for kind, path in files.items():
        write_whole(path, found.rendered(kind).encode())
    found.remarks = (*withdrawn(engine, [run, baseline], conditions), *found.remarks)
    return found


# ---- results


@dataclass(eq=False, repr=False)
class Verdicts(RowTable):
    """The verdicts of a gate: a relation with one row per check, which is a table for a paper too."""

    keep = ("verdict", "condition_id", "rule", "difference", "p_adjusted")

    engine: Engine
    run: str
    baseline: str  #: as it was named
    alpha: float
    method: Method  #: of the first comparison
    checks: list[Row]  #: rows of the saved query
    notes: list[str]  #: conditions that only one side has

    def __post_init__(self) -> None:
        rows = [[check[name] for name in SHORT] for check in self.checks]
        self._table = Table(SHORT, rows, self.summary, keep=self.keep)
        super().__init__(relation_of(self.engine, self.checks, COLUMNS), [self._table])
        reasons = [f"{heading(check)}: {check['note']}." for check in self.checks if check["note"]]
        self.remarks, self.exit_code = (*reasons, *self.notes, self.summary), int(self.failed)

    def counted(self, verdict: str) -> int:
        """Return how many checks have a verdict."""
        return sum(check["verdict"] == verdict for check in self.checks)

    @property
    def failed(self) -> bool:
        """A rule is broken."""
        return self.counted("fail") > 0

    @property
    def summary(self) -> str:
        """One sentence."""
        checks = f"{counted(len(self.checks), 'check')}: {self.counted('fail')} failed, {self.counted('undecided')}"
        return (
            f"{checks} not decided. {self.run} against {self.baseline}, alpha {self.alpha:g}, {self.method.test} test, "
            f"{self.method.correction} over {self.checks[0]['family_size']}."
        )

    def shown(self, format_: str) -> list[Table]:
        return [replace(self._table, caption="")] if format_ in PEOPLE else super().shown(format_)

    def rendered(self, kind: str) -> str:
        """Return the verdicts as markdown, JSON (floats with 17 digits; undefined numbers are null) or JUnit XML."""
        if kind != "json":
            return f"{render(WRITTEN[kind], found=self, heading=heading).rstrip()}\n"
        method, names = self.method, ("run", "baseline", "alpha")
        whole = {
            "gate": "failed" if self.failed else "not failed",
            **{name: getattr(self, name) for name in names},
            "test": method.test,
            "correction": method.correction,
            "n_test": self.checks[0]["family_size"],
            "permutations": method.n_permutation,
            "resamples": method.n_resample,
            "seed": method.seed,
            "interval": method.interval,
            "level": method.level,
            "checks": [
                {name: None if check[name] in (math.inf, -math.inf) else check[name] for name in COLUMNS}
                for check in self.checks
            ],
            "notes": self.notes,
        }
        return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def heading(check: dict[str, Any]) -> str:
    """Return which check it is, as one line."""
    return f"{check['condition_id']}, {check['profile_id']}, {check['subset']}: {check['rule']}"
