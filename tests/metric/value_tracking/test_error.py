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

TOPICS = """<events><event><id>7</id><start>0</start><end>1000</end><type>flood</type>
<deaths><value><count>10</count><time>0</time></value></deaths>
<injuries><value><count>3</count><time>0</time></value></injuries>
<locations><location><value><latitude>0</latitude><longitude>0</longitude><time>0</time></value>
<value><latitude>0</latitude><longitude>0.4</longitude><time>500</time></value></location></locations></event></events>"""
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


@pytest.fixture
def store(tmp_path):
    with tdtsql.evaluate(write_bundle(tmp_path, TOPICS, RUN)) as opened:
        yield opened


def test_worked_example(store):
    errors = dict(store.sql("select block_id, value from report.block_score where metric = 'ee'").fetchall())
    degree = 0.4 * pi * 6378.137 / 180
    far = Geodesic.WGS84.Inverse(0, 0.4, 0, 180)["s12"] / 1000

    assert errors["7/deaths"] == 2
    assert errors["7/injuries"] == 3  # never submitted: the baseline 0
    assert errors["7/locations"] == pytest.approx((pi * 6378.137 + 0 + degree + far) / 4, rel=1e-9)


def test_scores_are_means_of_an_attribute(store):
    scores = {row[0]: row[1:] for row in store.sql("select subset, weighting, value, n from report.score where metric = 'ee'").fetchall()}

    assert scores["attribute=deaths"] == ("topic", 2, 1)
    assert set(scores) == {"all", "attribute=deaths", "attribute=injuries", "attribute=locations"}


def test_a_distance_by_karney_is_flagged(store):
    rows = store.sql("""
        select block.block_id, seen.n_stretch, seen.n_karney from metric.value_tracking_error__v1 as seen
        join base.block as block on block.block_no = seen.block_no order by all""").fetchall()

    assert rows == [("7/deaths", 2, 0), ("7/injuries", 1, 0), ("7/locations", 4, 1)]


def test_the_first_true_value_holds_from_the_start_and_of_two_for_one_time_the_later_one(tmp_path):
    """Deaths 5 and 7 from 300, 1 from 600; submitted 4 at 300.

        0      300     600        1000
        |-- 7 --|-- 3 --|--- 3 ---|      EE = (7 * 300 + 3 * 300 + 3 * 400) / 1000 = 4.2
    """
    values = "".join(f"<value><count>{count}</count><time>{time}</time></value>" for count, time in ((5, 300), (7, 300), (1, 600)))
    topics = f"<events><event><id>7</id><start>0</start><end>1000</end><type>flood</type><deaths>{values}</deaths></event></events>"
    with tdtsql.evaluate(write_bundle(tmp_path, topics, "7 t r d1 0 300 deaths 4 0.5\n")) as store:
        stretches = store.sql("""
            select from_time, to_time, true_no, value_no, error, is_vincenty from metric.value_tracking_stretch__v1 order by 1""").fetchall()

        assert stretches == [(0, 300, 2, 0, 7, 1), (300, 600, 2, 1, 3, 1), (600, 1000, 3, 1, 3, 1)]
        assert store.sql("select value from report.block_score where metric = 'ee'").fetchall() == [(4.2,)]
