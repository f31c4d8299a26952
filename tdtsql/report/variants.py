"""Tables of compared runs in addition to `tdtsql compare`, as rows: topics, and the stability of ranks."""

from collections.abc import Sequence

from tdtsql.compare.settings import Method, Setting
from tdtsql.compare.rows import read_topics
from tdtsql.compare.resample import differences
from tdtsql.compare.ranking import RankStability, rank_stability
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


def rank_rows(store: Engine, setting: Setting, method: Method, missing: str) -> tuple[Table, RankStability]:
    """Return how stable the rank of each run is, and all that was found out."""
    matrix = read_topics(store, setting, missing=missing)
    found = rank_stability(matrix, best=setting.best, n_resample=method.n_draw, seed=method.seed, level=method.level)
    columns = (found.rank, found.rank_low, found.rank_high, found.p_best)
    plain = [[None if value != value else value for value in column.tolist()] for column in columns]
    rows = zip(found.runs, *plain, strict=True)
    return (["run_id", "rank", "rank_low", "rank_high", "p_best"], sorted(rows, key=lambda row: row[1])), found
