"""Tables of compared runs in addition to `tdtsql compare`, as rows: topics, and the stability of ranks."""

from collections.abc import Sequence

from tdtsql.compare.settings import Method, Setting
from tdtsql.compare.rows import read_topics
from tdtsql.compare.resample import differences
from tdtsql.compare.ranking import rank_stability
from tdtsql.engine.duckdb import Engine
from tdtsql.report.results import RowTable, plain_table, relation_of

Table = tuple[list[str], list[tuple]]


def topic_rows(store: Engine, setting: Setting, runs: Sequence[str], missing: str) -> Table:
    """Return every topic with the numbers of the second run and of the first, largest difference first."""
    matrix = read_topics(store, setting, missing=missing)
    baseline, run = runs
    values, others = (matrix.values[:, matrix.runs.index(name)] for name in (run, baseline))
    found = zip(matrix.topics, values.tolist(), others.tolist(), differences(values, others).tolist(), strict=True)
    return ["block_id", run, baseline, "difference"], sorted(found, key=lambda row: (-abs(row[3]), row[0]))


def topic_table(store: Engine, setting: Setting, runs: Sequence[str], missing: str) -> RowTable:
    """Return the topics of the second run against those of the first, the largest difference first."""
    columns, rows = topic_rows(store, setting, runs, missing)
    kinds = dict.fromkeys(columns, "double") | {columns[0]: "varchar"}
    relation = relation_of(store, {name: [row[at] for row in rows] for at, name in enumerate(columns)}, kinds)
    caption = f"{setting.metric} on {setting.condition}, profile {setting.profile}, subset {setting.subset}."
    return RowTable(relation, lambda most: [plain_table(relation, caption, most)])


def rank_table(store: Engine, setting: Setting, method: Method, missing: str) -> RowTable:
    """Return how stable the rank of each run is."""
    matrix = read_topics(store, setting, missing=missing)
    found = rank_stability(matrix, best=setting.best, n_resample=method.n_draw, seed=method.seed, level=method.level)
    kinds = {"run_id": "varchar"} | dict.fromkeys(("rank", "rank_low", "rank_high", "p_best"), "double")
    columns = (found.rank, found.rank_low, found.rank_high, found.p_best)
    rows = sorted(zip(found.runs, *(column.tolist() for column in columns), strict=True), key=lambda row: row[1])
    relation = relation_of(store, {name: [row[at] for row in rows] for at, name in enumerate(kinds)}, kinds)
    table = RowTable(relation, lambda most: [plain_table(relation, "Stability of ranks.", most)])
    table.legend = [
        f"Kendall's tau of the ranking with one on other topics: mean {found.mean_tau:.3f}, "
        f"{(1 - method.level) / 2:.1%} below {found.low_tau:.3f}; {found.n_resample:,} resamples of topics, seed "
        f"{method.seed}"
        if found.n_resample
        else "One topic: every resample of topics is itself, so the stability of the ranking is unknown."
    ]
    return table
