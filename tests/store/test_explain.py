"""The chain of one number, redone by hand: Bagga's R5, topic u2 (4 targets, all found; 6 non-targets, one false
alarm).
"""

import pytest

import tdtsql
from tdtsql.audit.explain import explain, with_values
from places import FIXTURES


@pytest.fixture(scope="module")
def store(bagga):
    with tdtsql.connect(bagga, read_only=True) as store:
        yield store


RUN_LINES = {
    # run, metric, topic, condition: a file and a line of it that must be told, fields that every line has
    ("osprey", "p_miss", "70001", "trk-eng-1"): ("tracking/osprey/nt1/trk_70001.out", 10, "NLH20040105.0001"),
    ("kestrel", "p_miss", "70001", "trk-eng-1"): (
        "tracking/kestrel/nt1/trk_70001.out",
        35,
        "20040106_0900_1000_YZD_MAN.tkn 1 ",
    ),  # points by recid
    ("osprey", "p_miss", "70001", "trk-any-1"): ("tracking/tidy/runs.csv", 2, "osprey,70001,"),
    ("kestrel", "p_miss", "70002", "new-eng-10"): ("new_event/kestrel.out", 4, " 256 yes"),
    ("osprey", "c_det_norm", "70001", "htd-mul"): ("hierarchy/osprey.xml", 6, "topic-70001"),
    ("north-osprey", "nelg", "1", "ts"): ("summarization/osprey.ssv", 1, "1 north osprey"),
    ("north-osprey", "ee", "1/deaths", "values"): ("value_tracking/osprey.tsv", 2, "deaths"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("asked", RUN_LINES, ids=" ".join)
def test_the_lines_of_the_run_s_own_files(example, asked):
    run, metric, block, condition = asked
    path, number, said = RUN_LINES[asked]

    made = explain(example.engine, run, metric, block, condition=condition, source_dir=FIXTURES / "example")

    assert made.run_lines.unread == [] and made.run_lines.n_line >= len(made.run_lines.lines) > 0
    for name, line, text in made.run_lines.lines:
        assert (
            " ".join((FIXTURES / "example" / name).read_text(encoding="utf-8").splitlines()[line - 1].split()) == text
        )
    [found] = [text for name, line, text in made.run_lines.lines if (name, line) == (path, number)]
    assert said in found
    if condition == "ts":
        assert all(text.startswith("1 north osprey ") for _, _, text in made.run_lines.lines)
    if condition == "trk-any-1":
        assert all(text.startswith("osprey,70001,") for _, _, text in made.run_lines.lines)


def test_every_decision_on_a_topic_has_its_line(example):
    """Stories that the run points to by docno: each trial shown is one line with the same score, and there are no
    others.
    """
    made = explain(example.engine, "osprey", "p_miss", "70001", condition="trk-eng-1", source_dir=FIXTURES / "example")
    told = {text.split()[1]: float(text.split()[3]) for _, _, text in made.run_lines.lines}
    # a training story has no decision
    assert told == {row["story"]: row["score"] for row in made.trials if row["score"] > -9e98}


def test_a_file_that_is_gone_or_another_one_now_is_named(example, tmp_path):
    (tmp_path / "new_event").mkdir()
    made = explain(example.engine, "kestrel", "p_miss", "70002", condition="new-eng-10", source_dir=tmp_path)
    assert made.run_lines.lines == [] and made.run_lines.unread == [
        f"new_event/kestrel.out: not below {tmp_path}. Name the bundle's folder with --source-dir."
    ]

    (tmp_path / "new_event" / "kestrel.out").write_bytes(
        (FIXTURES / "example/new_event/kestrel.out").read_bytes().replace(b"2.531", b"2.532")
    )
    made = explain(example.engine, "kestrel", "p_miss", "70002", condition="new-eng-10", source_dir=tmp_path)
    [said] = made.run_lines.unread
    assert (
        made.run_lines.lines == []
        and said.startswith("new_event/kestrel.out: not what was loaded (loaded ")
        and said.endswith("Its lines are not shown.")
    )


def test_trials_of_a_topic_are_of_all_stories(example):
    subset = example.engine.value(
        "select subset from base.subset join registry.condition using (condition_no) where condition_id = 'trk-eng-1' "
        "and kind = 'source' order by subset_no limit 1"
    )

    assert explain(example.engine, "osprey", "p_miss", "70001", condition="trk-eng-1").trials
    assert not explain(example.engine, "osprey", "p_miss", "70001", condition="trk-eng-1", subset=subset).trials


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("precision = A / (A + B)", "precision = 3 / (3 + 1) = 0.75"),
        (
            "f = (1 + beta^2) A / ((A + B) + beta^2 (A + C)),  0 when A = 0",
            "f = (1 + 2**2) * 3 / ((3 + 1) + 2**2 * (3 + 2)) = 0.625",
        ),
        ("utility = max(precision, floor) - floor", "utility = max(0.75, (-0.5)) - (-0.5) = 1.25"),
        ("act_threshold = 0 - ln(C)", "act_threshold = 0 - ln(2) = -0.693147"),
        # no value for a word, prose, a value that is another one, NULL
        ("precision = A / (A + unknown)", ""),
        ("precision = mean of A over the topics", ""),
        ("precision = A / B", ""),
        ("recall = A / (A + C)", ""),
    ],
)
def test_a_line_with_values_is_arithmetic_that_gives_the_value(store, line, wanted):
    row = {"precision": 0.75, "f": 0.625, "utility": 1.25, "act_threshold": -0.6931471805599453, "recall": None}
    values = {**row, "A": 3, "B": 1, "C": 2, "beta": 2.0, "floor": -0.5}

    assert with_values(store.engine, line, values, row) == wanted
