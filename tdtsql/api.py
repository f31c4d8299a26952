"""The front of the package for Python: `tdtsql.connect`, `tdtsql.evaluate`, and a store that also compares.

It stands above the layers: `tdtsql.store` loads and scores and knows nothing
of comparisons, which are made from what it has kept.
"""

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from tdtsql.store import store as stores
from tdtsql.store.evaluate import evaluate_into

_NUMBER = count(1)

#: columns of a comparison with their types
_COLUMNS = {
    "run_id": "varchar", "baseline_id": "varchar", "condition_id": "varchar", "profile_id": "varchar", "subset": "varchar", "metric": "varchar",
    "n_topic": "bigint", "mean": "double", "baseline_mean": "double", "difference": "double", "low": "double", "high": "double", "level": "double",
    "effect_size": "double", "win": "bigint", "tie": "bigint", "loss": "bigint", "test": "varchar", "p": "double", "correction": "varchar",
    "p_adjusted": "double", "family_size": "bigint", "smallest_p": "double", "mc_error": "double", "is_exact": "boolean", "score": "double",
    "n_score": "bigint", "baseline_score": "double", "reason": "varchar", "signature": "varchar",
}


class Store(stores.Store):
    """An open store. Results are relations of the engine: ``.df() .pl() .arrow() .fetchall()``."""

    def compare(
        self,
        *runs: str,
        metric: str | None = None,
        subset: str = "all",
        profile: str | None = None,
        condition: str | None = None,
        baseline: str | Sequence[str] | None = None,
        all_pairs: bool = False,
        test: str = "randomisation",
        correction: str = "holm",
        interval: str = "bca",
        level: float = 0.95,
        permutations: int = 100_000,
        resamples: int = 10_000,
        seed: int = 20040,
        missing: str = "error",
    ):
        """Return one row per (run, baseline), topics as the unit, as a relation.

        The first run is the baseline unless ``baseline`` names others; with
        ``all_pairs`` every run is compared with every other. ``mean`` is over the
        compared topics, ``score`` what is printed of the run (over ``n_score``);
        ``smallest_p`` the smallest corrected p that was possible; what is NULL has a ``reason``.

        Raises:
            UnknownName: no such run, profile or metric.
            MissingTopics: a run lacks a topic and ``missing`` says `error`.
            InvalidComparison: the runs cannot be compared like this.
        """
        from tdtsql.compare.paired import Method
        from tdtsql.report import comparing

        method = Method(test=test, correction=correction, interval=interval, level=level, n_permutation=permutations, n_resample=resamples, seed=seed)
        baselines = [baseline] if isinstance(baseline, str) else list(baseline or ())
        self.refresh()
        setting = comparing.choose(self.engine, [*runs, *baselines], metric=metric, subset=subset, profile=profile, condition=condition)
        made = comparing.compare_runs(self.engine, setting, baselines=baselines, every_pair=all_pairs, missing=missing, method=method)
        rows = comparing.as_rows(made)
        table = f"comparison_{next(_NUMBER)}"
        self.engine.execute(f"create temp table {table} ({', '.join(f'{name} {kind}' for name, kind in _COLUMNS.items())})")
        # NaN means undefined and is NULL in every public relation
        self.engine.insert(table, {name: [None if row[name] != row[name] else row[name] for row in rows] for name in _COLUMNS})
        return self.relation(f"select * from {table}")

    def report(self, path: str | Path, *, title: str | None = None) -> int:
        """Write the HTML report to ``path``; returns its size in bytes."""
        from tdtsql.report.write import write_report

        self.refresh()
        return write_report(self, Path(path), title=title)


def connect(address: object = "tdtsql.duckdb", *, read_only: bool = False, trace: bool = False, **options: object) -> Store:
    """Open a store, making it where it is not there; see `tdtsql.store.store.connect`."""
    return Store(stores.connect(address, read_only=read_only, trace=trace, **options).engine)


def evaluate(bundle: str | Path, db: str | Path = ":memory:", *, progress=None) -> Store:
    """Load a bundle into a store (a new one in memory by default), score it, and return the store."""
    store = connect(db)
    try:
        evaluate_into(store, Path(bundle), progress=progress)
    except BaseException:
        store.close()
        raise
    return store
