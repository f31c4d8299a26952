"""Comparisons as results: rows, and tables with best bold, significance marked, and a caption that names the test."""

from collections.abc import Sequence
from typing import Any

from tdtsql.compare.ranking import rank_stability
from tdtsql.compare.resample import Row, differences
from tdtsql.compare.settings import SIGNIFICANT, Method, Setting
from tdtsql.compare.units import TopicMatrix, read_topics, without_holes
from tdtsql.compare.words import Compared, sentence
from tdtsql.engine.duckdb import Engine
from tdtsql.show.table import RowTable, plain, relation_of
from tdtsql.show.table import (
    DECIMALS,
    MARKS,
    SIGNS,
    Cell,
    Table,
    best_value,
    better,
    fixed,
    slug,
    typed_columns,
)

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


class Comparison(RowTable):
    """Runs compared with each other: a relation with one row per (run, baseline), which is a table for a paper too."""

    def __init__(self, engine: Engine, made: Compared):
        rows, kinds = records(made), columns_of(made)
        columns = {name: [row[name] for row in rows] for name in kinds}
        super().__init__(relation_of(engine, columns, kinds), lambda most: [comparison_table(made)])
        self.signature = made.signature


def columns_of(compared: Compared) -> dict[str, str]:
    """Return the columns of ``records``, with their types."""
    columns = TRIAL_COLUMNS if compared.setting.is_by_trial else TOPIC_COLUMNS
    by_value = {"heterogeneity": "double", "heterogeneity_p": "double"}
    return columns | (by_value if compared.setting.subset.endswith("=*") else {})


def records(compared: Compared) -> list[dict[str, Any]]:
    """Return one flat row per comparison, with the columns of ``columns_of``."""
    setting, method, made = compared.setting, compared.method, []
    shared = {
        "condition_id": setting.condition,
        "profile_id": setting.profile,
        "correction": method.correction,
        "family_size": compared.family_size,
        "smallest_p": compared.smallest_p,
        "signature": compared.signature,
    }
    differ = compared.heterogeneity()
    for row in compared.rows:
        score, n_score = compared.scores.get(row["run"], (None, None))
        known = (
            row
            | shared
            | {
                "run_id": row["run"],
                "baseline_id": row["baseline"],
                "mean": row["value"],
                "baseline_mean": row["baseline_value"],
                "is_exact": bool(row["is_exact"]),
                "score": score,
                "n_score": n_score,
                "baseline_score": compared.scores.get(row["baseline"], (None, None))[0],
            }
        )
        if setting.is_by_trial:
            is_drawn = method.interval != "normal"
            known["n_trial"] = row["n_target"] + row["n_nontarget"]
            known["n_cluster"] = None if method.unit == "trial" else row["n_unit"]
            known |= {"n_resample": row["n_draw"] if is_drawn else None, "seed": row["seed"] if is_drawn else None}
        q, q_p, _ = differ.get((row["run"], row["baseline"]), (None, None, None))
        known |= {"heterogeneity": q, "heterogeneity_p": q_p}
        made.append({name: known[name] for name in columns_of(compared)})
    return made


def comparison_table(compared: Compared) -> Table:
    """Return the comparison as a table for people."""
    if compared.setting.subset.endswith("=*"):
        return _value_table(compared)
    return _trial_table(compared) if compared.setting.is_by_trial else _topic_table(compared)


def shown_row(compared: Compared, row: Row) -> list[str | None]:
    """Return the cells of a pair on scored trials: run, baseline, value and difference with intervals, p."""
    floor = 2.0 / (compared.method.n_draw + 1.0) if compared.method.test == "bootstrap" else 0.0

    def ranged(name: str, low: str, high: str, sign: str = "") -> str | None:
        if row[name] is None:
            return None
        text = f"{row[name]:{sign}.4f}"
        return text if row[low] is None else f"{text} [{row[low]:{sign}.4f}, {row[high]:{sign}.4f}]"

    def p_value(p: float | None) -> str | None:
        least = max(floor, 1e-4)  # never 0
        return None if p is None else f"< {least:.2g}" if p <= least else f"{p:.4f}"

    value, difference = ranged("value", "value_low", "value_high"), ranged("difference", "low", "high", "+")
    return [row["run"], row["baseline"], value, difference, p_value(row["p"]), p_value(row["p_adjusted"])]


def _trial_table(compared: Compared) -> Table:
    rows = [[Cell("" if text is None else str(text)) for text in shown_row(compared, row)] for row in compared.rows]
    heads = ("run", "against", "value", "difference", "p", "p corr.")
    return Table(heads, rows, _caption(compared), _label(compared), compared.signature, "llrrrr")


def _topic_table(compared: Compared) -> Table:
    baselines = list(dict.fromkeys(baseline for _, baseline in compared.pairs))
    means = {run: compared.values[run] for run in compared.setting.runs if run in compared.values}
    top, has_marks = best_value(list(means.values()), compared.setting.best), len(baselines) <= len(MARKS)
    marks: dict[str, tuple[str, ...]] = dict.fromkeys(means, ())
    for row in compared.rows:
        if has_marks and row["p_adjusted"] is not None and row["p_adjusted"] < SIGNIFICANT:
            marks[row["run"]] += (MARKS[baselines.index(row["baseline"])],)

    def run_cells(run: str) -> tuple[Cell, Cell]:
        return Cell(run), Cell(fixed(means[run]), bold=means[run] == top, marks=marks[run], is_number=True)

    def number(text: str) -> Cell:
        return Cell(text, is_number=True)

    first = {run for run, _ in compared.pairs}
    rows = [(*run_cells(run), *(Cell("") for _ in range(6))) for run in means if run not in first]
    rows += [
        (
            *run_cells(row["run"]),
            Cell(row["baseline"]),
            number(fixed(row["difference"], signed=True)),
            number(f"[{fixed(row['low'], signed=True)}, {fixed(row['high'], signed=True)}]"),
            number(f"{row['win']}/{row['tie']}/{row['loss']}"),
            number(_p(row["p"])),
            number(_p(row["p_adjusted"])),
        )
        for row in compared.rows
    ]
    marked = "; ".join(
        f"{SIGNS[mark]} differs from {name}" for mark, name in zip(MARKS, baselines, strict=False) if has_marks
    )
    said = f"Best in bold{f'; {marked} (p < {SIGNIFICANT:g})' if marked else ''}. "
    interval = f"{compared.method.level * 100:g} % interval"
    heads = ("run", "mean", "against", "difference", interval, "w/t/l", "p", "p corr.")
    return Table(heads, rows, _caption(compared, said), _label(compared), compared.signature, "lrlrrrrr")


def _value_table(compared: Compared) -> Table:
    """Return a comparison by the values of an attribute: a line for each value and pair."""

    def ends(row: Row) -> str:
        return f"[{fixed(row['low'], signed=True)}, {fixed(row['high'], signed=True)}]"

    rows = [
        [
            *(Cell(row[name]) for name in ("subset", "run", "baseline")),
            *(Cell(text, is_number=True) for text in (fixed(row["difference"], signed=True), ends(row))),
            *(Cell(_p(row[name]), is_number=True) for name in ("p", "p_adjusted")),
        ]
        for row in compared.rows
    ]
    interval = f"{compared.method.level * 100:g} % interval"
    heads = ("subset", "run", "against", "difference", interval, "p", "p corr.")
    return Table(heads, rows, _caption(compared), _label(compared), compared.signature, "lllrrrr")


def _label(compared: Compared) -> str:
    return f"tab:compare-{slug(compared.setting.metric)}"


def _caption(compared: Compared, marked: str = "") -> str:
    """Return what is compared, and how."""
    setting = compared.setting
    return (
        f"{setting.metric} ({better(setting.best)}) on {setting.condition}, subset {setting.subset}, profile "
        f"{setting.profile}. {marked}{' '.join([sentence(compared.method_in_words()), *compared.notes()])}"
    )


def _p(value: float | None) -> str:
    """Return a p value as papers print it."""
    if value is not None and 0.0 < value < 0.5 * 10.0**-DECIMALS:
        return f"<{10.0**-DECIMALS:.{DECIMALS}f}"
    return fixed(value)


def _matrix(store: Engine, setting: Setting, missing: str) -> TopicMatrix:
    topics, values = read_topics(store, setting)
    return without_holes(tuple(setting.runs), topics, values, missing=missing, best=setting.best)


def topic_table(store: Engine, setting: Setting, runs: Sequence[str], missing: str) -> RowTable:
    """Return the topics of the second run against those of the first, the largest difference first."""
    matrix = _matrix(store, setting, missing)
    baseline, run = runs
    values, others = (matrix.values[:, matrix.runs.index(name)] for name in (run, baseline))
    found = zip(matrix.topics, values.tolist(), others.tolist(), differences(values, others).tolist(), strict=True)
    columns, rows = ["block_id", run, baseline, "difference"], sorted(found, key=lambda row: (-abs(row[3]), row[0]))
    kinds = dict.fromkeys(columns, "double") | {columns[0]: "varchar"}
    relation = relation_of(store, {name: [row[at] for row in rows] for at, name in enumerate(columns)}, kinds)
    caption = f"{setting.metric} on {setting.condition}, profile {setting.profile}, subset {setting.subset}."
    return plain(relation, caption)


def rank_table(store: Engine, setting: Setting, method: Method, missing: str) -> RowTable:
    """Return how stable the rank of each run is."""
    matrix = _matrix(store, setting, missing)
    found = rank_stability(matrix, best=setting.best, n_resample=method.n_draw, seed=method.seed, level=method.level)
    kinds = {"run_id": "varchar"} | dict.fromkeys(("rank", "rank_low", "rank_high", "p_best"), "double")
    columns = (found.rank, found.rank_low, found.rank_high, found.p_best)
    rows = sorted(zip(found.runs, *(column.tolist() for column in columns), strict=True), key=lambda row: row[1])
    relation = relation_of(store, {name: [row[at] for row in rows] for at, name in enumerate(kinds)}, kinds)
    table = plain(relation, "Stability of ranks.")
    table.legend = [
        f"Kendall's tau of the ranking with one on other topics: mean {found.mean_tau:.3f}, "
        f"{(1 - method.level) / 2:.1%} below {found.low_tau:.3f}; {found.n_resample:,} resamples of topics, seed "
        f"{method.seed}"
        if found.n_resample
        else "One topic: every resample of topics is itself, so the stability of the ranking is unknown."
    ]
    return table
