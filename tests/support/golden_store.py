"""Every case that other programs have scored, in one store: what other engines are held against.

The numbers themselves are compared in tests/golden; here they are only loaded, each
case as a separate condition, so that an engine scores all of a task in one pass.
"""

import itertools
from pathlib import Path

import det_case
import filtering_case
import tdt3eval_case
import tdtsql
import ts_case
from bundle_file import write_bundle, write_tables
from partition import POLICIES
from tdtsql.load.bundle import evaluate_into
from places import EXAMPLE

#: B-CUBED cases, each under every pair of policies
_POLICY_PAIRS = {
    f"b3-{unassigned}-{unjudged}": {"base": "tdt2004", "b3_unassigned": unassigned, "b3_unjudged": unjudged}
    for unassigned, unjudged in itertools.product(POLICIES, POLICIES)
}


def write_golden_store(shared: Path, folder: Path) -> Path:
    """Load every golden case, and the bundled example, into one new store below ``folder``; return its path."""
    path = folder / "golden.duckdb"
    with tdtsql.connect(path) as store:
        for bundle in _bundles(shared, folder):
            evaluate_into(store.engine, bundle, score=False)
    return path


def _bundles(shared: Path, folder: Path):
    golden = shared / "golden"

    def place(name: str) -> Path:
        made = folder / name.replace("/", "_")
        made.mkdir()
        return made

    yield EXAMPLE / "bundle.toml"
    for kind in tdt3eval_case.TASKS:
        for case in sorted((golden / "tdt3eval").glob(f"{kind}*")):
            read = tdt3eval_case.read_case(case)
            yield tdt3eval_case.write_case(
                read, place(case.name), corpus_id=case.name, condition_id=case.name, profile_id=case.name
            )
    for name in det_case.CASES:
        yield det_case.write_case(golden / "det" / name, place(f"det_{name}"), f"det {name}")
    for case in sorted(path for path in (golden / "bcubed").iterdir() if path.is_dir()):
        yield _write_partition(case, place(f"bcubed_{case.name}"))
    yield filtering_case.write_case(golden / "filtering", place("filtering"))
    for year in ("2013", "2014"):
        yield ts_case.write_time_sensitive(
            golden / "ts" / "timesens" / f"synth_{year}", place(f"timesens_{year}"), year, f"timesens {year}"
        )
    yield ts_case.write_value_tracking(golden / "ts" / "value_tracking", place("value_tracking"), "value tracking")
    yield golden / "items" / "two_measures_subsets" / "bundle.toml"
    # all in one, and last: every load checks all existing conditions of this task
    yield ts_case.bundle_of_programs(shared, place("programs"))


def _write_partition(case: Path, folder: Path) -> Path:
    reference, response = det_case.read(case / "ref.csv"), det_case.read(case / "sys.csv")
    stories = sorted({row["story"] for row in reference + response})
    topics = sorted({row["topic"] for row in reference + response})
    files = write_tables(
        folder,
        stories=("story_id position", [(story, number) for number, story in enumerate(stories, start=1)]),
        topics=("topic_id", [(topic,) for topic in topics]),
        judgments=("topic_id story_id label", [(row["topic"], row["story"], "yes") for row in reference]),
    )
    said = [(row["topic"], row["story"], "yes", 1) for row in response]
    write_tables(folder, run=("topic_id story_id decision score", said))
    name = f"bcubed {case.name}"
    return write_bundle(
        folder,
        corpus={"id": name} | files,
        profiles=_POLICY_PAIRS,
        conditions=[{"id": name, "task": "tracking", "profile": list(_POLICY_PAIRS)}],
        runs=[{"id": "system", "condition": name, "files": ["run.csv"], "format": "tidy"}],
    )
