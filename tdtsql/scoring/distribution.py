"""Score distributions of a computed run: fitted, and stored with its other results.

Everything is over the scored trials that have a decision, of subset ``all``.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import accumulate, repeat

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
from tdtsql.definitions.catalogue import read_statement
from tdtsql.definitions.table import tables
from tdtsql.store.recording import DISTRIBUTIONS, append, distribution_entries
from tdtsql.task import tasks_with

PRIORS = ("fixed", "own")
#: bins of a histogram
N_BIN = 40
#: decisions of small runs that are fitted together
LARGEST_BATCH = 3_000_000
#: the number under which the distribution of all topics together is stored
TOGETHER = 0
#: c_miss, c_fa and p_target of a profile
Costs = Sequence[float | None]


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

    @property
    def p_rel(self) -> float | None:
        return self.n_on / (self.n_on + self.n_off) if self.n_on + self.n_off else None

    @property
    def fits(self) -> dict[str, float]:
        """The columns of the two fits."""
        fits: dict[str, float] = {}
        if on := self.gaussian:
            fits |= {"on_mean": on.mean, "on_sd": on.sd, "on_ks": gaussian_ks(on, self.on)}
        if off := self.exponential:
            ks = exponential_ks(off, self.off)
            fits |= {"off_rate": off.rate, "off_origin": off.origin, "off_ks": ks}
        return fits

    def costed(self, prior: str, costs: Costs) -> ScoredTopic | None:
        """Return the scores with their cost under a prior; None if the topic has no such prior."""
        c_miss, c_fa, p_target = costs
        probability = p_target if prior == "fixed" else self.p_rel
        if not c_miss or not c_fa or not probability or not 0 < probability < 1:
            return None
        return ScoredTopic(self.on, self.off, self.n_on, self.n_off, CostModel(c_miss, c_fa, probability))


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
    given = {"tasks": tasks_with(is_detection=True), "runs": run_nos, "largest": largest}
    chosen = engine.rows(read_statement("scoring/missing_distribution"), given)
    while chosen:
        n_fit = max(1, bisect_right(list(accumulate(row[-1] for row in chosen)), LARGEST_BATCH))
        batch, chosen = chosen[:n_fit], chosen[n_fit:]
        numbers = [computation_no for computation_no, *_ in batch]
        with engine.transaction() if is_recorded else nullcontext():
            topics = _topics(engine, [(run_no, profile_no) for _, run_no, profile_no, *_ in batch])
            for table in DISTRIBUTIONS:
                engine.execute(f"delete from {table} where list_contains(?, computation_no)", [numbers])
            _insert(engine, [(number, topics[run, profile], costs) for number, run, profile, costs, _ in batch])
            if is_recorded:
                append(engine, *distribution_entries(engine, numbers).values())


def _insert(engine: Engine, computed: Sequence[tuple[int, Sequence[_Topic], Costs]]) -> None:
    """Fit and store the score distributions of computations: (number, topics, costs)."""
    fitted, common, bins = [], [], []
    for number, topics, costs in computed:
        if not topics or min(cost or 0.0 for cost in costs) <= 0:
            continue
        fits = [topic.fits for topic in topics]
        for prior in PRIORS:
            costed = [topic.costed(prior, costs) for topic in topics]
            for topic, fit, scored in zip(topics, fits, costed, strict=True):
                fitted.append({"computation_no": number, "prior": prior, **fit, **_row(topic, scored)})
            judged = [scored for scored in costed[1:] if scored and scored.n_on and scored.n_off]
            best = common_threshold(judged) if judged else None
            found = (_finite(best.threshold), best.cost, best.own_cost) if best else (None, None, None)
            common.append((number, prior, len(judged), *found))
        bins += _bins(number, topics)
    columns = list(tables()["ledger.result_distribution"].columns)
    engine.insert("ledger.result_distribution", {name: [row.get(name) for row in fitted] for name in columns})
    for table, rows in zip(DISTRIBUTIONS[1:], (common, bins), strict=True):
        engine.insert_rows(table, list(tables()[table].columns), rows)


def _topics(engine: Engine, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], list[_Topic]]:
    """Return for each (run, profile) all topics together, and then every topic, with their scores."""
    chosen = f"(run_no, profile_no) in ({', '.join(map(str, pairs))})"
    columns = engine.query(
        f"""select run_no, profile_no, block_no, is_target, score from base.scored_decision__v1
        where {chosen} order by run_no, profile_no, block_no, score"""
    ).fetchnumpy()
    run, profile, block = (np.asarray(columns[name]) for name in ("run_no", "profile_no", "block_no"))
    score, is_target = np.asarray(columns["score"], dtype=float), np.asarray(columns["is_target"]) == 1
    found: dict[tuple[int, int], list[_Topic]] = {pair: [] for pair in pairs}
    counts = engine.rows(
        f"""select run_no, profile_no, list([block_no, n_target, n_nontarget] order by block_no),
            cast(sum(n_target) as bigint), cast(sum(n_nontarget) as bigint)
        from metric.detection_trial_total__v1 where {chosen} and subset_no = 0 group by all"""
    )
    for run_no, profile_no, topics, *total in counts:
        low, high = np.searchsorted(run, [run_no, run_no + 1])
        low, high = np.searchsorted(profile[low:high], [profile_no, profile_no + 1]) + low
        inside, scores = is_target[low:high], score[low:high]
        for block_no, n_on, n_off in ((TOGETHER, *total), *topics):
            on, off = scores[inside], scores[~inside]
            if block_no == TOGETHER:
                on, off = np.sort(on), np.sort(off)
            else:
                part = slice(*np.searchsorted(block[low:high], [block_no, block_no + 1]))
                on, off = scores[part][inside[part]], scores[part][~inside[part]]
            topic = _Topic(block_no, n_on, n_off, on, off, fit_gaussian(on), fit_exponential(off))
            found[run_no, profile_no].append(topic)
    return found


def _row(topic: _Topic, scored: ScoredTopic | None) -> dict:
    """Return what is stored of a topic under a prior, without its fits."""
    row: dict = {
        "block_no": topic.block_no,
        "p_target": scored.model.p_target if scored else None,
        "p_rel": topic.p_rel,
        "n_on": len(topic.on),
        "n_off": len(topic.off),
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
