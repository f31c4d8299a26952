"""Scored trials of thirteen attacks and two systems: the whole process of `tdtsql evaluate`, and the table of subsets
with bootstrap intervals. With --peer beside pandas and numpy on the same files: EER, minDCF, actDCF, Cllr and min Cllr
of every subset.

    python bench/bench_subsets.py --folder /tmp/attacks [--trials 71237] [--attacks 13] [--systems 2] [--resamples
    1000] [--speakers 67 --unit speaker]
    python bench/bench_subsets.py --folder /tmp/asvspoof5 --trials 680774 --attacks 16 --codecs 12 --systems 1
    --peer --metric

Sizes are those of ASVspoof 2019 LA and ASVspoof 5; scores are normal, attacks differ in how far they lie below bona
fide speech.
Prints seconds on the clock and of the processor; asserts nothing.
"""

import argparse
import math
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from data import compile_package

from tdtsql.api import connect


def write_trials(folder: Path, n_trial: int, n_attack: int, n_system: int, n_speaker: int, n_codec: int) -> Path:
    """Write a tidy key with attack and speaker, a file of scores for each system, and a bundle; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(13)
    is_target = random.random(n_trial) < 7355 / 71237
    attack, speaker = random.integers(0, n_attack, n_trial), random.integers(0, max(n_speaker, 1), n_trial)
    codec = random.integers(0, max(n_codec, 1), n_trial)
    with open(folder / "key.csv", "w") as key:
        key.write(f"trial_id,label,attack{',speaker' if n_speaker else ''}{',codec' if n_codec else ''}\n")
        key.writelines(
            f"LA_E_{number:07},"
            f"{'target,-' if target else f'nontarget,A{kind + 1:02}'}{f',LA_{who:04}' if n_speaker else ''}"
            f"{f',C{coded:02}' if n_codec else ''}\n"
            for number, (target, kind, who, coded) in enumerate(
                zip(is_target.tolist(), attack.tolist(), speaker.tolist(), codec.tolist(), strict=True)
            )
        )
    runs = []
    for system in range(n_system):
        score = random.normal(0, 1, n_trial) + np.where(is_target, 2.5, -1 + attack / n_attack) + system / 4
        with open(folder / f"scores{system}.csv", "w") as scores:
            scores.write("trial_id,score\n")
            scores.writelines(
                f"LA_E_{number:07},{score[number]:.9f}\n" for number in random.permutation(n_trial).tolist()
            )
        runs.append(f'[[run]]\nid = "system{system}"\ncondition = "la"\nfiles = ["scores{system}.csv"]\n')
    path = folder / "bundle.toml"
    path.write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "la"\ntask = "verification"\nkey = "key.csv"\nscores = '
        '"llr"\nprofile = ["asvspoof5"]\n' + "".join(runs)
    )
    return path


def peer(folder: Path, n_system: int) -> int:
    """Compute what a user of pandas and numpy would, in all subsets; returns how many."""
    import pandas

    key, n_subset = pandas.read_csv(folder / "key.csv", dtype=str), 0
    for system in range(n_system):
        trials = key.merge(pandas.read_csv(folder / f"scores{system}.csv"), on="trial_id")
        is_target, score = (trials["label"] == "target").to_numpy(), trials["score"].to_numpy()
        subsets = [np.ones(len(trials), dtype=bool)]
        for name in set(trials) & {"attack", "codec"}:
            values = trials[name].to_numpy()
            for value in sorted(set(values) - {"-"}):
                subsets.append((values == value) | (is_target if name == "attack" else False))
        for chosen in subsets:
            numbers(is_target[chosen], score[chosen])
        n_subset += len(subsets)
    return n_subset


def numbers(is_target: np.ndarray, score: np.ndarray) -> tuple[float, ...]:
    """Return EER, minimum and actual cost (prior 0.05, costs 1 and 10), Cllr and min Cllr of trials."""
    order = np.argsort(score, kind="stable")
    label, ordered = is_target[order], score[order]
    end = np.append(np.flatnonzero(np.diff(ordered)), len(ordered) - 1)
    miss = np.append(0, np.cumsum(label)[end]) / label.sum()
    false_alarm = 1 - np.append(0, np.cumsum(~label)[end]) / (~label).sum()
    at = int(np.argmax(miss >= false_alarm))
    weight_miss, weight_fa = 0.05, 9.5
    threshold = math.log(weight_fa / weight_miss)
    actual = weight_miss * (score[is_target] < threshold).mean() + weight_fa * (score[~is_target] >= threshold).mean()
    cllr = (np.logaddexp(0, -score[is_target]).mean() + np.logaddexp(0, score[~is_target]).mean()) / math.log(4)
    from sklearn.isotonic import isotonic_regression

    share = np.clip(isotonic_regression(label.astype(float)), 1e-15, 1 - 1e-15)
    best = np.log(share / (1 - share)) - math.log(label.sum() / (~label).sum())
    min_cllr = (np.logaddexp(0, -best[label]).mean() + np.logaddexp(0, best[~label]).mean()) / math.log(4)
    least = (weight_miss * miss + weight_fa * false_alarm).min()
    return (miss[at] + false_alarm[at]) / 2, least, actual, cllr, min_cllr


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--trials", type=int, default=71_237)
    parser.add_argument("--attacks", type=int, default=13)
    parser.add_argument("--systems", type=int, default=2)
    parser.add_argument("--speakers", type=int, default=0, help="also an attribute of the key with as many values")
    parser.add_argument("--codecs", type=int, default=0, help="also an attribute of the key with as many values")
    parser.add_argument("--peer", action="store_true", help="beside it pandas and numpy")
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--unit", default="trial")
    parser.add_argument("--metric", nargs="*", default=["eer", "min_c_det_norm", "act_c_det_norm", "auc", "cllr"])
    given = parser.parse_args()
    bundle = given.folder / "bundle.toml"
    if not bundle.exists():
        write_trials(given.folder, given.trials, given.attacks, given.systems, given.speakers, given.codecs)
    database = given.folder / "store.duckdb"
    compile_package()
    for what in ("the first time", "again into an empty store"):
        database.unlink(missing_ok=True)
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "tdtsql", "evaluate", str(bundle), "--db", str(database)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(
            f"evaluate, whole process, {what}: {time.perf_counter() - began:.2f} s, "
            f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f} s of processor"
        )
    if given.peer:
        began, busy = time.perf_counter(), time.process_time()
        n_subset = peer(given.folder, given.systems)
        print(
            f"pandas and numpy, {n_subset} subsets: {time.perf_counter() - began:.2f} s, "
            f"{time.process_time() - busy:.2f} s of processor"
        )
    with connect(database, read_only=True) as store:
        for metric in given.metric:
            began, busy = time.perf_counter(), time.process_time()
            table = store.subset_table(by="attack", metric=metric, unit=given.unit, resamples=given.resamples)
            print(
                f"subset_table of {metric}, {given.resamples:,} draws of {given.unit}s, {len(table.fetchall())} lines: "
                f"{time.perf_counter() - began:.2f} s, {time.process_time() - busy:.2f} s of processor"
            )
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
