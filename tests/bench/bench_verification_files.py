"""Scored trials from text to numbers: seconds and peak memory of `tdtsql evaluate`, or of loading alone.

    python tests/bench/bench_verification_files.py --trials 10000000 --format tidy --folder /tmp/trials --load

Scores are normal, targets two standard deviations above the others, of three decimals with --ties; in another order
than the key.
"""

import argparse
import resource
import time
from pathlib import Path

import duckdb

KEYS = {
    "tidy": ("trial_id,label", "trial || ',' || case when is_target then 'target' else 'nontarget' end"),
    "kaldi": (None, "enrolled || ' ' || tested || ' ' || case when is_target then 'target' else 'nontarget' end"),
    "voxceleb": (None, "case when is_target then '1 ' else '0 ' end || enrolled || ' ' || tested"),
    "asvspoof": ("filename\tcm-label", "trial || chr(9) || case when is_target then 'bonafide' else 'spoof' end"),
}
SCORES = {
    "tidy": ("trial_id,score", "trial || ',' || score"),
    "kaldi": (None, "enrolled || ' ' || tested || ' ' || score"),
    "voxceleb": (None, "score || ' ' || enrolled || ' ' || tested"),
    "asvspoof": ("filename\tcm-score", "trial || chr(9) || score"),
}


def write_trials(folder: Path, format_: str, n_trial: int, *, ties: bool, share: float = 0.1) -> Path:
    """Write a key, scores and a bundle; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect()
    connection.execute(f"""
        create view trial as
        select number, 'trial_' || lpad(cast(number as varchar), 8, '0') as trial,
            'spk' || lpad(cast(number % 5000 as varchar), 5, '0') as enrolled,
            'seg' || lpad(cast(number as varchar), 9, '0') as tested, is_target,
            case when {ties} then round(score, 3) else score end as score
        from (
            select number, is_target, sqrt(-2 * ln(one)) * cos(2 * pi() * other) + case when is_target then 2 else 0
                end as score
            from (
                select number, (hash(number) % 1000003) / 1000003.0 < {share} as is_target,
                    (hash(number + 7) % 1000000007 + 1) / 1000000008.0 as one,
                    (hash(number + 13) % 1000000009) / 1000000009.0 as other
                from range({n_trial}) as drawn(number)))""")
    for name, lines, order in (("key", KEYS[format_], "number"), ("scores", SCORES[format_], "hash(number)")):
        head, line = lines
        query = f"select {line} as line from trial order by {order}"
        options = f"header {'true' if head else 'false'}, quote '', escape '', delimiter '\b'"
        connection.execute(
            f"copy (select line as {chr(34)}{head or 'line'}{chr(34)} from ({query})) to '{folder / name}.txt' "
            f"({options})"
        )
    path = folder / "bundle.toml"
    path.write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "verification"\nkey = "key.txt"\n'
        f'key_format = "{format_}"\nscores = "llr"\n'
        'profile = ["asvspoof5"]\n[[run]]\nid = "s"\ncondition = "c"\nfiles = ["scores.txt"]\n'
        f'format = "{format_}"\n'
    )
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1_000_000)
    parser.add_argument("--format", choices=KEYS, default="tidy")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--ties", action="store_true", help="scores of three decimals")
    parser.add_argument("--load", action="store_true", help="load alone, without the numbers")
    given = parser.parse_args()
    path = given.folder / "bundle.toml"
    if not path.exists():
        path = write_trials(given.folder, given.format, given.trials, ties=given.ties)

    from tdtsql.api import connect
    from tdtsql.loading.bundle import evaluate_into

    database = given.folder / "store.duckdb"
    database.unlink(missing_ok=True)
    began, processor = time.perf_counter(), time.process_time()
    with connect(database) as store:
        evaluate_into(store.engine, path, score=not given.load)
        counts = store.sql("select sum(n_target), sum(n_nontarget) from base.trial_count__v1").fetchall()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(
        f"{given.format}: {time.perf_counter() - began:.1f} s, {time.process_time() - processor:.1f} s of the "
        f"processor, {peak:.2f} GiB, targets and others {counts}, "
        f"{database.stat().st_size / 1e6:.0f} MB store"
    )


if __name__ == "__main__":
    main()
