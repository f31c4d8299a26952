"""Detection trials in, rows of the metric layer out; and a second implementation in exact fractions.

``load`` makes a store in memory with only what the views read: every case is a
condition whose trials are listed one by one. ``Model`` is the definition,
written from the formulas independently of the SQL.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from types import SimpleNamespace
from typing import NamedTuple

import duckdb

from insert_rows import insert_rows
from tdtsql.definitions.catalogue import catalog, closure, sql_root
from tdtsql.task import task_columns
from tdtsql.store.derived import refresh, rows_of
from tdtsql.store.profiles import shipped_profiles, with_base

#: score of a trial that the system said nothing of (plan, appendix B.3)
OMITTED = -9e99


class Answer(NamedTuple):
    """What a system said of one trial."""

    is_yes: bool
    score: float


class Trial(NamedTuple):
    """One trial: its topic, whether it is a target, and what each run said (None: nothing)."""

    topic: str
    is_target: bool
    answers: tuple[Answer | None, ...]


def insert_tasks(con: duckdb.DuckDBPyConnection) -> None:
    """Write what a task is into tables that a test made itself."""
    columns = task_columns()
    con.execute(
        f"insert into registry.task ({', '.join(columns)}) select {', '.join('unnest(?)' for _ in columns)}",
        list(columns.values()),
    )


def _made() -> duckdb.DuckDBPyConnection:
    """Return a database in memory with the tables of a store and what a task is."""
    con = duckdb.connect(config={"threads": 1})
    for schema in ("registry", "staging", "base", "metric", "ledger"):
        con.execute(f"create schema {schema}")
    for path in sorted((sql_root() / "schema").glob("[1-7]_*.sql")):
        con.execute(path.read_text(encoding="utf-8"))
    insert_tasks(con)
    return con


_empty: list[duckdb.DuckDBPyConnection] = []  #: that database, and the connection to it that was given out last


def empty_store() -> duckdb.DuckDBPyConnection:
    """Return a connection to tables without rows: inside a transaction that ends with it, so that they are made once
    for all tests of a process.
    """
    if not _empty:
        _empty.append(_made())
    if len(_empty) == 2:
        try:
            _empty[1].execute("select 1")
            return _made()  # two at a time would make the same tables
        except duckdb.ConnectionException:
            _empty.pop()
    con = _empty[0].cursor()
    con.begin()
    _empty.append(con)
    return con


def load(
    cases: Mapping[str, Sequence[Trial]], profiles: Mapping[str, Mapping] | None = None, *, all_points: bool = False
) -> duckdb.DuckDBPyConnection:
    """Return a connection with a condition for each case and a run for each answer of its trials, for `fetch`.

    Args:
        cases: by condition id.
        profiles: by profile id, with ``base`` and what differs; every condition has all of them. Default: tdt2004.
    """
    con = empty_store()
    rows: dict[str, list[dict]] = defaultdict(list)
    for number, (name, changes) in enumerate((profiles or {"tdt2004": {}}).items(), start=1):
        rows["registry.profile"].append({"profile_no": number, "profile_id": name} | profile_values(name, changes))
    run_no = 0
    for number, (name, trials) in enumerate(cases.items(), start=1):
        here, named = {"condition_no": number}, sorted({trial.topic for trial in trials})
        blocks = {topic: block_no for block_no, topic in enumerate(named, start=1)}
        n_run = max((len(trial.answers) for trial in trials), default=1)
        condition = {"condition_id": name, "corpus_no": number, "base_condition_no": number}
        rows["registry.condition"].append(here | condition)
        rows["base.subset"].append(here)
        rows["base.curve_request"].append(here | {"subset_no": 0, "all_points": int(all_points)})
        rows["registry.condition_profile"] += [here | {"profile_no": no + 1} for no in range(len(profiles or [1]))]
        for topic, no in blocks.items():
            block = {"block_no": no, "block_id": topic, "topic_no": no, "first_test_story_no": 1}
            rows["base.block"].append(here | block)
        for run in range(n_run):
            row = {"run_no": run_no + run + 1, "run_id": f"{name}/{run}", "n_row": len(trials)}
            rows["registry.run"].append(here | row)
        for trial_no, trial in enumerate(trials, start=1):
            block = blocks[trial.topic]
            place = {"block_no": block, "trial_no": trial_no}
            rows["base.listed_pair"].append(here | place | {"segment_no": 1})
            if trial.is_target:
                judged = {"corpus_no": number, "judgment_set": 1, "topic_no": block, "story_no": trial_no}
                rows["base.judgment"].append(judged | {"label": "yes"})
            for run, answer in enumerate(trial.answers, start=run_no + 1):
                if answer is not None:
                    rows["base.decision"].append(place | {"run_no": run, "segment_no": 0} | answer._asdict())
        run_no += n_run
    for table, inside in rows.items():
        insert_rows(con.execute, table, inside)
    derive(con)
    return con


def derive(con: duckdb.DuckDBPyConnection, conditions: Iterable[int] = ()) -> None:
    """Compute what a load derives: labels of stories; which of these conditions, and their runs, are partitions."""
    con.execute(f"insert into base.labelled_story by name {rows_of('derived.labelled_story')}")
    engine = SimpleNamespace(execute=con.execute, rows=lambda sql: con.execute(sql).fetchall())
    for derived in ("condition_is_partition", "run_is_partition", "run_has_decision") if conditions else ():
        refresh(engine, f"derived.{derived}", conditions)


def profile_values(name: str, changes: Mapping) -> dict:
    """Return the columns of a shipped profile, or of one based on it with changes."""
    changes = dict(changes)
    base = changes.pop("base", name if name in shipped_profiles() else "tdt2004")
    return {**with_base(shipped_profiles(), base), **changes}


def create_views(con: duckdb.DuckDBPyConnection, names: Iterable[str]) -> None:
    """Make views and all that they read, except what is there: as tables, as the scorer does, computed once."""
    made = con.execute("""
        select schema_name || '.' || table_name from duckdb_tables() union all
        select schema_name || '.' || view_name from duckdb_views() where not internal""").fetchall()
    relations = catalog()
    for relation in closure(relations, list(names)):
        if (relation,) not in made:
            kind = "view" if relations[relation].header.is_large else "table"
            con.execute(f"create {kind} {relation} as {relations[relation].body}")


def fetch(con: duckdb.DuckDBPyConnection, view: str, **keys: object) -> list[dict]:
    """Return the rows of a view of the metric layer, such as ``bcubed_score``, that have these values, sorted; the view
    is made by the first call.
    """
    create_views(con, [f"metric.{view}__v1"])
    cursor = con.execute(f"select * from metric.{view}__v1 order by all")
    names = [column[0] for column in cursor.description]
    found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return [row for row in found if all(row[key] == value for key, value in keys.items())]


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a curve; the standard errors are doubles, everything else is exact."""

    threshold: float | None
    p_miss: Fraction | None
    p_fa: Fraction | None
    c_det: Fraction | None
    p_miss_se: float | None = None
    p_fa_se: float | None = None


class Model:
    """Every number of one run on one case under one profile, in fractions."""

    def __init__(self, trials: Sequence[Trial], run: int, profile: Mapping):
        self.profile = profile
        self.p_target, self.c_miss, self.c_fa = (Fraction(profile[name]) for name in ("p_target", "c_miss", "c_fa"))
        self.topics = sorted({trial.topic for trial in trials})
        answers = [trial.answers[run] for trial in trials]
        lowest = OMITTED if profile["det_omitted"] == "lowest" else None
        self.trials = [(trial.topic, trial.is_target) for trial in trials]
        self.decisions = [answer is not None and answer.is_yes for answer in answers]
        self.scores = [lowest if answer is None else answer.score for answer in answers]

    # ---- decisions; ``accepted`` is one for each trial, by default the run's own

    def counts(self, topic: str | None = None, accepted: Sequence[bool] | None = None) -> dict[str, int]:
        """Return the counts of a topic, or of all."""
        said = self.decisions if accepted is None else accepted
        mine = [(is_target, is_yes) for (name, is_target), is_yes in zip(self.trials, said) if topic in (None, name)]
        return {
            "n_target": sum(is_target for is_target, _ in mine),
            "n_nontarget": sum(not is_target for is_target, _ in mine),
            "n_hit": mine.count((True, True)),
            "n_false_alarm": mine.count((False, True)),
            "n_miss": mine.count((True, False)),
            "n_correct_rejection": mine.count((False, False)),
        }

    def rates(self, topic: str | None = None, accepted: Sequence[bool] | None = None) -> tuple:
        """Return p_miss and p_fa of a topic, or of all trials."""
        count = self.counts(topic, accepted)
        return ratio(count["n_miss"], count["n_target"]), ratio(count["n_false_alarm"], count["n_nontarget"])

    def cost(self, p_miss: Fraction | None, p_fa: Fraction | None) -> Fraction | None:
        if p_miss is None or p_fa is None:
            return None
        return self.c_miss * p_miss * self.p_target + self.c_fa * p_fa * (1 - self.p_target)

    def norm(self, cost: Fraction | None) -> Fraction | None:
        return None if cost is None else cost / min(self.c_miss * self.p_target, self.c_fa * (1 - self.p_target))

    def topic_weighted(self, rule: str, accepted: Sequence[bool] | None = None) -> Point:
        """Return the mean rates over topics and the cost that belongs to them by the policy ``rule`` of the profile."""
        rates = [self.rates(topic, accepted) for topic in self.topics]
        with_target = self.profile["fa_topics"] == "with_target"
        misses = [miss for miss, _ in rates if miss is not None]
        alarms = [fa for miss, fa in rates if fa is not None and (miss is not None or not with_target)]
        p_miss, p_fa = mean(misses), mean(alarms)
        if self.profile[rule] == "cost_of_means":
            cost = self.cost(p_miss, p_fa)
        else:
            cost = mean([self.cost(miss, fa) for miss, fa in rates if miss is not None and fa is not None])
        return Point(None, p_miss, p_fa, cost, standard_error(misses), standard_error(alarms))

    # ---- thresholds

    def points(self, threshold: float | None, accepted: Sequence[bool]) -> dict[str, Point]:
        """Return the story- and the topic-weighted point of a threshold at which these trials are accepted."""
        story = self.rates(None, accepted)
        topic = self.topic_weighted("topic_cost_minimum", accepted)
        return {"story": Point(threshold, *story, self.cost(*story)), "topic": replace(topic, threshold=threshold)}

    def complete(self) -> list[dict[str, Point]]:
        """Return both curves complete: reject-all, then every distinct score downwards."""
        thresholds = [None, *sorted({score for score in self.scores if score is not None}, reverse=True)]
        return [
            self.points(at, [at is not None and score is not None and score >= at for score in self.scores])
            for at in thresholds
        ]

    def program(self) -> list[dict[str, Point]]:
        """Return both curves by TDT3eval's sweep: upwards, targets first among equals, until one kind is used up."""
        order = sorted(
            range(len(self.trials)),
            key=lambda place: (self.scores[place], not self.trials[place][1], self.trials[place][0], place),
        )
        kinds = [self.trials[place][1] for place in order]
        found = []
        for number, place in enumerate(order):
            left = kinds[number + 1 :]
            if len({*left, kinds[number]}) < 2:  # one kind is used up
                break
            if kinds[number] or (False in left and left[0]):
                rejected = order[: number + 1]
                accepted = [other not in rejected for other in range(len(order))]
                found.append(self.points(self.scores[place], accepted))
        return found

    def curves(self) -> dict[str, list[Point]]:
        """Return both curves by the rule of the profile."""
        points = self.program() if self.profile["det_rule"] == "program" else self.complete()
        return {weighting: [point[weighting] for point in points] for weighting in ("story", "topic")}

    def minimum(self, points: Sequence[Point]) -> Point | None:
        """Return the point of lowest cost, the one with the lowest threshold among equals (to 1e-12)."""

        def order(point: Point) -> tuple[int, float]:
            return (point.c_det * 10**12 + Fraction(1, 2)) // 1, (
                float("inf") if point.threshold is None else point.threshold
            )

        return min((point for point in points if point.c_det is not None), key=order, default=None)


def ratio(above: int, below: int) -> Fraction | None:
    return Fraction(above, below) if below else None


def mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction(0)) / len(values) if values else None


def standard_error(values: Sequence[Fraction]) -> float | None:
    """Return that of a mean, from the exact sample variance; None below two values."""
    if len(values) < 2:
        return None
    center = mean(values)
    return sqrt(sum((value - center) ** 2 for value in values) / (len(values) - 1) / len(values))
