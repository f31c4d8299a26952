"""A small filtering collection from its files to its numbers, and everything that can be wrong with them.

Twelve documents in order, cut after the 4th and the 8th; relevant are

    R1: d02 d05 d09      R2: d03 d11      R3: none

    alpha  R1: d02 d05 d07 (2 of 3, one false alarm)   R2: d11 (1 of 2)   R3: d01 (false alarm)
    beta   R1: d02 d03 d09 (the same counts, no scores)

    T11SU of alpha: R1 ((2 - 0.5)/3 + 0.5)/1.5 = 2/3    R2 (1/2 + 0.5)/1.5 = 2/3    mean 2/3
    T11SU of beta:  R1 2/3                              R2 nothing: 1/3             mean 1/2
"""

import shutil
from pathlib import Path

import pytest

import tdtsql
from tdtsql.errors import InvalidInput
from tdtsql.loading.bundle import evaluate_into


pytestmark = pytest.mark.usefixtures("unscored")

FIXTURE = Path(__file__).parents[2] / "fixtures" / "filtering"


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(FIXTURE, tmp_path / "twelve")
    return tmp_path / "twelve"


@pytest.fixture(scope="module")
def store(copy_of):
    with tdtsql.connect(copy_of(FIXTURE / "bundle.toml")) as store:
        yield store


def change(folder, name, old, new):
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def problems_of():
    """Return what loads the bundle of a folder, which is refused, and returns its errors."""

    def found(folder):
        with pytest.raises(InvalidInput) as raised:
            evaluate_into(empty.engine, folder / "bundle.toml")
        return [str(problem) for problem in raised.value.problems if problem.is_error]

    with tdtsql.connect(":memory:") as empty:
        yield found
        assert empty.sql("select count(*) from registry.corpus").fetchall() == [(0,)]


def warnings_of(folder):
    with tdtsql.evaluate(folder / "bundle.toml") as store:
        return store.sql("select distinct code, path, value from registry.problem order by all").fetchall()


def score(store, metric, run="alpha", profile="trec11", subset="all", weighting="topic"):
    store.refresh()
    rows = store.sql(
        f"select value, n from report.score where metric = '{metric}' and run_id = '{run}' and profile_id = "
        f"'{profile}' "
        f"and subset = '{subset}' and weighting = '{weighting}'"
    ).fetchall()
    assert len(rows) == 1
    return rows[0]


def test_worked_example(store):
    assert score(store, "t11su") == (pytest.approx(2 / 3), 2)
    assert score(store, "t11su", run="beta") == (pytest.approx(1 / 2), 2)
    assert score(store, "precision") == (pytest.approx((2 / 3 + 1) / 2), 2)
    assert score(store, "precision", run="beta") == (pytest.approx(2 / 3), 1)
    assert score(store, "n_empty_topic") == (1, 3)
    assert score(store, "n_missing_topic", run="beta") == (2, 3)
    assert score(store, "n_false_alarm_empty") == (1, 3)
    assert score(store, "recall", weighting="story") == (pytest.approx(3 / 5), 5)


def test_the_leaderboard_metric_under_tdt5_is_tdt5su(store):
    """beta 0.1: R1 ((2 - 0.1)/3 + 0.5)/1.5, R2 2/3."""
    want = ((1.9 / 3 + 0.5) / 1.5 + 2 / 3) / 2
    assert score(store, "t11su", profile="tdt5")[0] == pytest.approx(want)
    assert score(store, "tdt5su", profile="trec11")[0] == pytest.approx(want)


def test_periods_are_subsets(store):
    """Period 1 is d01 to d04: alpha finds d02 of R1, misses d03 of R2, and takes d01 for R3."""
    assert score(store, "n_hit", subset="period=1", weighting="story")[0] == 1
    assert score(store, "n_miss", subset="period=1", weighting="story")[0] == 1
    assert score(store, "n_false_alarm", subset="period=1", weighting="story")[0] == 1
    assert score(store, "n_nontarget", subset="period=1", weighting="story")[0] == 10
    assert score(store, "t11su", subset="period=1") == (pytest.approx((1 + 1 / 3) / 2), 2)
    # alpha says something of R2 in period 3 alone: d11
    missing = [score(store, "n_missing_topic", subset=f"period={period}") for period in (1, 2, 3)]
    assert missing == [(1, 3), (2, 3), (2, 3)] and score(store, "n_missing_topic") == (0, 3)
    for metric in ("n_target", "n_nontarget", "n_hit", "n_false_alarm"):
        parts = [score(store, metric, subset=f"period={period}", weighting="story")[0] for period in (1, 2, 3)]
        assert sum(parts) == score(store, metric, weighting="story")[0]


def test_difference_from_the_median_run(store):
    rows = store.sql(
        "select run_id, block_id, median, difference, n_run from report.median_difference "
        "where metric = 't11su' and subset = 'all' and profile_id = 'trec11' order by block_id, run_id"
    ).fetchall()
    assert rows == [
        ("alpha", "R1", pytest.approx(2 / 3), 0, 2),
        ("beta", "R1", pytest.approx(2 / 3), 0, 2),
        ("alpha", "R2", pytest.approx(1 / 2), pytest.approx(1 / 6), 2),
        ("beta", "R2", pytest.approx(1 / 2), pytest.approx(-1 / 6), 2),
    ]


def test_grades_below_the_threshold_are_not_relevant(folder):
    change(folder, "bundle.toml", "relevant_grade = 1", "relevant_grade = 2")
    with tdtsql.evaluate(folder / "bundle.toml") as store:
        assert store.sql(
            "select sum(is_target) from base.detection_trial__v1 join registry.profile using (profile_no) "
            "where run_id = 'alpha' and profile_id = 'trec11'"
        ).fetchall() == [(2,)]


def test_without_a_document_order_the_documents_are_those_of_the_qrels(folder):
    change(folder, "bundle.toml", 'document_order = "order.txt"\n', "")
    change(folder, "bundle.toml", "periods = [4, 8]\n", "")
    with tdtsql.evaluate(folder / "bundle.toml") as store:
        assert store.sql("select count(*) from base.story").fetchall()[0][0] == 7
        assert score(store, "t11su")[0] == pytest.approx(2 / 3)


def test_score_distributions_are_kept(store):
    rows = store.score_distributions("alpha").fetchall()
    assert len(rows) == 3 * 2 * 4  # profiles, priors, three topics and all together
    [(mean, sd, rate, kind)] = store.sql(
        "select on_mean, on_sd, off_rate, fitted_kind from report.score_distribution "
        "where run_id = 'alpha' and block_id = 'R1' and prior = 'own' and profile_id = 'prel'"
    ).fetchall()
    assert (mean, sd, rate) == pytest.approx((0.85, 0.05, 2.5))
    assert kind == "crossing"
    [(n_bin, n_score)] = store.sql(
        "select count(*), sum(n_score) from report.score_histogram where run_id = 'alpha' and block_id = 'R1' and "
        "profile_id = 'prel'"
    ).fetchall()
    assert (n_bin, n_score) == (80, 3)
    [(n, price)] = store.sql(
        "select n_block, price from report.common_threshold where run_id = 'alpha' and prior = 'own' and profile_id = "
        "'prel'"
    ).fetchall()
    assert n == 2
    assert price >= 0


def test_k_is_the_effective_cost_ratio(store):
    """k of equations 3 and 6 of Manmatha, Feng, Allan: c_fa (1 - p) / (c_miss p), of the fixed and of each topic's own
    prior.
    """
    store.score_distributions()
    rows = store.engine.rows(
        "select prior, fitted.p_target, k, c_miss, c_fa from report.score_distribution as fitted "
        "join registry.profile as profile using (profile_id)"
    )
    assert {prior for prior, *_ in rows} == {"fixed", "own"}
    for _, p, k, c_miss, c_fa in rows:
        assert k is None if not p else k == pytest.approx(c_fa * (1 - p) / (c_miss * p), rel=1e-14)


def test_the_best_common_threshold_is_the_minimum_of_the_det_curve(store):
    """Two ways to one number: the sweep in Python over scores, and the DET curve in SQL."""
    store.score_distributions()
    for run in ("alpha", "beta"):
        rows = store.sql(
            f"select cost_norm, n_block from report.common_threshold where run_id = '{run}' and profile_id = 'trec11' "
            f"and prior = 'fixed'"
        ).fetchall()
        assert rows == [(pytest.approx(score(store, "min_c_det_norm", run=run)[0], abs=1e-12), 2)]


def test_corpus_table_and_ratios_by_name(store):
    [(mean_test, most, fewest, p_rel, exact, at_max)] = store.sql(
        "select mean_test_story, max_n_test, min_n_test, p_rel, exact_ratio, exact_ratio_at_max from "
        "report.corpus_table "
        "where profile_id = 'prel'"
    ).fetchall()
    assert (mean_test, most, fewest, p_rel) == (12, 3, 0, pytest.approx(5 / 24))
    assert (exact, at_max) == (pytest.approx(10 * 0.02 / 0.98 * 19 / 5), pytest.approx(10 * 0.02 / 0.98 * 3))
    assert store.sql(
        "select block_id, p_rel from report.topic_ratio where profile_id = 'prel' order by all"
    ).fetchall()[1] == ("R2", 2 / 12)
    assert store.sql(
        "select sum(n_topic), count(*) from report.p_rel_histogram where profile_id = 'prel'"
    ).fetchall() == [(3, 20)]


# ---- what can be wrong


def test_an_unknown_topic_is_an_error_with_a_way_out(folder, problems_of):
    change(folder, "alpha.txt", "R3 Q0", "R9 Q0")
    [problem] = problems_of(folder)
    assert problem == (
        "alpha.txt:5: E820 the run answers a topic that the corpus does not have ('R9'). "
        'Correct the topic, add it to the topics, or give the condition unknown_topics = "ignore".'
    )
    change(folder, "bundle.toml", 'task = "filtering"', 'task = "filtering"\nunknown_topics = "ignore"')
    assert ("W820", "alpha.txt", "R9") in warnings_of(folder)


def test_an_unknown_topic_of_many_lines_is_one_problem(folder, problems_of):
    with (folder / "alpha.txt").open("a") as file:
        file.write("R9 Q0 d02 9 0.1 alpha\nR8 Q0 d02 9 0.1 alpha\nR9 Q0 d03 9 0.1 alpha\n")
    said = "E820 the run answers a topic that the corpus does not have"
    assert [problem.partition(" Correct")[0] for problem in problems_of(folder)] == [
        f"alpha.txt:6: {said}, on 2 lines ('R9').",
        f"alpha.txt:7: {said} ('R8').",
    ]


def test_an_unknown_document_is_a_warning_or_an_error_as_the_user_says(folder, problems_of):
    change(folder, "alpha.txt", "d07", "d77")
    assert ("W823", "alpha.txt", "d77") in warnings_of(folder)
    change(folder, "bundle.toml", 'task = "filtering"', 'task = "filtering"\nunknown_documents = "error"')
    [problem] = problems_of(folder)
    assert problem.startswith("alpha.txt:3: E823 the run retrieved a document that the corpus does not have ('d77').")


def test_conflicting_grades_are_an_error_or_chosen(folder, problems_of):
    with (folder / "qrels.txt").open("a") as file:
        file.write("R1 0 d02 0\n")
    [problem] = problems_of(folder)
    assert problem.startswith(
        "qrels.txt:9:10: E403 the document has another grade for this topic in line 1 (2) ('R1 d02 0')."
    )
    change(folder, "bundle.toml", 'qrels = "qrels.txt"', 'qrels = "qrels.txt"\nqrels_conflict = "highest"')
    assert ("W403", "qrels.txt", "R1 d02 0") in warnings_of(folder)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "content",
    [b"R1 Q0 d02 1\n", b"not gzip", bytes(range(256)), b"topic,story\n"],
    ids=["short", "text", "binary", "csv"],
)
@pytest.mark.parametrize("name", ["alpha.txt", "alpha.txt.gz"])
def test_a_broken_run_file_does_not_hide_the_next_one(folder, problems_of, name, content):
    (folder / name).write_bytes(content)
    change(folder, "bundle.toml", '"alpha.txt", "beta.txt"', f'"{name}", "beta.txt"')
    change(folder, "beta.txt", "R1 Q0 d09", "R7 Q0 d09")
    found = problems_of(folder)
    assert found[0].startswith(name)
    assert found[-1].startswith("beta.txt:3: E820")


def test_a_document_twice_is_an_error_within_a_file_and_across_files(folder, problems_of):
    with (folder / "alpha.txt").open("a") as file:
        file.write("R1 Q0 d02 9 0.1 alpha\n")
    assert [problem[:17] for problem in problems_of(folder)] == ["alpha.txt:6: E414"]
    change(folder, "alpha.txt", "R1 Q0 d02 9 0.1 alpha\n", "")
    change(folder, "beta.txt", "beta", "alpha")
    [problem] = problems_of(folder)
    assert problem == (
        "beta.txt: E705 run 'alpha' of condition 'adaptive' is also in alpha.txt ('alpha'). Give each run its own tag; "
        "name the files of a run that is split together, with an id."
    )
    bundle = folder / "bundle.toml"
    bundle.write_text(
        bundle.read_text().replace(
            'files = ["alpha.txt", "beta.txt"]', 'id = "alpha"\nfiles = ["alpha.txt", "beta.txt"]'
        )
    )
    [problem] = problems_of(folder)
    assert problem == (
        "beta.txt: E865 1 document of run 'alpha' is repeated for one topic in another of its files, alpha.txt "
        "('topic R1'). Give each document once, or each run its own tag."
    )


# ---- qrels and nothing else: what a run retrieved beyond them


QRELS_ALONE = """[corpus]
id = "k"
qrels = "qrels.txt"
[[condition]]
id = "c"
task = "filtering"
{more}
[[run]]
condition = "c"
files = ["run.txt"]
format = "trec"
"""
ALONE_RUN = "T1 Q0 a 1 9 r\nT1 Q0 x 2 8 r\nT1 Q0 b 3 7 r\nT1 Q0 y 4 6 r\nT2 Q0 x 1 5 r\nT2 Q0 d 2 4 r\n"


def alone(folder, *, more="", run=ALONE_RUN, bundle=QRELS_ALONE):
    """Make a collection of which only the judged documents are known: a and c are relevant to T1 (not b), d to T2."""
    (folder / "qrels.txt").write_text("T1 0 a 1\nT1 0 b 0\nT1 0 c 1\nT2 0 d 1\n")
    (folder / "run.txt").write_text(run)
    (folder / "bundle.toml").write_text(bundle.format(more=more))
    return tdtsql.evaluate(folder / "bundle.toml")


def by_topic(store, run="r"):
    store.refresh()
    found = {}
    for block, metric, value in store.sql(
        f"select block_id, metric, value from report.block_score where run_id = '{run}' and subset = 'all'"
    ).fetchall():
        found[block, metric] = value
    return found


def test_what_nobody_judged_is_retrieved_and_not_relevant(tmp_path):
    """T1: a, x, b, y retrieved, a and c relevant: precision 1/4, recall 1/2, 3 false alarms; T2: x, d retrieved,
    precision 1/2.

    The documents are a, b, c, d, and x and y in this run alone: T1 has b, d, x, y as non-targets, T2 a, b, c, x.
    Left out, x and y would make precision 1/2 and 1.
    """
    with alone(tmp_path) as store:
        got = by_topic(store)
        trials = store.sql(
            "select block_no, trial_no, is_target, is_yes, score from base.detection_trial__v1 where trial_no < 0 "
            "order by all"
        ).fetchall()
        names = store.sql("select trial_no, document_id from base.unlisted_document order by all").fetchall()
        problems = store.sql("select code from registry.problem").fetchall()
        points = store.sql(
            "select threshold, p_miss, p_fa from report.det_point where weighting = 'story' order by threshold"
        ).fetchall()

    assert {
        key: got["T1", key]
        for key in ("precision", "recall", "n_false_alarm", "n_nontarget", "n_correct_rejection", "p_fa", "t11u")
    } == {
        "precision": 1 / 4,
        "recall": 1 / 2,
        "n_false_alarm": 3,
        "n_nontarget": 4,
        "n_correct_rejection": 1,
        "p_fa": 3 / 4,
        "t11u": 2 * 1 - 3,
    }
    assert (got["T2", "precision"], got["T2", "recall"], got["T2", "p_fa"]) == (1 / 2, 1, 1 / 4)
    assert (
        trials == [(1, -2, 0, 1, 6), (1, -1, 0, 1, 8), (2, -1, 0, 1, 5)]
        and names == [(-2, "y"), (-1, "x")]
        and problems == []
    )
    # 3 targets, 8 non-targets; at 4 all but c are above: x, b, y of T1 and x of T2
    assert [point for point in points if point[0] == 4] == [(4, 1 / 3, 4 / 8)]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("more", "precision"),
    [
        ('unknown_documents = "ignore"', 1 / 2),
        ('trials = "trials.csv"', 1 / 2),
        ('unknown_documents = "not_relevant"', 1 / 4),
    ],
)
def test_a_condition_says_what_unknown_documents_are(tmp_path, more, precision):
    (tmp_path / "trials.csv").write_text("topic_id,story_id\nT1,a\nT1,b\nT1,c\nT2,d\n")
    with alone(tmp_path, more=more) as store:
        assert by_topic(store)["T1", "precision"] == precision
        assert [row[0] for row in store.sql("select distinct code from registry.problem").fetchall()] == (
            [] if precision == 1 / 4 else ["W823"]
        )
