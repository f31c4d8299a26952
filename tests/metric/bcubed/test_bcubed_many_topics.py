"""Extended B-CUBED of stories on more topics than are counted by inclusion and exclusion, and of very many pairs."""

import duckdb

from partition import DEFAULT, Answer, fetch, load, partition_rows
from tdtsql.definitions.catalogue import catalog


def test_the_work_of_a_run_is_that_of_its_own_units_under_its_own_profile():
    """Reference: 3 topics of one unit each, formed by 3 pairs. Response: 20 topics of the 3 units; 60 requested units
    beside 30 stories are 1,800 stories to count, the time of 1 pair: 3 + 1. Without S0: 20 * 3 * 29 stories, the same;
    of 5 topics 5 * 3 * 30 = 450 stories, the time of no pair.
    """
    everything = {(f"S{story}", f"t{topic}") for story in range(30) for topic in range(20)}
    truth = {(f"S{story}", f"t{story % 3}") for story in range(30)}
    few = {(story, topic) for story, topic in everything if topic in ("t0", "t1", "t2", "t3", "t4")}
    cases = {"all": Answer(truth, everything), "few": Answer(truth, few)}

    with load(cases, [DEFAULT, ("drop", "drop")]) as con:
        rows = fetch(con, "bcubed_overlap_work")

    pairs = {(row["run_no"], row["profile_no"]): row["n_pair"] for row in rows}
    assert pairs == {(1, 1): 4, (1, 2): 4, (2, 1): 3, (2, 2): 3} and len(rows) == 4


def test_above_a_hundred_million_pairs_fifty_for_each_decision_are_made():
    """A topic of 10,010 units: 10,010^2 pairs, and a 250th of them for its one topic: 100,600,900 = 50 * 2,012,018."""
    names = {"metric.bcubed_overlap_unit__v1": "unit", "registry.run": "run"}
    with duckdb.connect() as con:
        con.execute("create table run as select * from (values (1, 2012018), (2, 2012017)) as run (run_no, n_row)")
        con.execute("""
            create table unit as select run_no, 1 as profile_no, range as unit_no, 1 as block_no, 1 as is_response,
                1 as n_story, 1 as n_own, 0 as n_other, 1 as is_asked
            from run, range(10010)""")
        rows = con.execute(catalog()["metric.bcubed_overlap_work__v1"].reading(names) + " order by all").fetchall()

    assert rows == [(1, 1, 100_600_900, 1), (2, 1, 100_600_900, 0)]


def test_sets_with_the_same_power_sums_are_told_apart():
    """Both have 7 topics from 1 to 30, and the same sums of first to fourth powers."""
    one, two = {1, 2, 6, 10, 18, 19, 30}, {1, 3, 4, 12, 16, 20, 30}
    assert all(sum(topic**power for topic in one) == sum(topic**power for topic in two) for power in range(5))
    all_topics = {(f"S{topic}", f"t{topic:02}") for topic in range(1, 31)}  # so that t01 has number 1
    groups = [("A", one), ("B", one), ("C", two), ("D", two)]
    case = Answer(all_topics, {(story, f"t{topic:02}") for story, topics in groups for topic in topics})

    units = [
        unit for unit in partition_rows(case, "bcubed_overlap_unit") if unit["is_response"] == 1 and unit["n_own"] > 1
    ]

    found = {}
    for unit in units:
        found.setdefault(unit["unit_no"], set()).add(unit["block_no"])
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, [one, one, two, two]))


def test_topics_with_great_numbers_make_units_without_overflow():
    """Units are told apart by sums of cubes of topic numbers; 80,000^3 times 20,000 is beyond 18 digits."""
    many = {(f"S{number}", f"t{number:05}") for number in range(40_000)}
    pair = {("A", "t39998"), ("A", "t39999"), ("B", "t39998"), ("B", "t39999")}

    rows = partition_rows(Answer(pair, many | pair), "bcubed_overlap_unit")

    assert {(row["n_story"], row["n_own"], row["n_other"]) for row in rows if row["n_own"] > 1} == {(2, 2, 2)}
