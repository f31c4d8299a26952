"""Tables of compared runs in addition to `tdtsql compare`: topics, ranks, reproduction, DET differences; as rows.

Each function takes the store, the setting, the names of the runs in their order, and what was asked for: the options of
the command, or the parts of a signature (`tdtsql.report.signing`), which are texts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tdtsql.compare.bootstrap import plain
from tdtsql.compare.paired import Method, topic_differences
from tdtsql.compare.ranking import RankStability, rank_stability
from tdtsql.compare.reproduction import reproduction_degree
from tdtsql.compare.resampling import Step
from tdtsql.engine.duckdb import Engine
from tdtsql.report import comparing
from tdtsql.report.comparing import Setting
from tdtsql.report.results import RowTable, plain_table, relation_of

Table = tuple[list[str], list[tuple]]


def topic_rows(store: Engine, setting: Setting, runs: Sequence[str], asked: Mapping[str, Any]) -> Table:
    """Return every topic with the numbers of the second run and of the first, largest difference first."""
    matrix = comparing.read_topics(store, setting, missing=asked["missing"])
    baseline, run = runs
    return ["block_id", run, baseline, "difference"], topic_differences(matrix, run, baseline)


def topic_table(store: Engine, setting: Setting, runs: Sequence[str], missing: str) -> RowTable:
    """Return the topics of the second run against those of the first, the largest difference first."""
    columns, rows = topic_rows(store, setting, runs, {"missing": missing})
    kinds = dict.fromkeys(columns, "double") | {columns[0]: "varchar"}
    relation = relation_of(store, {name: [row[at] for row in rows] for at, name in enumerate(columns)}, kinds)
    caption = f"{setting.metric} on {setting.condition}, profile {setting.profile}, subset {setting.subset}."
    return RowTable(relation, lambda most: [plain_table(relation, caption, most)])


def rank_rows(
    store: Engine, setting: Setting, runs: Sequence[str], asked: Mapping[str, Any]
) -> tuple[Table, RankStability]:
    """Return how stable the rank of each run is, and all that was found out."""
    matrix, method = comparing.read_topics(store, setting, missing=asked["missing"]), _method(asked)
    found = rank_stability(matrix, best=setting.best, n_resample=method.n_draw, seed=method.seed, level=method.level)
    columns = (found.rank, found.rank_low, found.rank_high, found.p_best)
    rows = zip(found.runs, *(map(plain, column.tolist()) for column in columns), strict=True)
    return (["run_id", "rank", "rank_low", "rank_high", "p_best"], sorted(rows, key=lambda row: row[1])), found


def reproduction_rows(store: Engine, setting: Setting, runs: Sequence[str], asked: Mapping[str, Any]) -> Table:
    """Return the measures of how well the second run reproduces the first; two more are the baselines of each."""
    matrix = comparing.read_topics(store, setting, missing=asked["missing"])
    original, reproduced, *others = (matrix.values[:, matrix.runs.index(run)] for run in runs)
    baselines = dict(zip(("original_baseline", "reproduced_baseline"), others, strict=False))
    found = reproduction_degree(original, reproduced, best=setting.best, **baselines)
    return ["measure", "value"], [(name, plain(getattr(found, name))) for name in found.__dataclass_fields__]


def det_rows(
    store: Engine, setting: Setting, runs: Sequence[str], asked: Mapping[str, Any], progress: Step | None = None
) -> Table:
    """Return the miss rates of the second run minus those of the first at fixed false-alarm rates, with bands."""
    baseline, run = runs
    band = comparing.det_difference(
        store, setting, run, baseline, weighting=asked["weighting"], method=_method(asked), progress=progress
    )
    columns = {
        "p_fa": band.p_fa,
        "p_miss_difference": band.value,
        **{name: getattr(band, name) for name in ("low", "high", "low_all", "high_all")},
    }
    drawn = {name: getattr(band, name) for name in ("n_resample", "n_threshold", "n_threshold_drawn")}
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [*columns, *drawn], [(*map(plain, row), *drawn.values()) for row in rows]


def _method(asked: Mapping[str, Any]) -> Method:
    return Method(n_resample=int(asked["resamples"]), seed=int(asked["seed"]), level=float(asked["level"]))
