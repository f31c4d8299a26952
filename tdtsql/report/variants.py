"""Other output of `tdtsql compare`: topics, ranks, reproduction, DET differences; as rows."""

import math
from collections.abc import Callable

from tdtsql.engine.duckdb import Engine
from tdtsql.compare.paired import Method, topic_differences
from tdtsql.report import comparing
from tdtsql.report.comparing import Setting

Table = tuple[list[str], list[tuple]]


def topic_rows(store: Engine, setting: Setting, run: str, baseline: str, *, missing: str) -> Table:
    """Return every topic with the numbers of two runs, largest difference first."""
    matrix = comparing.read_topics(store, setting, missing=missing)
    return ["block_id", run, baseline, "difference"], [
        (row.topic, row.value, row.baseline_value, row.difference) for row in topic_differences(matrix, run, baseline)
    ]


def rank_rows(
    store: Engine, setting: Setting, *, missing: str, method: Method
) -> tuple[Table, comparing.RankStability]:
    """Return how stable the rank of each run is, and all that was found out."""
    found = comparing.stability(store, setting, missing=missing, method=method)
    rows = zip(
        found.runs,
        *(
            [plain(value) for value in column.tolist()]
            for column in (found.rank, found.rank_low, found.rank_high, found.p_best)
        ),
        strict=True,
    )
    return (["run_id", "rank", "rank_low", "rank_high", "p_best"], sorted(rows, key=lambda row: row[1])), found


def reproduction_rows(store: Engine, setting: Setting, runs: list[str], *, missing: str) -> Table:
    """Return the measures of how well the second run reproduces the first; two more are the baselines of each."""
    original, reproduced, *others = runs
    baselines = (others[0], others[1]) if others else None
    found = comparing.reproduction(store, setting, original, reproduced, baselines=baselines, missing=missing)
    return ["measure", "value"], [(name, plain(getattr(found, name))) for name in found.__dataclass_fields__]


def det_rows(
    store: Engine,
    setting: Setting,
    run: str,
    baseline: str,
    *,
    weighting: str,
    method: Method,
    progress: Callable[[int], None] | None = None,
) -> Table:
    """Return the difference of two runs' miss rates at fixed false-alarm rates, with its bands."""
    band = comparing.det_difference(
        store, setting, run, baseline, weighting=weighting, method=method, progress=progress
    )
    columns = (band.p_fa, band.value, band.low, band.high, band.low_all, band.high_all)
    drawn = (band.n_resample, band.n_threshold, band.n_threshold_drawn)
    rows = [(*map(plain, row), *drawn) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return [
        "p_fa",
        "p_miss_difference",
        "low",
        "high",
        "low_all",
        "high_all",
        "n_resample",
        "n_threshold",
        "n_threshold_drawn",
    ], rows


def plain(value: object) -> object:
    """Return NaN, which means undefined, as None."""
    return None if isinstance(value, float) and math.isnan(value) else value
