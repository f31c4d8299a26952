"""One topic says nothing of others: no p value, no interval, no group, and the reason beside it.

story   s1  s2  s3  s4      a: misses none of 2, no false alarm
topic   on  on   -   -      b: misses one
"""

import json

import pytest
from click.testing import CliRunner

from tdtsql.cli.main import cli

BUNDLE = (
    '[corpus]\nid = "k"\nstories = "stories.csv"\njudgments = "judgments.csv"\n[[condition]]\nid = "c"\ntask = '
    '"tracking"\nprofile = ["tdt2004"]\n'
)


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    (folder / "stories.csv").write_text("story_id,position\n" + "".join(f"s{n},{n}\n" for n in range(1, 5)))
    (folder / "judgments.csv").write_text("topic_id,story_id,label\nt1,s1,yes\nt1,s2,yes\n")
    text = BUNDLE
    for run, found in (("a", ("yes", "yes")), ("b", ("yes", "no"))):
        (folder / f"{run}.csv").write_text(
            "topic_id,story_id,decision,score\n"
            + "".join(f"t1,s{n},{said},{2 if said == 'yes' else 1}\n" for n, said in enumerate((*found, "no", "no"), 1))
        )
        text += f'[[run]]\nid = "{run}"\ncondition = "c"\nfiles = ["{run}.csv"]\n'
    (folder / "bundle.toml").write_text(text)
    assert (
        CliRunner().invoke(cli, ["evaluate", str(folder / "bundle.toml"), "--db", str(folder / "one.duckdb")]).exit_code
        == 0
    )
    return str(folder / "one.duckdb")


def said(db, *arguments):
    result = CliRunner().invoke(cli, [*arguments, "--db", db])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "wilcoxon"])
@pytest.mark.sample(1)
def test_compare(db, test):
    [row] = json.loads(said(db, "compare", "a", "b", "--test", test, "--format", "json"))

    assert {row[name] for name in ("p", "p_adjusted", "low", "high", "effect_size", "mc_error", "smallest_p")} == {None}
    # half of the targets missed costs half of what silence costs; the mean of one value is that value
    assert (row["mean"], row["baseline_mean"], row["difference"], row["loss"], row["n_topic"]) == (0.5, 0.0, 0.5, 1, 1)
    assert row["reason"] == "one topic: no test and no interval"
    assert "1 topic: no test and no interval" in said(db, "compare", "a", "b", "--test", test)
    assert "1 topic: no test and no interval" in said(db, "compare", "a", "b", "--test", test, "--format", "latex")


def test_ranks(db):
    assert [
        row[:4]
        for row in (
            line.split(",") for line in said(db, "stats", "ranks", "a", "b", "--format", "csv").splitlines()[1:]
        )
    ] == [["a", "1", "", ""], ["b", "2", "", ""]]
    assert "the stability of the ranking is unknown" in said(db, "stats", "ranks", "a", "b")
