"""User CPU seconds of means and clustered errors over items, beside pandas with statsmodels.

    python bench/items_against_pandas.py RUNS ITEMS

Prints a line for each side. statsmodels is optional: without it only ours is measured.
"""

import resource
import sys
import tempfile
from pathlib import Path

import duckdb

import tdtsql

BUNDLE = """
[corpus]
id = "k"
[[condition]]
id = "c"
task = "items"
cluster = ["passage"]
[[run]]
condition = "c"
files = ["scores.parquet"]
"""


def cpu() -> float:
    """Return the user CPU seconds of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def peer(path: Path) -> None:
    """Compute mean and clustered error of every run as a user of pandas would."""
    import pandas
    import statsmodels.api

    frame = pandas.read_parquet(path)
    for _, rows in frame.groupby("run_id"):
        groups = rows["passage"].astype("category").cat.codes
        model = statsmodels.api.OLS(rows["score"], [1.0] * len(rows))
        model.fit(cov_type="cluster", cov_kwds={"groups": groups})


def main(n_run: int, n_item: int) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "bundle.toml").write_text(BUNDLE)
        with duckdb.connect() as connection:
            connection.execute(
                f"copy (select 'r' || r as run_id, 'i' || i as item_id, cast(hash(r, i) % 10 < 6 as double) as score, "
                f"'p' || (i // 5) as passage from range({n_run}) as a(r), range({n_item}) as b(i)) "
                f"to '{folder / 'scores.parquet'}'"
            )
        before = cpu()
        with tdtsql.evaluate(folder / "bundle.toml") as store:
            sys.stdout.write(f"tdtsql {cpu() - before:.2f} s\n")
            before = cpu()
            store.compare("r0", "r1", test="t", interval="t").relation.fetchall()
            sys.stdout.write(f"compare {cpu() - before:.2f} s\n")
        before = cpu()
        try:
            peer(folder / "scores.parquet")
        except ImportError as error:
            sys.stdout.write(f"peer: {error}\n")
        else:
            sys.stdout.write(f"pandas, statsmodels {cpu() - before:.2f} s\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
