"""What a user of other programs would run on the data of a bench, in the folder of the data: python peers.py NAME

A program each, whole process with its imports and start. They print nothing and assert nothing.
"""

import csv
import math
import subprocess
import sys
from pathlib import Path


def split_lines() -> None:
    """Split the lines of official output, as any reader of them must."""
    for path in sorted(Path("sys").iterdir()):
        with path.open() as file:
            for line in file:
                line.split()


def read_csv() -> None:
    """Read the tidy files of a tracking evaluation by Python's csv module."""
    for name in ("stories", "topics", "judgments", "run"):
        with Path(f"{name}.csv").open(newline="") as file:
            for _row in csv.reader(file):
                pass


def duckdb_client(query: str = "select count(*) from report.score") -> None:
    """Ask a store without tdtsql."""
    import os

    import duckdb

    with duckdb.connect(os.environ["TDTSQL_DB"], read_only=True) as connection:
        connection.execute(query).fetchall()


def slowest_view() -> None:
    """Ask the slowest view of the bundled examples without tdtsql: start, opening and query."""
    duckdb_client("select * from metric.partition_expected_mi__v1")


def ir_measures() -> None:
    """Compute precision, recall and F of the retrieved set of every topic, by a command for each run."""
    command = Path(sys.executable).with_name("ir_measures")
    for path in sorted(Path().glob("run*.txt")):
        arguments = [command, "qrels.txt", path, "SetP SetR SetF", "-q"]
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)


def ir_measures_library() -> None:
    """Compute the same in one process."""
    import ir_measures
    from ir_measures import SetF, SetP, SetR

    qrels = list(ir_measures.read_trec_qrels("qrels.txt"))
    for path in sorted(Path().glob("run*.txt")):
        list(ir_measures.iter_calc([SetP, SetR, SetF], qrels, ir_measures.read_trec_run(str(path))))


def subsets() -> None:
    """Compute EER, minimum and actual cost, Cllr and minimum Cllr of all trials and of each attack and codec."""
    import numpy as np
    import pandas as pd

    trials = pd.read_csv("key.csv", dtype=str).merge(pd.read_csv("scores0.csv"), on="trial_id")
    is_target, score = (trials["label"] == "target").to_numpy(), trials["score"].to_numpy()
    _numbers(is_target, score)
    for name in ("attack", "codec"):
        values = trials[name].to_numpy()
        for value in sorted(set(values) - {"-"}):
            chosen = (values == value) | (is_target if name == "attack" else np.False_)
            _numbers(is_target[chosen], score[chosen])


def _numbers(is_target, score) -> None:
    """Compute the numbers at prior 0.05 and costs 1 and 10."""
    import numpy as np
    from sklearn.isotonic import isotonic_regression

    order = np.argsort(score, kind="stable")
    label, ordered = is_target[order], score[order]
    end = np.append(np.flatnonzero(np.diff(ordered)), len(ordered) - 1)
    miss = np.append(0, np.cumsum(label)[end]) / label.sum()
    false_alarm = 1 - np.append(0, np.cumsum(~label)[end]) / (~label).sum()
    np.argmax(miss >= false_alarm)  # where the equal error rate is
    weight_miss, weight_fa = 0.05, 9.5
    (weight_miss * miss + weight_fa * false_alarm).min()
    threshold = math.log(weight_fa / weight_miss)
    weight_miss * (score[is_target] < threshold).mean() + weight_fa * (score[~is_target] >= threshold).mean()
    share = np.clip(isotonic_regression(label.astype(float)), 1e-15, 1 - 1e-15)
    best = np.log(share / (1 - share)) - math.log(label.sum() / (~label).sum())
    for target, other in ((score[is_target], score[~is_target]), (best[label], best[~label])):
        np.logaddexp(0, -target).mean() + np.logaddexp(0, other).mean()


def scikit_learn() -> None:
    """Compute the DET curve, its equal error rate and minimum cost, and the area of each system's trials."""
    import numpy as np
    import pandas as pd
    from sklearn.metrics import det_curve, roc_auc_score

    key = pd.read_csv("key.csv", dtype=str)
    for path in sorted(Path().glob("scores*.csv")):
        trials = key.merge(pd.read_csv(path), on="trial_id")
        is_target, score = (trials["label"] == "target").to_numpy(), trials["score"].to_numpy()
        false_alarm, miss, _ = det_curve(is_target, score)
        np.argmin(abs(false_alarm - miss))
        (0.05 * miss + 9.5 * false_alarm).min()
        roc_auc_score(is_target, score)


def clusterings() -> None:
    """Compute the indices of two clusterings that scikit-learn has and that take less than minutes at 10^5 items."""
    import pandas as pd
    from sklearn import metrics

    both = pd.read_csv("gold.csv", dtype=str).merge(pd.read_csv("run.csv", dtype=str), on="item_id")
    gold, answer = (both[name].astype("category").cat.codes for name in ("cluster_id_x", "cluster_id_y"))
    metrics.adjusted_rand_score(gold, answer)
    metrics.normalized_mutual_info_score(gold, answer)
    metrics.homogeneity_completeness_v_measure(gold, answer)


def statsmodels() -> None:
    """Compute the mean and the clustered standard error of every run of items."""
    import pandas as pd
    import statsmodels.api

    for _, rows in pd.read_parquet("scores.parquet").groupby("run_id"):
        groups = rows["passage"].astype("category").cat.codes
        model = statsmodels.api.OLS(rows["score"], [1.0] * len(rows))
        model.fit(cov_type="cluster", cov_kwds={"groups": groups})


if __name__ == "__main__":
    globals()[sys.argv[1]]()
