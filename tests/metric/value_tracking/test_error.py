"""Worked example for the expected error of a tracked value.

true        deaths 10 from 0;  location (0, 0) from 0, (0, 0.4) from 500
submitted   deaths 4 at -50 (carried in), 8 at 200 and 9 at 200 (the later line counts), 99 at 1000 (too late)

    0      200                 1000
    |-- 4 --|-------- 9 -------|        EE = (6 * 200 + 1 * 800) / 1000 = 2

location    nothing until 250, then (0, 0); (0, 180) from 750: antipodal to (0, 0), 179.6 degrees from (0, 0.4)
    0      250     500     750      1000
    |-- B --|-- 0 --|-- D --|-- A --|    EE = (B + 0 + D + A) / 4
    B = pi * 6378.137 km, D = 0.4 degrees of the equator, A from (0, 0.4) to (0, 180)
"""

from math import pi

import pytest
from geographiclib.geodesic import Geodesic

import tdtsql
from tdtsql.errors import InvalidComparison
from tdtsql.loading.geodesic import vincenty

TOPICS = """<events><event><id>7</id><start>0</start><end>1000</end><type>flood</type>
<deaths><value><count>10</count><time>0</time></value></deaths>
<injuries><value><count>3</count><time>0</time></value></injuries>
<locations><location><value><latitude>0</latitude><longitude>0</longitude><time>0</time></value>
<value><latitude>0</latitude><longitude>0.4</longitude><time>500</time></value></location></locations>
</event></events>"""
RUN = """# a comment
7 t r NULL NULL -50 deaths 4 0.5
7 t r d1 0 200 deaths 8 0.5
7 t r d1 1 200 deaths 9 0.5
7 t r d1 2 1000 deaths 99 0.5
7 t r d1 3 250 locations 0,0 0.5
7 t r d1 4 750 locations 0, 180 0.5
"""
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


def write_bundle(folder, topics, run):
    (folder / "topics.xml").write_text(topics)
    (folder / "run.tsv").write_text(run)
    (folder / "bundle.toml").write_text(BUNDLE)
    return folder / "bundle.toml"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with tdtsql.evaluate(write_bundle(tmp_path_factory.mktemp("worked"), TOPICS, RUN)) as opened:
        yield opened


def test_worked_example(store):
    errors = dict(store.sql("select block_id, value from report.block_score where metric = 'ee'").fetchall())
    degree = 0.4 * pi * 6378.137 / 180
    far = Geodesic.WGS84.Inverse(0, 0.4, 0, 180)["s12"] / 1000

    assert errors["7/deaths"] == 2
    assert errors["7/injuries"] == 3  # never submitted: the baseline 0
    assert errors["7/locations"] == pytest.approx((pi * 6378.137 + 0 + degree + far) / 4, rel=1e-9)


def test_scores_are_means_of_an_attribute(store):
    scores = {
        row[0]: row[1:]
        for row in store.sql("select subset, weighting, value, n from report.score where metric = 'ee'").fetchall()
    }

    assert scores["attribute=deaths"] == ("topic", 2, 1)
    assert set(scores) == {"all", "attribute=deaths", "attribute=injuries", "attribute=locations"}


def test_persons_dollars_and_kilometres_have_no_mean(store):
    assert store.sql("select value, n from report.score where metric = 'ee' and subset = 'all'").fetchall() == [
        (None, 0)
    ]
    assert store.sql("select null_reason from metric.value_tracking_score__v1 where subset_no = 0").fetchall() == [
        ("several units",)
    ]


def test_persons_alone_have_one(tmp_path):
    """deaths 2, injuries 3."""
    topics = TOPICS[: TOPICS.index("<locations>")] + "</event></events>"
    run = "".join(line for line in RUN.splitlines(keepends=True) if "locations" not in line)
    with tdtsql.evaluate(write_bundle(tmp_path, topics, run)) as store:
        assert store.sql("select value, n from report.score where metric = 'ee' and subset = 'all'").fetchall() == [
            (2.5, 2)
        ]


def test_runs_are_ranked_by_each_attribute(tmp_path):
    """s says deaths 10 all the time (error 0, r has 2), injuries 9 (error 6, r has 3) and a location from the start (r
    not for a quarter).
    """
    other = "7 t s NULL NULL -50 deaths 10 0.5\n7 t s NULL NULL -50 injuries 9 0.5\n7 t s d1 3 0 locations 0,0 0.5\n"
    with tdtsql.evaluate(write_bundle(tmp_path, TOPICS, RUN + other)) as store:
        rows = store.sql("select subset, position, run_id from report.leaderboard order by all").fetchall()
        assert rows == [
            ("attribute=deaths", 1, "t-s"),
            ("attribute=deaths", 2, "t-r"),
            ("attribute=injuries", 1, "t-r"),
            ("attribute=injuries", 2, "t-s"),
            ("attribute=locations", 1, "t-s"),
            ("attribute=locations", 2, "t-r"),
        ]
        with pytest.raises(
            InvalidComparison,
            match="Choose one with argument subset: attribute=deaths, attribute=injuries, attribute=locations",
        ):
            store.compare("t-r", "t-s")
        [row] = store.compare("t-r", "t-s", subset="attribute=injuries").fetchall()
        assert 3 in row and 6 in row  # both means
        store.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count(">Leaderboard: v, ts-seed</caption>") == 3


def test_a_distance_by_karney_is_flagged(store):
    rows = store.sql("""
        select block.block_id, seen.n_stretch, seen.n_karney from metric.value_tracking_error__v1 as seen
        join base.block as block on block.block_no = seen.block_no where seen.subset_no = 0 order by all""").fetchall()

    assert rows == [("7/deaths", 2, 0), ("7/injuries", 1, 0), ("7/locations", 4, 1)]


def test_the_first_true_value_holds_from_the_start_and_of_two_for_one_time_the_later_one(tmp_path):
    """Deaths 5 and 7 from 300, 1 from 600; submitted 4 at 300.

    0      300     600        1000
    |-- 7 --|-- 3 --|--- 3 ---|      EE = (7 * 300 + 3 * 300 + 3 * 400) / 1000 = 4.2
    """
    values = "".join(
        f"<value><count>{count}</count><time>{time}</time></value>" for count, time in ((5, 300), (7, 300), (1, 600))
    )
    event = f"<id>7</id><start>0</start><end>1000</end><type>flood</type><deaths>{values}</deaths>"
    topics = f"<events><event>{event}</event></events>"
    with tdtsql.evaluate(write_bundle(tmp_path, topics, "7 t r d1 0 300 deaths 4 0.5\n")) as store:
        stretches = store.sql("""
            select from_time, to_time, true_no, value_no, error, is_vincenty from metric.value_tracking_stretch__v1
            order by 1""").fetchall()

        assert stretches == [(0, 300, 2, 0, 7, 1), (300, 600, 2, 1, 3, 1), (600, 1000, 3, 1, 3, 1)]
        assert store.sql("select value from report.block_score where metric = 'ee' and subset = 'all'").fetchall() == [
            (4.2,)
        ]


@pytest.mark.parametrize("points", [(52.2, 5.1, -33.9, 151.2), (40, 10, 41, 12), (10, 20, 70, -100)])
def test_vincenty_is_karney_to_a_tenth_of_a_millimetre(points):
    assert vincenty(*points) == pytest.approx(Geodesic.WGS84.Inverse(*points)["s12"] / 1000, rel=0, abs=1e-7)
