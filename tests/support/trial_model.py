"""Detection trials in, rows of the metric layer out; and a second implementation in exact fractions.

``load`` makes a store in memory with only what the views read: every case is a
condition whose trials are listed one by one. ``Model`` is the definition,
written from the formulas independently of the SQL.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

import duckdb

from insert_rows import insert_rows
from tdtsql.definitions.catalogue import catalog, closure, sql_root
from tdtsql.task import task_columns
from tdtsql.store.derived import rows_of
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


def parse(text: str) -> list[Trial]:
    """Read a worked example: lines of ``topic count target|nontarget yes|no|- score``, ``#`` begins a comment."""
    trials = []
    for line in text.strip().splitlines():
        words = line.split("#")[0].split()
        if words:
            topic, count, kind, decision, *score = words
            answer = (
                None
                if decision == "-"
                else Answer(decision == "yes", float(score[0]) if score else float(decision == "yes"))
            )
            trials += [Trial(topic, {"target": True, "nontarget": False}[kind], (answer,))] * int(count)
    return trials


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
    cases: Mapping[str, Sequence[Trial]],
    profiles: Mapping[str, Mapping] | None = None,
    *,
    all_points: bool = False,
    topics: Iterable[str] = (),
) -> duckdb.DuckDBPyConnection:
    """Return a connection with a condition for each case and a run for each answer of its trials, for `fetch`.

    Args:
        cases: by condition id.
        profiles: by profile id, with ``base`` and what differs; every condition has all of them. Default: tdt2004.
        topics: topics of every condition in addition to those with trials.
    """
    con = empty_store()
    rows: dict[str, list[dict]] = defaultdict(list)
    for number, (name, changes) in enumerate((profiles or {"tdt2004": {}}).items(), start=1):
        rows["registry.profile"].append({"profile_no": number, "profile_id": name} | profile_values(name, changes))
    run_no = 0
    for number, (name, trials) in enumerate(cases.items(), start=1):
        here, named = {"condition_no": number}, sorted({trial.topic for trial in trials} | set(topics))
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
    con.execute(f"insert into base.labelled_story by name {rows_of('derived.labelled_story')}")
    return con


def profile_values(name: str, changes: Mapping) -> dict:
    """Return the columns of a shipped profile, or of one based on it with changes."""
    changes = dict(changes)
    base = changes.pop("base", name if name in shipped_profiles() else "tdt2004")
    return {**with_base(shipped_profiles(), base), **changes}


def fetch(con: duckdb.DuckDBPyConnection, view: str, **keys: object) -> list[dict]:
    """Return the rows of a view of the detection family that have these values, sorted; the view, and what it reads, is
    made by the first call.
    """
    name, relations = f"metric.detection_{view}__v1", catalog()
    made = con.execute("""
        select schema_name || '.' || table_name from duckdb_tables() union all
        select schema_name || '.' || view_name from duckdb_views() where not internal""").fetchall()
    for relation in closure(relations, [name]):
        if (relation,) not in made:
            kind = "view" if relations[relation].header.is_large else "table"  # as the scorer: each is computed once
            con.execute(f"create {kind} {relation} as {relations[relation].body}")
    cursor = con.execute(f"select * from {name} order by all")
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

    def __init__(self, trials: Sequence[Trial], run: int, profile: Mapping, topics: Iterable[str] = ()):
        self.profile = profile
        self.p_target, self.c_miss, self.c_fa = (Fraction(profile[name]) for name in ("p_target", "c_miss", "c_fa"))
        self.topics = sorted({trial.topic for trial in trials} | set(topics))
        lowest = OMITTED if profile["det_omitted"] == "lowest" else None
        #: (topic, is target, accepted, score or None)
        self.trials = [
            (
                trial.topic,
                trial.is_target,
                answer is not None and answer.is_yes,
                answer.score if answer is not None else lowest,
            )
            for trial, answer in ((trial, trial.answers[run]) for trial in trials)
        ]

    # ---- decisions

    def counts(self, topic: str | None = None) -> dict[str, int]:
        mine = [trial for trial in self.trials if topic in (None, trial[0])]
        hit = sum(is_target and is_yes for _, is_target, is_yes, _ in mine)
        alarm = sum(not is_target and is_yes for _, is_target, is_yes, _ in mine)
        n_target = sum(is_target for _, is_target, _, _ in mine)
        n_nontarget = len(mine) - n_target
        return {
            "n_target": n_target,
            "n_nontarget": n_nontarget,
            "n_hit": hit,
            "n_false_alarm": alarm,
            "n_miss": n_target - hit,
            "n_correct_rejection": n_nontarget - alarm,
        }

    def rates(self, topic: str | None = None) -> tuple[Fraction | None, Fraction | None]:
        count = self.counts(topic)
        return ratio(count["n_miss"], count["n_target"]), ratio(count["n_false_alarm"], count["n_nontarget"])

    def cost(self, p_miss: Fraction | None, p_fa: Fraction | None) -> Fraction | None:
        if p_miss is None or p_fa is None:
            return None
        return self.c_miss * p_miss * self.p_target + self.c_fa * p_fa * (1 - self.p_target)

    def norm(self, cost: Fraction | None) -> Fraction | None:
        return None if cost is None else cost / min(self.c_miss * self.p_target, self.c_fa * (1 - self.p_target))

    def weighted(self, of_topic: Mapping[str, tuple], rule: str) -> tuple:
        """Return the mean rates over topics and the cost that belongs to them."""
        with_target = self.profile["fa_topics"] == "with_target"
        p_miss = mean([miss for miss, _ in of_topic.values() if miss is not None])
        p_fa = mean([fa for miss, fa in of_topic.values() if fa is not None and (miss is not None or not with_target)])
        if rule == "cost_of_means":
            return p_miss, p_fa, self.cost(p_miss, p_fa)
        return (
            p_miss,
            p_fa,
            mean([self.cost(miss, fa) for miss, fa in of_topic.values() if miss is not None and fa is not None]),
        )

    def topic_weighted(self) -> tuple:
        return self.weighted({topic: self.rates(topic) for topic in self.topics}, self.profile["topic_cost"])

    # ---- thresholds

    def at(self, threshold: float | None, *, over: bool = False, taken: set[int] | None = None) -> dict[str, Point]:
        """Return the story- and the topic-weighted point at which a trial is accepted if its score reaches the
        threshold.

        Args:
            over: accept only above it.
            taken: the trials to reject, by position, in place of a threshold.
        """
        missed, alarmed = dict.fromkeys(self.topics, 0), dict.fromkeys(self.topics, 0)
        targets, others = dict.fromkeys(self.topics, 0), dict.fromkeys(self.topics, 0)
        for position, (topic, is_target, _, score) in enumerate(self.trials):
            if taken is not None:
                accepted = position not in taken
            else:
                accepted = (
                    threshold is not None and score is not None and (score > threshold if over else score >= threshold)
                )
            (targets if is_target else others)[topic] += 1
            missed[topic] += is_target and not accepted
            alarmed[topic] += not is_target and accepted
        story = (ratio(sum(missed.values()), sum(targets.values())), ratio(sum(alarmed.values()), sum(others.values())))
        of_topic = {
            topic: (ratio(missed[topic], targets[topic]), ratio(alarmed[topic], others[topic])) for topic in self.topics
        }
        p_miss, p_fa, cost = self.weighted(of_topic, self.profile["topic_cost_minimum"])
        with_target = self.profile["fa_topics"] == "with_target"
        return {
            "story": Point(threshold, *story, self.cost(*story)),
            "topic": Point(
                threshold,
                p_miss,
                p_fa,
                cost,
                standard_error([miss for miss, _ in of_topic.values() if miss is not None]),
                standard_error(
                    [fa for miss, fa in of_topic.values() if fa is not None and (miss is not None or not with_target)]
                ),
            ),
        }

    def curve(self) -> dict[str, list[Point]]:
        """Return both curves complete: reject-all, then every distinct score downwards."""
        scores = sorted({score for *_, score in self.trials if score is not None}, reverse=True)
        points = [self.at(threshold) for threshold in [None, *scores]]
        return {weighting: [point[weighting] for point in points] for weighting in ("story", "topic")}

    def program(self) -> dict[str, list[Point]]:
        """Return both curves by TDT3eval's sweep: upwards, targets first among equals, until one kind is used up."""
        order = sorted(
            range(len(self.trials)),
            key=lambda place: (self.trials[place][3], not self.trials[place][1], self.trials[place][0], place),
        )
        left = {True: sum(trial[1] for trial in self.trials), False: sum(not trial[1] for trial in self.trials)}
        passed: set[int] = set()
        points = []
        for number, place in enumerate(order):
            if not left[True] or not left[False]:
                break
            _, is_target, _, score = self.trials[place]
            passed.add(place)
            left[is_target] -= 1
            if is_target or (left[False] and self.trials[order[number + 1]][1]):
                point = self.at(None, taken=passed)
                points.append({weighting: Point(score, *_values(point[weighting])) for weighting in point})
        return {weighting: [point[weighting] for point in points] for weighting in ("story", "topic")}

    def minimum(self, points: Sequence[Point]) -> Point | None:
        """Return the point of lowest cost, the one with the lowest threshold among equals (to 1e-12)."""
        costed = [point for point in points if point.c_det is not None]
        if not costed:
            return None
        best = min((point.c_det * 10**12 + Fraction(1, 2)) // 1 for point in costed)
        near = [point for point in costed if (point.c_det * 10**12 + Fraction(1, 2)) // 1 == best]
        return min(near, key=lambda point: float("inf") if point.threshold is None else point.threshold)


def _values(point: Point) -> tuple:
    return point.p_miss, point.p_fa, point.c_det, point.p_miss_se, point.p_fa_se


def ratio(above: int, below: int) -> Fraction | None:
    return Fraction(above, below) if below else None


def mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction(0)) / len(values) if values else None


def variance(values: Sequence[Fraction]) -> Fraction | None:
    """Return the sample variance, exactly; None below two values."""
    if len(values) < 2:
        return None
    center = sum(values, Fraction(0)) / len(values)
    return sum(((value - center) ** 2 for value in values), Fraction(0)) / (len(values) - 1)


def standard_error(values: Sequence[Fraction]) -> float | None:
    spread = variance(values)
    return None if spread is None else sqrt(spread / len(values))
