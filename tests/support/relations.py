"""Every relation of a store as rows, to be compared before and after a change of definitions.

    python tests/support/relations.py OUT.json          computes the example, the golden cases and some more
    python tests/support/relations.py OUT.json OLD.json the same, and reports what differs

``metric`` is computed in a scope, as the scorer does: each view once, for all runs and profiles. ``report`` and the
stored results are queried.
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import tdtsql
from tdtsql.definitions.catalogue import catalog
from tdtsql.scoring.scope import Scope

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
#: stored results without the numbers of their computations
_RESULTS = {
    "ledger.result_score": "subset_no, metric, weighting, value, n, version, null_reason",
    "ledger.result_block": "subset_no, block_no, metric, value, version, null_reason",
    "ledger.result_label": "block_no, metric, value",
}


def digest(rows: list[tuple]) -> str:
    """Return one hash of rows in any order."""
    return hashlib.sha256("\n".join(sorted(map(repr, rows))).encode()).hexdigest()[:16]


def computed(engine, names=None) -> dict[str, tuple[list[str], list[tuple]]]:
    """Return columns and rows of the views of metric and base, each computed once for all runs of a store."""
    conditions = [row[0] for row in engine.rows("select condition_no from registry.condition")]
    runs = [row[0] for row in engine.rows("select run_no from registry.run")]
    profiles = [row[0] for row in engine.rows("select profile_no from registry.profile")]
    found = {}
    scope = Scope(engine, conditions, runs, profiles)
    try:
        names = names or [name for name in catalog() if name.split(".")[0] in ("base", "metric")]
        scope.build(names)
        for name in names:
            columns = [column.name for column in catalog()[name].header.columns]
            found[name] = columns, engine.rows(f"select {', '.join(columns)} from {scope.relation(name)} as r")
    finally:
        scope.close()
    return found


def dump(engine) -> dict[str, list]:
    """Return for each relation: its columns, number of rows, hash of all, hash of each column."""
    relations = computed(engine)
    for name in catalog():
        if name.startswith("report.") and name not in ("report.lineage", "report.leaderboard"):
            columns = [column.name for column in catalog()[name].header.columns if column.name != "signature"]
            relations[name] = columns, engine.rows(f"select {', '.join(columns)} from {name}")
    for name, columns in _RESULTS.items():
        relations[name] = columns.split(", "), engine.rows(f"select {columns} from {name}")
    return {
        name: [
            len(rows),
            digest(rows),
            {column: digest([row[place] for row in rows]) for place, column in enumerate(columns)},
        ]
        for name, (columns, rows) in relations.items()
    }


def stores(folder: Path):
    """Yield name and engine of stores that hold every task, scored."""
    from golden_store import write_golden_store
    from partition_case import bundle_of

    for name, bundle in (
        ("example", "example/bundle.toml"),
        ("clusters", "example/clusters/bundle.toml"),
        ("bagga", "bagga/bundle.toml"),
        ("filtering", "filtering/bundle.toml"),
    ):
        with tdtsql.evaluate(ROOT / "fixtures" / bundle, ":memory:") as store:
            yield name, store.engine
    (folder / "trials").mkdir()
    with tdtsql.evaluate(write_trials(folder / "trials"), ":memory:") as store:
        yield "trials", store.engine
    if SHARED.is_dir():
        (folder / "partition").mkdir()
        bundle, _ = bundle_of(SHARED / "golden" / "partition", folder / "partition", largest=3000)
        with tdtsql.evaluate(bundle, ":memory:") as store:
            yield "partition", store.engine
        (folder / "golden").mkdir()
        with tdtsql.connect(write_golden_store(SHARED, folder / "golden")) as store:
            store.refresh()
            yield "golden", store.engine


def write_trials(folder: Path) -> Path:
    """Write a bundle of scored trials with ties and blocks, under five profiles."""
    import random

    drawn = random.Random(5)
    key, runs = ["trial_id,label,gender,codec"], {"a": ["trial_id,score"], "b": ["trial_id,score"]}
    for number in range(400):
        is_target = drawn.random() < 0.3
        key.append(f"t{number},{'target' if is_target else 'nontarget'},{drawn.choice('fm')},C{drawn.randrange(3)}")
        for run, digits in (("a", 1), ("b", 6)):
            runs[run].append(f"t{number},{round(drawn.gauss(2 if is_target else -1, 2), digits)}")
    (folder / "key.csv").write_text("\n".join(key) + "\n")
    for run, lines in runs.items():
        (folder / f"{run}.csv").write_text("\n".join(lines) + "\n")
    (folder / "bundle.toml").write_text(
        'name = "t"\n[corpus]\nid = "t"\n[[condition]]\nid = "c"\ntask = "verification"\nkey = "key.csv"\n'
        'scores = "llr"\nblocks = ["gender", "codec"]\n'
        'profile = ["asvspoof5", "voxsrc", "kaldi", "bosaris", "medifor"]\n'
        + "".join(f'[[run]]\nid = "{run}"\ncondition = "c"\nfiles = ["{run}.csv"]\n' for run in runs)
    )
    return folder / "bundle.toml"


def differences(now: dict, old: dict) -> list[str]:
    """Return a line for each relation that differs, with its columns that do."""
    lines = []
    for store, before in old.items():
        for name in sorted(before.keys() | now[store].keys()):
            ours, theirs = now[store].get(name), before.get(name)
            if ours == theirs:
                continue
            if ours is None or theirs is None:
                lines.append(f"{store} {name}: {'gone' if ours is None else 'new'}")
                continue
            columns = [c for c in ours[2].keys() | theirs[2].keys() if ours[2].get(c) != theirs[2].get(c)]
            if theirs[0] != ours[0] or columns or list(ours[2]) == list(theirs[2]):
                lines.append(f"{store} {name}: rows {theirs[0]} -> {ours[0]}, columns {', '.join(sorted(columns))}")
    return lines


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = {}
        for name, engine in stores(Path(folder)):
            found[name] = dump(engine)
            sys.stderr.write(f"{name}: {len(found[name])} relations\n")
    Path(sys.argv[1]).write_text(json.dumps(found, indent=1))
    if len(sys.argv) > 2:
        lines = differences(found, json.loads(Path(sys.argv[2]).read_text()))
        sys.stdout.write("".join(f"{line}\n" for line in lines) + f"{len(lines)} relations differ\n")
