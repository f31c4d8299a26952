"""Score distributions of a computed run: fitted, and stored with its other results.

Everything is over the scored trials that have a decision, of subset ``all``.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import accumulate, repeat
from typing import NamedTuple

import numpy as np

from tdtsql.errors import not_none
from tdtsql.distribution.model import (
    Exponential,
    Gaussian,
    exponential_ks,
    fit_exponential,
    fit_gaussian,
    gaussian_ks,
)
from tdtsql.distribution.threshold import (
    CostModel,
    ScoredTopic,
    Threshold,
    common_threshold,
    data_threshold,
    fitted_threshold,
    optimal_posterior,
    posterior,
)
from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.table import tables
from tdtsql.store.recording import append
from tdtsql.store.results import DISTRIBUTIONS, distribution_entries
from tdtsql.task import task_list_sql

PRIORS = ("fixed", "own")
#: bins of a histogram
N_BIN = 40
#: decisions of small runs that are fitted together
LARGEST_BATCH = 3_000_000
#: the number under which the distribution of all topics together is stored
TOGETHER = 0
#: c_miss, c_fa and p_target of a profile
Costs = tuple[float | None, float | None, float | None]


@dataclass(frozen=True, slots=True)
class _Topic:
    """The scores of one topic, or of all topics together, ascending; and what fits them."""

    block_no: int
    n_on: int  #: target trials, with a score or without
    n_off: int
    on: np.ndarray
    off: np.ndarray
    gaussian: Gaussian | None
    exponential: Exponential | None
    fits: dict[str, float]  #: columns of the two fits

    @property
    def p_rel(self) -> float | None:
        return self.n_on / (self.n_on + self.n_off) if self.n_on + self.n_off else None

    def costed(self, prior: str, costs: Costs) -> ScoredTopic | None:
        """Return the scores with their cost under a prior; None if the topic has no such prior."""
        c_miss, c_fa, p_target = costs
        probability = p_target if prior == "fixed" else self.p_rel
        if not c_miss or not c_fa or not probability or not 0 < probability < 1:
            return None
        return ScoredTopic(self.on, self.off, self.n_on, self.n_off, CostModel(c_miss, c_fa, probability))


class _Missing(NamedTuple):
    """A computation whose scores are to be fitted."""

    computation_no: int
    run_no: int
    profile_no: int
    costs: Costs
    n_row: int  #: decisions of the run


def _keep(engine: Engine, computed: Sequence[tuple[_Missing, Sequence[_Topic]]]) -> None:
    """Fit and store the score distributions of computations; what was there for them is replaced."""
    fitted, common, bins = [], [], []
    for one, topics in computed:
        rows = _fitted_rows(topics, one.costs)
        fitted += [{"computation_no": one.computation_no, **row} for row in rows]
        for prior in PRIORS if rows else ():
            costed = [
                scored
                for topic in topics
                if topic.block_no != TOGETHER
                and topic.n_on
                and topic.n_off
                and (scored := topic.costed(prior, one.costs))
            ]
            best = common_threshold(costed) if costed else None
            found = (_finite(best.threshold), best.cost, best.own_cost) if best else (None, None, None)
            common.append((one.computation_no, prior, len(costed), *found))
        bins += _bins(one.computation_no, topics) if rows else []
    for table in DISTRIBUTIONS:
        engine.execute(
            f"delete from {table} where list_contains(?, computation_no)", [[one.computation_no for one, _ in computed]]
        )
    columns = list(tables()["ledger.result_distribution"].columns)
    engine.insert("ledger.result_distribution", {name: [row.get(name) for row in fitted] for name in columns})
    thresholds = ("computation_no", "prior", "n_block", "threshold", "cost_norm", "own_cost_norm")
    engine.insert_rows("ledger.result_common_threshold", thresholds, common)
    bin_columns = ("computation_no", "block_no", "is_target", "bin_no", "lower_end", "upper_end", "n_score")
    engine.insert_rows("ledger.result_histogram", bin_columns, bins)


def _fitted_rows(topics: Sequence[_Topic], costs: Costs) -> list[dict]:
    """Return a row for each topic of a run and prior; empty if the profile has no costs."""
    if min(cost or 0.0 for cost in costs) <= 0:
        return []
    return [_row(topic, prior, topic.costed(prior, costs)) for prior in PRIORS for topic in topics]


def store_missing_distributions(
    engine: Engine, run_nos: Sequence[int] | None = None, *, largest: float = math.inf, is_recorded: bool = True
) -> None:
    """Fit and store the missing distributions of the computations that are up to date, small runs together: planning a
    query takes longer than running it.

    Args:
        run_nos: these runs only.
        largest: leave out runs with more decisions than this.
        is_recorded: in transactions with entries in the ledger; False: in the caller's, without.
    """
    chosen = _missing(engine, run_nos, largest)
    while chosen:
        n_row = list(accumulate(one.n_row for one in chosen))
        n_fit = max(1, bisect_right(n_row, LARGEST_BATCH))
        batch, chosen = chosen[:n_fit], chosen[n_fit:]
        with engine.transaction() if is_recorded else nullcontext():
            topics = _topics(engine, [(one.run_no, one.profile_no) for one in batch])
            _keep(engine, [(one, topics[one.run_no, one.profile_no]) for one in batch])
            if is_recorded:
                append(engine, *distribution_entries(engine, [one.computation_no for one in batch]).values())


def _missing(engine: Engine, run_nos: Sequence[int] | None, largest: float) -> list[_Missing]:
    """Return the computations that are up to date and have no fits."""
    wanted = engine.rows(f"""
        select newest.computation_no, run.run_no, computation.profile_no, profile.c_miss, profile.c_fa,
            profile.p_target, run.n_row
        from ledger.current_computation as newest
        join ledger.computation as computation on computation.computation_no = newest.computation_no
        join registry.run as run on run.run_no = computation.run_no
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.profile as profile on profile.profile_no = computation.profile_no
        where condition.task in ({task_list_sql(is_detection=True)})
            and newest.computation_no not in (select computation_no from ledger.result_common_threshold)
        order by newest.computation_no""")
    return [
        _Missing(computation_no, run_no, profile_no, (c_miss, c_fa, p_target), n_row)
        for computation_no, run_no, profile_no, c_miss, c_fa, p_target, n_row in wanted
        if (run_nos is None or run_no in run_nos) and n_row <= largest
    ]


def _topics(engine: Engine, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], list[_Topic]]:
    """Return for each (run, profile) every topic with its scores, and all of them together as the first."""
    chosen = f"(run_no, profile_no) in ({', '.join(f'({run_no}, {profile_no})' for run_no, profile_no in pairs)})"
    counts: dict[tuple[int, int], list[tuple[int, int, int]]] = {pair: [] for pair in pairs}
    for run_no, profile_no, *counted in engine.rows(
        f"""select run_no, profile_no, block_no, n_target, n_nontarget from metric.detection_trial_total__v1
        where {chosen} and subset_no = 0 order by run_no, profile_no, block_no"""
    ):
        counts[run_no, profile_no].append(tuple(counted))
    columns = engine.query(
        f"""select run_no, profile_no, block_no, is_target, score from base.scored_decision__v1
        where {chosen} order by run_no, profile_no, block_no, score"""
    ).fetchnumpy()
    run, profile, block = (np.asarray(columns[name]) for name in ("run_no", "profile_no", "block_no"))
    score, is_target = np.asarray(columns["score"], dtype=float), np.asarray(columns["is_target"]) == 1
    found = {}
    for run_no, profile_no in pairs:
        of_run = slice(*np.searchsorted(run, [run_no, run_no + 1]))
        low, high = np.searchsorted(profile[of_run], [profile_no, profile_no + 1]) + of_run.start
        found[run_no, profile_no] = _topics_of(
            counts[run_no, profile_no], block[low:high], is_target[low:high], score[low:high]
        )
    return found


def _topics_of(
    counts: Sequence[tuple[int, int, int]], block: np.ndarray, is_target: np.ndarray, score: np.ndarray
) -> list[_Topic]:
    """Return the topics of one run, and all together as the first.

    Args:
        counts: (topic, targets, non-targets), scored or not by the system.
        block, is_target, score: of its decisions, by topic and score.
    """
    topics = (
        [
            _topic(
                TOGETHER,
                sum(row[1] for row in counts),
                sum(row[2] for row in counts),
                np.sort(score[is_target]),
                np.sort(score[~is_target]),
            )
        ]
        if counts
        else []
    )
    for block_no, n_on, n_off in counts:
        first, last = np.searchsorted(block, [block_no, block_no + 1])
        inside, scores = is_target[first:last], score[first:last]
        topics.append(_topic(block_no, n_on, n_off, scores[inside], scores[~inside]))
    return topics


def _topic(block_no: int, n_on: int, n_off: int, on: np.ndarray, off: np.ndarray) -> _Topic:
    gaussian, exponential = fit_gaussian(on), fit_exponential(off)
    fits: dict[str, float] = {}
    if gaussian:
        fits |= {"on_mean": gaussian.mean, "on_sd": gaussian.sd, "on_ks": gaussian_ks(gaussian, on)}
    if exponential:
        ks = exponential_ks(exponential, off)
        fits |= {"off_rate": exponential.rate, "off_origin": exponential.origin, "off_ks": ks}
    return _Topic(block_no, n_on, n_off, on, off, gaussian, exponential, fits)


def _row(topic: _Topic, prior: str, scored: ScoredTopic | None) -> dict:
    row: dict = {
        "block_no": topic.block_no,
        "prior": prior,
        "p_target": scored.model.p_target if scored else None,
        "p_rel": topic.p_rel,
        "n_on": len(topic.on),
        "n_off": len(topic.off),
        **topic.fits,
    }
    if scored and topic.n_on and topic.n_off:
        row["optimal_posterior"] = optimal_posterior(scored.model, not_none(topic.p_rel))
        best = data_threshold(scored)
        row |= {"best_threshold": _finite(best.threshold), "best_cost_norm": best.norm_cost}
        if topic.gaussian and topic.exponential:
            row |= _fitted(topic, topic.gaussian, topic.exponential, scored.model)
    return row


def _fitted(topic: _Topic, on: Gaussian, off: Exponential, model: CostModel) -> dict:
    point: Threshold = fitted_threshold(on, off, model)
    missed = int((topic.on < point.threshold).sum()) + topic.n_on - len(topic.on)
    alarms = int((topic.off >= point.threshold).sum())
    if point.kind == "accept_all":  # trials without a score as well
        missed, alarms = 0, topic.n_off
    return {
        "fitted_kind": point.kind,
        "fitted_threshold": _finite(point.threshold),
        "upper_crossing": point.upper,
        "n_above_upper": None
        if point.upper is None
        else int((topic.on > point.upper).sum() + (topic.off > point.upper).sum()),
        "fitted_posterior": posterior(point.threshold, on, off, not_none(topic.p_rel))
        if point.kind == "crossing"
        else None,
        "fitted_cost_norm": point.norm_cost,
        "fitted_data_cost_norm": model.cost(missed / topic.n_on, alarms / topic.n_off) / model.worst,
    }


def _bins(computation_no: int, topics: Sequence[_Topic]) -> list[tuple]:
    """Return the bins of the histograms of a computation: the columns of ledger.result_histogram."""
    rows: list[tuple] = []
    for topic in topics:
        both = np.concatenate([topic.on, topic.off])
        if not len(both):
            continue
        low, high = float(both.min()), float(both.max())
        if not math.isfinite(high - low):
            continue  # infinity is stored as the largest number, which no bin of equal width holds
        edges = np.linspace(low, high if high > low else low + 1, N_BIN + 1)
        key = repeat(computation_no), repeat(topic.block_no)
        for is_target, scores in ((1, topic.on), (0, topic.off)):
            counts, _ = np.histogram(scores, edges)
            lower, upper = edges[:-1].tolist(), edges[1:].tolist()
            rows += zip(*key, repeat(is_target), range(N_BIN), lower, upper, counts.tolist())
    return rows


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
