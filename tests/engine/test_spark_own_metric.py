"""User-defined metrics of an exported store, computed by Spark: portable ones have DuckDB's numbers."""

import shutil
from pathlib import Path

import pytest

import tdtsql
from inside import export
from tdtsql.errors import NotOnEngine
from tdtsql.own.stored import verify_ledger

pytestmark = pytest.mark.engine

pytest.importorskip("pyspark", reason="pyspark is not installed (pip install 'tdtsql[spark]')")
if not shutil.which("java"):
    pytest.skip("Java is not installed (Debian: apt install openjdk-17-jre-headless)", allow_module_level=True)

GOOD = Path(__file__).resolve().parents[2] / "fixtures" / "own_metric" / "balanced_accuracy__v1.sql"
_NUMBERS = (
    "select run_id, profile_id, subset, metric, weighting, value, n, version from report.score "
    "where metric like 'own:%' order by 1, 2, 3, 4, 5"
)


def test_the_numbers_are_those_of_the_file(tmp_path):
    (tmp_path / "stories.csv").write_text("story_id,position\n" + "".join(f"s{n},{n}\n" for n in range(1, 7)))
    (tmp_path / "topics.csv").write_text("topic_id\nt1\nt2\n")
    (tmp_path / "judgments.csv").write_text("topic_id,story_id,label\nt1,s1,yes\nt1,s2,yes\nt2,s3,yes\n")
    (tmp_path / "runs.csv").write_text(
        "run_id,topic_id,story_id,decision,score\na,t1,s1,yes,1\na,t1,s2,no,0\na,t1,s3,yes,1\na,t2,s3,yes,1\n"
    )
    (tmp_path / "bundle.toml").write_text(
        '[corpus]\nid = "k"\nstories = "stories.csv"\ntopics = "topics.csv"\njudgments = "judgments.csv"\n'
        '[[condition]]\nid = "c"\ntask = "tracking"\n[[run]]\ncondition = "c"\nfiles = ["runs.csv"]\n'
    )
    text = GOOD.read_text()
    with tdtsql.evaluate(tmp_path / "bundle.toml") as store:
        store.add_metric(GOOD)
        store.add_metric(text.replace("n_trial\nfrom", "greatest(n_trial, 0) as n_trial\nfrom").replace(
            "balanced_accuracy", "other"), name="other__v1")  # fmt: skip
        store.refresh()
        want = [row for row in store.sql(_NUMBERS).fetchall() if row[3] == "own:balanced_accuracy"]
        export(store.engine, tmp_path / "lake")
    for _ in range(2):  # the second time its numbers and the ledger are read again
        with tdtsql.connect("spark-local[2]", data=tmp_path / "lake") as lake:
            lake.refresh()
            assert lake.sql(_NUMBERS).fetchall() == want != []
            asked = "select block_no, balanced_accuracy from own.balanced_accuracy where subset_no = 0 order by 1"
            assert lake.sql(asked).fetchall() == [(1, 5 / 8), (2, 1.0)]
            assert verify_ledger(lake.engine) == []
            kinds = [row[0] for row in lake.sql("select kind from ledger.entry where subject like 'own:%'").fetchall()]
            assert kinds == ["define"]
            with pytest.raises(NotOnEngine):
                lake.add_metric(GOOD)
