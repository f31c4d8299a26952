"""Windows of days as blocks: an item in several of them counts in each; and numbers over time.

stories   a 1st   b 1st   c 2nd   d 2nd   e 3rd   f 4th   g 4th
windows of 2 days, step 1:  1..2 = a b c d,  2..3 = c d e,  3..4 = e f g
"""

import pytest

import tdtsql
from clustering_case import block_numbers, numbers
from tdtsql.loading.bundle import evaluate_into
from tdtsql.errors import InvalidInput

DAY = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3, "f": 4, "g": 4}
GOLD = {"a": "x", "b": "x", "c": "x", "d": "y", "e": "y", "f": "z", "g": "z"}
SYSTEM = {"a": "1", "b": "1", "c": "2", "d": "2", "e": "2", "f": "3", "g": "2"}
WINDOWS = {"1998-10-01..1998-10-02": "abcd", "1998-10-02..1998-10-03": "cde", "1998-10-03..1998-10-04": "efg"}


def write(folder, gold=GOLD, system=SYSTEM, keys='window = "2 days"\nstep = "1 day"\n', blocks=None):
    """Write a bundle with stories; where ``blocks`` are given, rows name these and there are no windows."""

    def rows(clusters):
        if blocks is None:
            return "item_id,cluster_id\n" + "".join(f"{item},{cluster}\n" for item, cluster in clusters.items())
        return "block_id,item_id,cluster_id\n" + "".join(
            f"{block},{item},{clusters[item]}\n" for block, items in blocks.items() for item in items
        )

    (folder / "stories.csv").write_text(
        "story_id,position,language,published_at\n"
        + "".join(
            f"{story},{number},{'E' if story in 'aceg' else 'F'},1998-10-{day:02} 08:00:00\n"
            for number, (story, day) in enumerate(DAY.items(), start=1)
        )
    )
    (folder / "gold.csv").write_text(rows(gold))
    (folder / "system.csv").write_text(rows(system))
    (folder / "bundle.toml").write_text(
        '[corpus]\nid = "k"\nstories = "stories.csv"\n[[condition]]\nid = "c"\ntask = "partition"\ngold = "gold.csv"\n'
        + keys
        + '[[run]]\nid = "s"\ncondition = "c"\nfiles = ["system.csv"]\n'
    )
    return folder / "bundle.toml"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with tdtsql.evaluate(write(tmp_path_factory.mktemp("windows"))) as store:
        yield store


def test_a_window_has_the_numbers_of_its_items(store):
    found = block_numbers(store)

    assert [found[block, "n_gold_item"] for block in WINDOWS] == [4, 3, 3]
    # 1..2: gold {a b c} {d}, run {a b} {c d}: precision (1 + 1 + 1/2 + 1/2) / 4, recall (2/3 + 2/3 + 1/3 + 1) / 4
    assert (found["1998-10-01..1998-10-02", "b3_precision"], found["1998-10-01..1998-10-02", "b3_recall"]) == (
        3 / 4,
        pytest.approx(8 / 12),
    )
    # 3..4: gold {e} {f g}, run {e g} {f}: precision (1/2 + 1/2 + 1) / 3, recall (1 + 1/2 + 1/2) / 3
    assert found["1998-10-03..1998-10-04", "b3_f1"] == pytest.approx(2 / 3)


def test_over_all_windows_an_item_counts_in_each(store):
    story, topic, block = numbers(store), numbers(store, "topic"), block_numbers(store)

    assert (story["n_gold_item"], story["n_gold_cluster"]) == (10, 6)  # 7 items, 3 clusters
    assert story["b3_precision"] == pytest.approx(
        (3 + 5 / 3 + 2) / 10
    )  # 2..3: gold {c} {d e}, run {c d e}: (1/3 + 2/3 + 2/3) / 3
    assert topic["b3_precision"] == pytest.approx(sum(block[name, "b3_precision"] for name in WINDOWS) / 3)


def test_the_question_shows_the_number_over_time(store):
    answer = store.ask("clusters_over_time", run="s", metric="b3_precision").fetchall()

    assert [row[3:7] for row in answer] == [
        (f"1998-10-0{day}..1998-10-0{day + 1}", f"1998-10-0{day}", f"1998-10-0{day + 1}", size)
        for day, size in ((1, 4), (2, 3), (3, 3))
    ]
    assert [row[8] for row in answer] == [None, pytest.approx(5 / 9 - 3 / 4), pytest.approx(2 / 3 - 5 / 9)]


def test_a_window_without_gold_is_no_block_and_what_a_run_has_there_is_spurious(tmp_path):
    gold = {item: cluster for item, cluster in GOLD.items() if DAY[item] in (1, 4)}
    with tdtsql.evaluate(write(tmp_path, gold, keys='window = "1 day"\n')) as store:
        found = numbers(store)
        blocks = store.sql("select block_id from base.block order by block_no").fetchall()

    assert blocks == [("1998-10-01",), ("1998-10-04",)]
    assert (found["n_gold_item"], found["n_system_item"], found["n_shared_item"]) == (4, 7, 4)


def test_a_row_that_is_repeated_is_counted_once_however_many_windows_have_it(store, tmp_path):
    """c and d are in two windows each; d is in two clusters."""
    path = write(tmp_path)
    (tmp_path / "system.csv").write_text("item_id,cluster_id\na,1\nc,2\nc,2\nd,2\nd,3\n")
    path.write_text(
        path.read_text().replace(
            "[[run]]", 'profile = ["mine"]\n[profile.mine]\nbase = "partition"\noverlap = "error"\n[[run]]'
        )
    )
    with pytest.raises(InvalidInput) as caught:
        evaluate_into(store.engine, path)

    said = {problem.code: (problem.line, problem.value, problem.message) for problem in caught.value.problems}
    assert said["W921"][:2] == (4, "c") and "(1 such rows)" in said["W921"][2]
    assert said["E922"][:2] == (6, "d") and "1 item is in several clusters" in said["E922"][2]


REFUSED = {
    "no number": ('window = "week"\n', GOLD, "E934", None, "7 days"),
    "no days": ('window = "0 days"\n', GOLD, "E934", None, "7 days"),
    "a step alone": ('step = "1 day"\n', GOLD, "E934", None, "window is not a number of days"),
    "a step that leaves days out": ('window = "2 days"\nstep = "3 days"\n', GOLD, "E934", None, "longer than a window"),
    "an item without a story": ('window = "2 days"\n', {**GOLD, "h": "x"}, "E936", 9, "'h'"),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_no_windows_is_refused(store, name, tmp_path):
    keys, gold, code, line, word = REFUSED[name]
    before = store.sql("select content_sha256 from registry.condition").fetchall()
    with pytest.raises(InvalidInput) as caught:
        evaluate_into(store.engine, write(tmp_path, gold, keys=keys))
    assert store.sql("select content_sha256 from registry.condition").fetchall() == before

    [problem] = [problem for problem in caught.value.problems if problem.code == code]
    assert problem.line == line and word in str(problem) + problem.advice


def test_blocks_of_files_and_windows_exclude_each_other(store, tmp_path):
    with pytest.raises(InvalidInput) as caught:
        evaluate_into(store.engine, write(tmp_path, blocks=WINDOWS))

    assert [(problem.code, problem.path) for problem in caught.value.problems] == [
        ("E935", "gold.csv"),
        ("E935", "system.csv"),
    ]
