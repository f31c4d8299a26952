"""Comparisons as results: rows, and tables with best bold, significance marked, and a caption that names the test."""

from collections.abc import Iterable, Sequence
from typing import Any

from tdtsql.compare.ranking import rank_stability
from tdtsql.compare.resample import differences
from tdtsql.compare.settings import SIGNIFICANT, Missing, Setting, choose
from tdtsql.compare.units import TopicMatrix, read_topics, without_holes
from tdtsql.compare.words import Compared, sentence
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers
from tdtsql.errors import listed
from tdtsql.progress import Progress, silent
from tdtsql.scoring.score import refresh
from tdtsql.show.section import records
from tdtsql.show.table import RowTable, Table, relation_of, tables_of, typed_columns

#: columns of comparisons over topics, and on scored trials
TOPIC_COLUMNS = typed_columns("""
    varchar  run_id baseline_id condition_id profile_id subset metric
    bigint   n_topic
    double   mean baseline_mean difference se
    bigint   n_cluster
    double   low high level effect_size
    bigint   win tie loss
    varchar  test
    double   p
    varchar  correction
    double   p_adjusted
    bigint   family_size
    double   smallest_p mc_error
    boolean  is_exact
    double   score
    bigint   n_score
    double   baseline_score
    varchar  reason signature
""")
TRIAL_COLUMNS = typed_columns("""
    varchar  run_id baseline_id condition_id profile_id subset metric
    double   value baseline_value difference low high level
    varchar  interval
    double   value_low value_high baseline_low baseline_high
    varchar  test
    double   p
    varchar  correction
    double   p_adjusted
    bigint   family_size
    double   smallest_p mc_error statistic se
    bigint   n_only_run n_only_baseline n_trial n_target n_nontarget
    varchar  unit n_unit n_cluster
    bigint   n_resample seed n_undefined_draw
    varchar  reason signature
""")
#: of both, by the values of an attribute
VALUE_COLUMNS = {"heterogeneity": "double", "heterogeneity_p": "double"}
#: what only their table shows
_TABLE = typed_columns("""
    varchar  best place how value_head
    boolean  is_every has_wins
    double   significant
""")


def comparison(engine: Engine, made: Compared, remarks: Sequence[str]) -> RowTable:
    """Return runs compared with each other: a relation with one row per (run, baseline), which is a table for a paper
    too: the best number is bold, and runs that differ from a baseline have its mark. By the values of an attribute a
    line begins with the value, and has no number of the run.
    """
    setting, is_every = made.setting, made.setting.subset.endswith("=*")
    kinds = TRIAL_COLUMNS if setting.is_by_trial else TOPIC_COLUMNS
    kinds = kinds | (VALUE_COLUMNS if is_every else {})
    shared = {
        "signature": made.signature,
        "best": setting.best,
        "place": f"{setting.condition}, subset {setting.subset}, profile {setting.profile}",
        "how": " ".join([sentence(made.how), *made.notes]),
        "value_head": "value" if setting.is_by_trial else "mean",
        "is_every": is_every,
        "has_wins": not (is_every or setting.is_by_trial),
        "significant": SIGNIFICANT,
    }
    rows = relation_of(
        engine, [row | shared for row in made.rows], {**TOPIC_COLUMNS, **TRIAL_COLUMNS, **_TABLE, **kinds}
    )
    tables = tables_of(rows, "comparison")
    return RowTable(rows.project(sql_identifiers(kinds)), tables, remarks=remarks, signature=made.signature)


def _matrix(store: Engine, setting: Setting, missing: str) -> TopicMatrix:
    topics = read_topics(store, setting)
    values = topics.values[setting.metric]
    return without_holes(
        tuple(setting.runs), topics.names, values, missing=missing, best=setting.best, word=setting.topic
    )


def _plain(store: Engine, rows: Iterable[Sequence[Any]], columns: Sequence[str], caption: str) -> RowTable:
    """Return rows as a result; the first column is a name, the others are numbers."""
    kinds = {columns[0]: "varchar"} | dict.fromkeys(columns[1:], "double")
    relation = relation_of(store, [dict(zip(columns, row, strict=True)) for row in rows], kinds)
    return RowTable(relation, [Table(columns, relation.fetchall(), caption)])


def topic_table(store: Engine, setting: Setting, runs: Sequence[str], missing: str) -> RowTable:
    """Return the topics of the second run against those of the first, the largest difference first."""
    matrix = _matrix(store, setting, missing)
    baseline, run = runs
    values, others = (matrix.values[:, matrix.runs.index(name)] for name in (run, baseline))
    found = zip(matrix.topics, values.tolist(), others.tolist(), differences(values, others).tolist(), strict=True)
    rows = sorted(found, key=lambda row: (-abs(row[3]), row[0]))
    caption = f"{setting.metric} on {setting.condition}, profile {setting.profile}, subset {setting.subset}."
    return _plain(store, rows, ["block_id", run, baseline, "difference"], caption)


def rank_table(
    engine: Engine,
    *runs: str | Sequence[str],
    metric: str | None = None,
    subset: str = "all",
    profile: str | None = None,
    condition: str | None = None,
    missing: Missing = "error",
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 20040,
    progress: Progress = silent,
) -> RowTable:
    """Print how stable the ranking of RUN... (default: all runs) is under other samples of topics.

    Args:
        resamples: how many are drawn.

    Raises:
        UnknownName: no such run, profile, condition or metric.
        MissingTopics: a run lacks a topic and ``missing`` is "error".
    """
    refresh(engine, progress)
    where = {"conditions": listed(condition) or None}
    names = listed(*runs) or [row["run_id"] for row in records(engine, "run_list", where)]
    setting = choose(engine, names, metric=metric, subset=subset, profile=profile, condition=condition)
    matrix = _matrix(engine, setting, missing)
    found = rank_stability(matrix, best=setting.best, n_resample=resamples, seed=seed, level=level)
    columns = (found.rank, found.rank_low, found.rank_high, found.p_best)
    rows = sorted(zip(matrix.runs, *(column.tolist() for column in columns), strict=True), key=lambda row: row[1])
    said = "One topic: every resample of topics is itself, so the stability of the ranking is unknown."
    if found.n_resample:
        said = (
            f"Kendall's tau of the ranking with one on other topics: mean {found.mean_tau:.3f}, {(1 - level) / 2:.1%} "
            f"below {found.low_tau:.3f}; {found.n_resample:,} resamples of topics, seed {seed}."
        )
    return _plain(engine, rows, ["run_id", "rank", "rank_low", "rank_high", "p_best"], f"Stability of ranks. {said}")
