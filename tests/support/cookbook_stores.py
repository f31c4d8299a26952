"""The stores on which saved queries are run, and their expected results.

``tests/cookbook/expected/NAME.csv`` has the store and the parameters in its first line, and below it the complete
result. ``python tests/support/cookbook_stores.py NAME ...`` writes one, also after an intended change; review it.
"""

import contextlib
import csv
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from loads import unscored_loads

import tdtsql
from places import ROOT

EXPECTED = ROOT / "tests" / "cookbook" / "expected"
EXAMPLE = ROOT / "fixtures" / "example"

#: four stories on a flood, three on a strike, two on a vote and one alone; the run tears the flood apart and puts half
#: of it with the strike
GOLD = {"item_id": list("abcdefghij"), "cluster_id": ["flood"] * 4 + ["strike"] * 3 + ["vote"] * 2 + ["fire"]}
TORN = {"item_id": list("abcdefghk"), "cluster_id": ["c1", "c1", "c2", "c3", "c2", "c2", "c2", "c4", "c4"]}


def write_clusters(folder: Path) -> None:
    with unscored_loads(), tdtsql.connect(folder / "clusters.duckdb", create=True) as store:
        store.add_corpus("k")
        store.add_condition("events", corpus="k", task="partition", gold=GOLD)
        store.add_run("torn", condition="events", decisions=TORN)
        store.refresh()


def write_windows(folder: Path) -> None:
    """The same clusters as stories of five days, two a day, scored in windows of two days."""
    with unscored_loads(), tdtsql.connect(folder / "windows.duckdb", create=True) as store:
        store.add_corpus(
            "w",
            stories={
                "story_id": list("abcdefghij"),
                "position": list(range(1, 11)),
                "published_at": [f"1998-10-0{1 + number // 2} 08:00:00" for number in range(10)],
            },
        )
        store.add_condition("days", corpus="w", task="partition", gold=GOLD, window="2 days", step="1 day")
        store.add_run("torn", condition="days", decisions={name: values[:-1] for name, values in TORN.items()})
        store.refresh()


def trials() -> tuple[dict[str, list], dict[str, list[float]]]:
    """Return a key of eight genuine utterances and eight spoofed ones, and the scores of four runs.

    north is good and its log likelihood ratios are right; south orders the trials as north does, 3 too high; west
    cannot hear attack A08, and gives some targets and non-targets the same score. east gives only its worst target and
    its best non-target the same: whether it is ahead of north depends on the definition of the equal error rate.
    """
    key = {
        "trial_id": [f"{kind}{number}" for kind in ("real", "fake") for number in range(1, 9)],
        "label": ["target"] * 8 + ["nontarget"] * 8,
        "codec": ["C00", "C00", "C00", "C00", "C01", "C01", "C01", "C01"] * 2,
        "attack": ["-"] * 8 + ["A07", "A08"] * 4,
    }
    north = [4.0, 3.5, 3.0, 2.0, 2.5, 1.5, -0.5, 1.0, -4.0, -3.5, -3.0, -2.0, -2.5, 0.5, -1.5, -1.0]
    west = [3.0, 2.0, 2.0, 1.0, 2.0, 1.0, 0.0, 1.0, -3.0, 2.0, -2.0, 1.0, -3.0, 1.0, -1.0, 3.0]
    east = [3.0, 2.5, 2.0, 2.0, 1.5, 1.0, 0.0, 1.0, -3.0, -2.0, -2.5, -1.5, -2.0, -1.0, -3.5, 0.0]
    return key, {"east": east, "north": north, "south": [score + 3 for score in north], "west": west}


def write_trials(folder: Path) -> None:
    key, runs = trials()
    with unscored_loads(), tdtsql.connect(folder / "trials.duckdb", create=True) as store:
        store.add_corpus("speech")
        store.add_condition(
            "spoof", corpus="speech", task="verification", key=key, scores="llr", profile=["asvspoof5", "voxsrc"]
        )
        for run, scores in runs.items():
            store.add_run(run, condition="spoof", scores={"trial_id": key["trial_id"], "score": scores})
        store.refresh()


def write_second(folder: Path) -> None:
    """A condition of the example under two sets of judgments: in the second, one story is no longer on its topic."""
    shutil.copytree(EXAMPLE, folder / "bundle")
    bundle = folder / "bundle" / "bundle.toml"
    (folder / "bundle" / "second.csv").write_text(second_judgments(folder / "example.duckdb"))
    text = bundle.read_text().partition('[[condition]]\nid = "trk-eng-4"')[0]
    runs = bundle.read_text().split("[[run]]")[1:4]  # those of trk-eng-1
    assert all('condition = "trk-eng-1"' in run for run in runs)
    text += "[[run]]" + "[[run]]".join(runs)
    bundle.write_text(text.replace('id = "example"\n', 'id = "example"\njudgments_2 = "second.csv"\n', 1))
    with tdtsql.evaluate(bundle, folder / "second.duckdb") as store:
        store.score_distributions()


def second_judgments(example: Path) -> str:
    """Return the judgments of a store of the example, with the fifth English story of topic 70001 no longer on it."""
    with tdtsql.connect(example, read_only=True) as store:
        rows = store.engine.rows("""
            select topic_id, story_id, case when topic_id = '70001' and story_id = (
                select story_id from base.judgment join base.topic using (corpus_no, topic_no)
                    join base.story using (corpus_no, story_no)
                where topic_id = '70001' and label = 'yes' and language = 'ENGLISH' order by story_no offset 4
                limit 1) then 'no' else label end
            from base.judgment join base.topic using (corpus_no, topic_no) join base.story using (corpus_no, story_no)
            order by topic_no, story_no""")
    return "topic_id,story_id,label\n" + "".join(f"{','.join(row)}\n" for row in rows)


def write_drifted(folder: Path) -> None:
    """The example, with one answer of osprey turned round in trk-any-1, and sparrow gone from there."""
    shutil.copy(folder / "example.duckdb", folder / "drifted.duckdb")
    with (EXAMPLE / "tracking" / "tidy" / "runs.csv").open() as lines:
        rows = [row for row in csv.DictReader(lines) if row["run_id"] == "osprey"]
    rows[0]["decision"] = {"yes": "no", "no": "yes"}[rows[0]["decision"]]
    with unscored_loads(), tdtsql.connect(folder / "drifted.duckdb") as store:
        store.drop_run("sparrow", "trk-any-1")
        store.add_run(
            "osprey",
            condition="trk-any-1",
            decisions={name: [row[name] for row in rows] for name in ("topic_id", "story_id", "decision", "score")},
        )
        store.refresh()


#: twelve documents, three topics, two runs; beta retrieves d03 for R1, which nobody judged for it
FILTERING = ROOT / "fixtures" / "filtering" / "bundle.toml"


def write_stores(folder: Path, example: Path | None = None, filtering: Path | None = None) -> None:
    """Write the stores into a folder; ``example``, ``filtering``: stores of these bundles to copy."""
    for name, bundle, made in (("example", EXAMPLE / "bundle.toml", example), ("filtering", FILTERING, filtering)):
        if made is None:
            tdtsql.evaluate(bundle, folder / f"{name}.duckdb").close()
        else:
            shutil.copy(made, folder / f"{name}.duckdb")
    for write in (write_clusters, write_windows, write_trials, write_second, write_drifted):
        write(folder)


def expected(name: str) -> tuple[str, list[str], str]:
    """Return the store, the parameters as they are typed, and the result of a saved query."""
    path = EXPECTED / f"{name}.csv"  # of a new query: without parameters, on the example
    first, _, rest = (path.read_text(encoding="utf-8") if path.exists() else "# example\n").partition("\n")
    store, *parameters = first.removeprefix("# ").split()
    return store, parameters, rest


def main(names: list[str]) -> None:
    from click.testing import CliRunner

    from tdtsql.cli.main import cli

    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_stores(Path(folder))
        for name in names:
            store, parameters, _ = expected(name)
            words = ["ask", name, *parameters, "--db", f"{store}.duckdb", "--format", "csv"]
            said = CliRunner().invoke(cli, words, catch_exceptions=False).stdout
            (EXPECTED / f"{name}.csv").write_text(f"# {' '.join([store, *parameters])}\n{said}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
