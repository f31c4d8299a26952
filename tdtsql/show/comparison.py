"""Comparisons as results: rows, and tables with best bold, significance marked, and a caption that names the test."""

from collections.abc import Sequence
from typing import Any

from tdtsql.compare.ranking import rank_stability
from tdtsql.audit.published import check_published
from tdtsql.compare.settings import (
    SIGNIFICANT,
    Correction,
    Interval,
    Method,
    Missing,
    Setting,
    Test,
    Weighting,
    choose,
    withdrawn,
)
from tdtsql.compare.units import read_topics, without_holes
from tdtsql.compare.words import Compared, compare_runs, sentence
from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers
from tdtsql.errors import Names, WrongCall, listed
from tdtsql.progress import Progress, counting, silent
from tdtsql.scoring.score import refresh
from tdtsql.show.section import records
from tdtsql.show.table import RowTable, Table, relation_of, tables_of, typed_columns
from tdtsql.store.registry import check_names

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


def compare(
    engine: Engine,
    *runs: str | Sequence[str],
    metric: str | None = None,
    subset: str = "all",
    profile: str | None = None,
    condition: str | None = None,
    baseline: Names = None,
    all_pairs: bool = False,
    per_topic: bool = False,
    test: Test | None = None,
    correction: Correction = "holm",
    interval: Interval | None = None,
    unit: str | None = None,
    no_cluster: bool = False,
    level: float = 0.95,
    permutations: int = 100_000,
    resamples: int | None = None,
    seed: int = 20040,
    missing: Missing = "error",
    by: str | None = None,
    weighting: Weighting | None = None,
    progress: Progress = silent,
) -> RowTable:
    """Compare runs topic by topic (item by item, or by cluster), or on the same scored trials: difference with
    interval, win/tie/loss, p values.

    A run is named RUN, or CONDITION/RUN where several conditions have it. The unit is the topic (randomisation
    test, BCa interval, 10,000 resamples by default). Runs of scored trials are compared on their trials; a test
    over topics, requested by name, compares blocks. In LaTeX and markdown the caption names the test; csv, tsv and
    json have every column: `mean` is over the compared topics, `score` is the printed number of the run (over
    `n_score`), `smallest_p` the smallest corrected p that was possible; a NULL has a `reason`.

    Args:
        all_pairs: every run with every other.
        per_topic: the topics of RUN_B against RUN_A instead, largest difference first.
        by: an attribute: a row for each of its values, one family of corrections, and whether the values differ.
        weighting: of the means that are compared (default: the usual one).

    Returns:
        A row per run and baseline: a relation with ``to_latex()`` and ``to_markdown()``.

    Raises:
        UnknownName: no such run, profile or metric.
        MissingTopics: a run lacks a topic and ``missing`` is "error".
        InvalidComparison: the runs cannot be compared like this.
    """
    requested = Method.of_call(
        no_cluster=no_cluster,
        unit=unit,
        test=test,
        interval=interval,
        resamples=resamples,
        permutations=permutations,
        correction=correction,
        level=level,
        seed=seed,
        missing=missing,
    )
    names, baselines = listed(*runs), listed(baseline)
    if all_pairs and per_topic:
        raise WrongCall("choose one of --all-pairs and --per-topic.")
    if per_topic and (len(names) != 2 or baselines or by):
        raise WrongCall("--per-topic needs exactly two runs, and one subset.")
    refresh(engine, progress)
    check_names(engine, subset=subset)
    setting = choose(
        engine,
        [*names, *baselines],
        metric=metric,
        subset=subset,
        profile=profile,
        condition=condition,
        is_by_topic=requested.is_by_topic or per_topic,
        by=by,
        weighting=weighting,
    )
    check_published(engine, [setting.condition])
    if per_topic:
        return _topic_table(engine, setting, names)
    compared = compare_runs(
        engine,
        setting,
        baselines=baselines,
        every_pair=all_pairs,
        method=requested,
        step=counting(progress, requested.n_permutation + requested.n_draw, "comparing"),
    )
    return _comparison(engine, compared, withdrawn(engine, [*names, *baselines], [setting.condition]))


def _comparison(engine: Engine, made: Compared, remarks: Sequence[str]) -> RowTable:
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


def _topic_table(engine: Engine, setting: Setting, runs: Sequence[str]) -> RowTable:
    """Return the topics of the second run against those of the first, the largest difference first."""
    baseline, run = runs
    given: dict[str, Any] = {"metric": setting.metric, "subset": setting.subset, "profile": setting.profile}
    given |= {"run": setting.runs[run], "baseline": setting.runs[baseline]}
    found = engine.relation(read_statement("show/topic_differences"), given).project(
        f"block_id, value as {sql_identifiers([run])}, baseline_value as {sql_identifiers([baseline])}, difference"
    )
    caption = f"{setting.metric} on {setting.condition}, profile {setting.profile}, subset {setting.subset}."
    return RowTable(found, [Table(found.columns, found.fetchall(), caption)])


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
    Method(interval="percentile", level=level, n_resample=resamples, seed=seed, missing=missing).of_topics("topic", 0)
    refresh(engine, progress)
    where = {"conditions": listed(condition) or None}
    names = listed(*runs) or [row["run_id"] for row in records(engine, "run_list", where)]
    setting = choose(engine, names, metric=metric, subset=subset, profile=profile, condition=condition)
    topics = read_topics(engine, setting)
    values = topics.values[setting.metric]
    matrix = without_holes(tuple(setting.runs), topics.names, values, missing, setting.best, setting.topic)
    found = rank_stability(matrix, best=setting.best, n_resample=resamples, seed=seed, level=level)
    columns = {name: getattr(found, name).tolist() for name in ("rank", "rank_low", "rank_high", "p_best")}
    rows = sorted(zip(matrix.runs, *columns.values(), strict=True), key=lambda row: row[1])
    said = "One topic: every resample of topics is itself, so the stability of the ranking is unknown."
    if found.n_resample:
        said = (
            f"Kendall's tau of the ranking with one on other topics: mean {found.mean_tau:.3f}, {(1 - level) / 2:.1%} "
            f"below {found.low_tau:.3f}; {found.n_resample:,} resamples of topics, seed {seed}."
        )
    kinds = {"run_id": "varchar"} | dict.fromkeys(columns, "double")
    made = relation_of(engine, [dict(zip(kinds, row, strict=True)) for row in rows], kinds)
    return RowTable(made, [Table(made.columns, made.fetchall(), f"Stability of ranks. {said}")])
