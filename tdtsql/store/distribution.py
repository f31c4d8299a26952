"""Score distributions of a computed run: fitted, and kept beside its other results.

Everything is over the scored trials that have a decision, of subset ``all``.
"""

import math
from dataclasses import dataclass

import numpy as np

from tdtsql.distribution.model import (
    Exponential,
    Gaussian,
    exponential_fit,
    fit_exponential,
    fit_gaussian,
    gaussian_fit,
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

TABLES = ("ledger.result_distribution", "ledger.result_common_threshold", "ledger.result_histogram")
#: bins of a histogram
N_BIN = 40


@dataclass(frozen=True, slots=True)
class _Topic:
    block_no: int
    n_on: int
    n_off: int
    on: np.ndarray
    off: np.ndarray

    @property
    def p_rel(self) -> float | None:
        return self.n_on / (self.n_on + self.n_off) if self.n_on + self.n_off else None


def keep_distributions(engine: Engine, computation_no: int) -> int:
    """Fit and store the score distributions of one computation; returns the topics fitted.

    What was there for this computation is replaced.
    """
    for table in TABLES:
        engine.execute(f"delete from {table} where computation_no = ?", [computation_no])
    run_no, profile_no, c_miss, c_fa, p_target = engine.rows(
        "select computation.run_no, computation.profile_no, profile.c_miss, profile.c_fa, profile.p_target "
        "from ledger.computation as computation inner join registry.profile as profile "
        "on profile.profile_no = computation.profile_no where computation.computation_no = ?", [computation_no])[0]
    topics = _topics(engine, run_no, profile_no)
    if not topics or not all(value and value > 0 for value in (c_miss, c_fa, p_target)):
        return 0
    rows: list[dict] = []
    for prior in ("fixed", "own"):
        costed = []
        for topic in topics:
            probability = p_target if prior == "fixed" else topic.p_rel
            model = CostModel(c_miss, c_fa, probability) if probability and 0 < probability < 1 else None
            rows.append(_row(topic, prior, model))
            if model and topic.n_on and topic.n_off:
                costed.append(ScoredTopic(topic.on, topic.off, topic.n_on, topic.n_off, model))
        common = common_threshold(costed) if costed else None
        engine.insert("ledger.result_common_threshold", {
            "computation_no": [computation_no], "prior": [prior], "n_block": [len(costed)],
            "threshold": [_finite(common.threshold) if common else None],
            "cost_norm": [common.cost if common else None], "own_cost_norm": [common.own_cost if common else None],
        })
    engine.insert("ledger.result_distribution", {
        "computation_no": [computation_no] * len(rows),
        **{name: [row.get(name) for row in rows] for name in rows[0] | _FITTED},
    })
    _keep_histograms(engine, computation_no, topics)
    return len(topics)


#: columns that only a fit fills
_FITTED = dict.fromkeys((
    "on_mean", "on_sd", "on_ks", "on_ks_p", "off_rate", "off_origin", "off_ks", "off_ks_p", "fitted_kind",
    "fitted_threshold", "upper_crossing", "n_above_upper", "fitted_posterior", "optimal_posterior",
    "fitted_cost_norm", "fitted_data_cost_norm", "best_threshold", "best_cost_norm",
))


def _topics(engine: Engine, run_no: int, profile_no: int) -> list[_Topic]:
    counts = engine.rows(
        "select block_no, n_target, n_nontarget from metric.detection_count__v1 "
        "where run_no = ? and profile_no = ? and subset_no = 0 order by block_no", [run_no, profile_no])
    columns = engine.query(
        "select block_no, is_target, score from base.scored_decision__v1 "
        "where run_no = ? and profile_no = ? order by block_no, trial_no", [run_no, profile_no]).fetchnumpy()
    block, score = np.asarray(columns["block_no"]), np.asarray(columns["score"], dtype=float)
    is_target = np.asarray(columns["is_target"]) == 1
    topics = []
    for block_no, n_on, n_off in counts:
        first, last = np.searchsorted(block, [block_no, block_no + 1])
        inside, scores = is_target[first:last], score[first:last]
        topics.append(_Topic(block_no, n_on, n_off, scores[inside], scores[~inside]))
    return topics


def _row(topic: _Topic, prior: str, model: CostModel | None) -> dict:
    row: dict = {
        "block_no": topic.block_no, "prior": prior, "p_target": model.p_target if model else None,
        "p_rel": topic.p_rel, "n_on": len(topic.on), "n_off": len(topic.off),
    }
    on, off = fit_gaussian(topic.on), fit_exponential(topic.off)
    if on:
        fit = gaussian_fit(on, topic.on)
        row |= {"on_mean": on.mean, "on_sd": on.sd, "on_ks": fit.ks, "on_ks_p": fit.ks_p}
    if off:
        fit = exponential_fit(off, topic.off)
        row |= {"off_rate": off.rate, "off_origin": off.origin, "off_ks": fit.ks, "off_ks_p": fit.ks_p}
    if model and topic.n_on and topic.n_off:
        row["optimal_posterior"] = optimal_posterior(model, topic.p_rel)
        best = data_threshold(topic.on, topic.off, model, n_on=topic.n_on, n_off=topic.n_off)
        row |= {"best_threshold": _finite(best.threshold), "best_cost_norm": best.norm_cost}
        if on and off:
            row |= _fitted(topic, on, off, model)
    return row


def _fitted(topic: _Topic, on: Gaussian, off: Exponential, model: CostModel) -> dict:
    point: Threshold = fitted_threshold(on, off, model)
    missed = topic.n_on - int((topic.on >= point.threshold).sum())
    alarms = int((topic.off >= point.threshold).sum())
    if point.kind == "accept_all":  # trials without a score as well
        missed, alarms = 0, topic.n_off
    return {
        "fitted_kind": point.kind,
        "fitted_threshold": _finite(point.threshold),
        "upper_crossing": point.upper,
        "n_above_upper": int((topic.on > point.upper).sum() + (topic.off > point.upper).sum()) if point.upper else None,
        "fitted_posterior": posterior(point.threshold, on, off, topic.p_rel) if point.kind == "crossing" else None,
        "fitted_cost_norm": point.norm_cost,
        "fitted_data_cost_norm": model.cost(missed / topic.n_on, alarms / topic.n_off) / model.worst,
    }


def _keep_histograms(engine: Engine, computation_no: int, topics: list[_Topic]) -> None:
    columns: dict[str, list] = {name: [] for name in (
        "computation_no", "block_no", "is_target", "bin_no", "lower_end", "upper_end", "n_score")}
    for topic in topics:
        both = np.concatenate([topic.on, topic.off])
        if not len(both):
            continue
        low, high = float(both.min()), float(both.max())
        if not math.isfinite(high - low):
            continue  # an infinite score stands as the largest number; no bin of equal width holds that
        edges = np.linspace(low, high if high > low else low + 1, N_BIN + 1)
        for is_target, scores in ((1, topic.on), (0, topic.off)):
            counts, _ = np.histogram(scores, edges)
            columns["computation_no"] += [computation_no] * N_BIN
            columns["block_no"] += [topic.block_no] * N_BIN
            columns["is_target"] += [is_target] * N_BIN
            columns["bin_no"] += range(N_BIN)
            columns["lower_end"] += edges[:-1].tolist()
            columns["upper_end"] += edges[1:].tolist()
            columns["n_score"] += counts.tolist()
    engine.insert("ledger.result_histogram", columns)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
