"""Clusterings of stories of two languages, some sources and three days: their subsets, and what is in none of them."""

import random

import pytest

import tdtsql
from bundle_file import write_bundle, write_tables
from clustering_case import write_rows
from tdtsql.load.bundle import evaluate_into

STORIES = [
    (
        f"S{number:02}",
        ("ENG", "MAN")[number % 2],
        ("NYT", "XIN", None)[number % 3] if number != 3 else None,
        f"1998-10-0{1 + number // 8}" if number != 5 else None,
    )
    for number in range(24)
]
SUBSETS = [*(f"day=1998-10-0{day}" for day in (1, 2, 3)), *("language=ENG", "language=MAN", "source=NYT", "source=XIN")]
PRODUCT = "language=MAN,source=NYT"
EMPTY = "day=1998-10-01,language=MAN,source=NYT"


def rows_of(seed, share, n_cluster, n_several):
    """Return (block, item, cluster) of some stories in two blocks, and of two items that are no stories."""
    chance = random.Random(seed)
    rows = [
        (block, story, f"{block}{chance.randrange(n_cluster)}")
        for block in "pq"
        for story, *_ in STORIES
        if chance.random() < share
    ]
    rows += [(block, story, f"{block}x") for block, story, _ in rows[:n_several]]
    return [*rows, ("p", "elsewhere", "p0"), ("q", f"only {seed}", "q1")]


def write(folder, gold, system):
    stories = [(*row[:1], n, row[1], row[2], f"{row[3]} 10:00:00" if row[3] else None) for n, row in enumerate(STORIES)]
    files = write_tables(folder, stories=("story_id position language source published_at", stories))
    write_rows(folder / "gold.csv", gold)
    write_rows(folder / "system.csv", system)
    return write_bundle(
        folder,
        corpus={"id": "k"} | files,
        conditions=[{"id": "whole", "task": "partition", "gold": "gold.csv"}],
        runs=[{"id": "s", "condition": "whole", "files": ["system.csv"]}],
    )


def numbers_of(store, relation, column, where):
    """Return (profile, weighting or block, metric) -> value, n."""
    n = "n" if relation == "score" else "1"
    return {
        row[:3]: row[3:]
        for row in store.sql(
            f"select profile_id, {column}, metric, value, {n} from report.{relation} where {where}"
        ).fetchall()
    }


@pytest.fixture(scope="module", params=[pytest.param(0, marks=pytest.mark.full), 4], ids=["partition", "overlap"])
def written(request, tmp_path_factory):
    """Return the bundle, and how many items of each side are in several clusters."""
    folder = tmp_path_factory.mktemp("subsets")
    return write(folder, rows_of(1, 0.8, 4, request.param), rows_of(2, 0.7, 3, request.param)), request.param


@pytest.fixture(scope="module")
def whole(written):
    with tdtsql.evaluate(written[0]) as whole:
        for name in (PRODUCT, EMPTY):
            whole.score(subset=name)
        yield whole


def test_items_in_several_clusters_have_extended_numbers_in_subsets(whole, written):
    n_several = written[1]
    rows = whole.sql(
        "select subset, metric, value from report.score where metric in ('b3_f1', 'b3_ext_f1') and weighting = "
        "'story' and profile_id = 'partition'"
    ).fetchall()
    found = {(subset, metric): value for subset, metric, value in rows}

    assert all(found[subset, "b3_ext_f1"] is not None for subset in ("all", *SUBSETS))
    assert sum(found[subset, "b3_f1"] is None for subset in ("all", *SUBSETS)) == (
        len(SUBSETS) - 1 if n_several else 0
    )  # two subsets have none of these items


def test_the_subsets_are_those_of_the_gold(whole):
    found = [row[0] for row in whole.sql("select subset from base.subset order by subset_no").fetchall()]

    assert found == ["all", *SUBSETS, PRODUCT, EMPTY]


def test_a_subset_without_an_item_has_rows_of_nothing(whole):
    found = numbers_of(whole, "score", "weighting", f"subset = '{EMPTY}' and profile_id = 'partition'")

    assert found["partition", "story", "n_gold_item"] == (0, 0) and found["partition", "topic", "b3_f1"] == (None, 0)
    assert len(found) == len(numbers_of(whole, "score", "weighting", "subset = 'all' and profile_id = 'partition'"))


def test_items_that_are_no_stories_count_in_all_alone_and_are_said(tmp_path):
    bundle = write(tmp_path, rows_of(1, 0.8, 4, 0), rows_of(2, 0.7, 3, 0))
    with tdtsql.connect(":memory:") as store:
        report = evaluate_into(store.engine, bundle, score=False)
        n_all, n_story = (
            store.sql(f"select count(*) from base.partition_item where story_no {test} 0").fetchall()[0][0]
            for test in (">=", ">")
        )

    told = [problem for problem in report.warnings if problem.code == "W931"]
    assert [(problem.value, problem.message.split(" ")[0]) for problem in told] == [
        ("elsewhere", "2"),
        ("elsewhere", "2"),
    ]
    assert n_all - n_story == 2


def test_a_year_of_days_is_too_many(tmp_path):
    dates = [f"{1998 + n // 336}-{1 + n % 336 // 28:02}-{1 + n % 28:02} 00:00:00" for n in range(367)]
    files = write_tables(
        tmp_path,
        stories=("story_id position published_at", [(f"s{n}", n, date) for n, date in enumerate(dates)]),
        gold=("item_id cluster_id", [(f"s{n}", n % 5) for n in range(367)]),
    )
    condition = {"id": "c", "task": "partition", "gold": files.pop("gold")}
    write_bundle(tmp_path, corpus={"id": "k"} | files, conditions=[condition], runs=[])
    with tdtsql.connect(":memory:") as store:
        report = evaluate_into(store.engine, tmp_path / "bundle.toml", score=False)
        subsets = store.sql("select subset from base.subset").fetchall()

    assert [problem.code for problem in report.warnings] == ["W933"] and "367 days" in str(report.warnings[0])
    assert subsets == [("all",)]
