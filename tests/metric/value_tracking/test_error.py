"""Runs of tracked values side by side, and distances; worked examples are in tests/cases/loaded/values.case."""

import pytest
from geographiclib.geodesic import Geodesic

import tdtsql
from tdtsql.errors import InvalidComparison

TOPICS = """<events><event><id>7</id><start>0</start><end>1000</end><type>flood</type>
<deaths><value><count>10</count><time>0</time></value></deaths>
<injuries><value><count>3</count><time>0</time></value></injuries></event></events>"""
BUNDLE = """[corpus]
id = "k"
[[condition]]
id = "v"
task = "value_tracking"
events = "topics.xml"
[[run]]
condition = "v"
files = ["run.tsv"]
"""


def test_runs_are_compared_by_one_attribute_and_reported_by_each(tmp_path):
    """r says deaths 4 (error 6), s says 10 (error 0) and injuries 9 (error 6, r has 3)."""
    run = "7 t r d1 0 0 deaths 4 0.5\n7 t s d1 0 0 deaths 10 0.5\n7 t s d1 1 0 injuries 9 0.5\n"
    for name, text in {"topics.xml": TOPICS, "run.tsv": run, "bundle.toml": BUNDLE}.items():
        (tmp_path / name).write_text(text)
    with tdtsql.evaluate(tmp_path / "bundle.toml") as store:
        with pytest.raises(InvalidComparison, match="argument subset: attribute=deaths, attribute=injuries"):
            store.compare("t-r", "t-s")
        [row] = store.compare("t-r", "t-s", subset="attribute=injuries").fetchall()
        assert 3 in row and 6 in row  # both means
        store.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().count(">Leaderboard: v, ts-seed</caption>") == 2


@pytest.mark.parametrize("points", [(52.2, 5.1, -33.9, 151.2), (40, 10, 41, 12), (10, 20, 70, -100)])
def test_vincenty_is_karney_to_a_tenth_of_a_millimetre(tmp_path, points):
    topics = (
        "<events><event><id>7</id><start>0</start><end>1000</end><type>flood</type><locations><location><value>"
        "<latitude>{}</latitude><longitude>{}</longitude><time>0</time></value></location></locations></event></events>"
    )
    run = "7 t r d1 0 0 locations {},{} 0.5\n"
    for name, text in {
        "topics.xml": topics.format(*points[:2]),
        "run.tsv": run.format(*points[2:]),
        "bundle.toml": BUNDLE,
    }.items():
        (tmp_path / name).write_text(text)
    with tdtsql.evaluate(tmp_path / "bundle.toml") as store:
        [(km, is_vincenty)] = store.sql("select distance_km, is_vincenty from base.value_distance").fetchall()
    assert is_vincenty == 1
    assert km == pytest.approx(Geodesic.WGS84.Inverse(*points)["s12"] / 1000, rel=0, abs=1e-7)
