"""From a store's relations to a comparison, with a store of plain tables.

topic   A     B     C (other condition too)
T1    0.5   0.1   0.4
T2    0.4   0.2   0.4
T3    0.3   0.3   none: undefined for C only
T4   none  none   none
"""

from urllib.parse import unquote

import duckdb
import numpy as np
import pytest

from tdtsql.compare.paired import Method
from tdtsql.errors import InvalidComparison, MissingTopics, TdtsqlError, UnknownName
from tdtsql.report.comparing import (
    _quoted,
    choose,
    compare_everything,
    compare_runs,
)
from tdtsql.report.intervals import topic_values
from tdtsql.report.leaderboard import Leaderboard, RankedRun
from tdtsql.report.comparison_tables import comparison_table, leaderboard_table
from tdtsql.report.tables import escape_latex, latex, markdown
from tdtsql.report.variants import rank_rows
from tdtsql.report.verifying import verify_comparison

QUICK = Method(n_permutation=500, n_resample=500)


class FakeStore:
    """The relations that comparisons read, as tables."""

    def __init__(self):
        self.connection = duckdb.connect()
        for statement in """
            create schema registry; create schema report; create schema base;
            create table registry.condition (condition_no integer, condition_id varchar, task varchar);
            insert into registry.condition
            values (1, 'c1', 'tracking'), (2, 'c2', 'tracking'), (3, 'ts', 'summarization');
            create table report.leaderboard (condition_id varchar, profile_id varchar, metric varchar);
            insert into report.leaderboard values ('c1', 'tdt2004', 'c_det_norm'), ('c2', 'tdt2004', 'c_det_norm'),
                ('c2', 'tdt3eval', 'c_det_norm'), ('ts', 'ts2014', 'h');
            create table registry.run (run_no integer, run_id varchar, condition_no integer);
            insert into registry.run
            values (1, 'A', 1), (2, 'B', 1), (3, 'C', 1), (4, 'C', 2), (5, 'A', 2), (6, 'S', 3);
            create table registry.profile (profile_no integer, profile_id varchar, fa_topics varchar);
            insert into registry.profile values (1, 'tdt2004', 'all'), (2, 'tdt3eval', 'all'), (3, 'ts2014', 'all');
            create table registry.condition_profile (condition_no integer, profile_no integer);
            insert into registry.condition_profile values (1, 1), (2, 1), (2, 2), (3, 3);
            create table registry.metric (metric varchar, relation varchar, grain varchar, best varchar);
            insert into registry.metric values ('c_det_norm', 'metric.detection_rate__v1', 'block', 'lowest'),
                ('f1', 'metric.filtering_effectiveness__v1', 'block', 'highest'), ('min_c_det', 'y', 'score', 'lowest');
            create table report.block_score (run_id varchar, condition_id varchar, profile_id varchar, subset varchar,
                block_id varchar, metric varchar, value double);
            insert into report.block_score select run, 'c1', 'tdt2004', 'all', topic, 'c_det_norm', value from (values
                ('A', 'T1', 0.5), ('A', 'T2', 0.4), ('A', 'T3', 0.3), ('A', 'T4', null), ('B', 'T1', 0.1),
                    ('B', 'T2', 0.2), ('B', 'T3', 0.3), ('B', 'T4', null),
                ('C', 'T1', 0.4), ('C', 'T2', 0.4), ('C', 'T3', null), ('C', 'T4', null)) as given(run, topic, value);
            create table report.score (run_id varchar, condition_id varchar, profile_id varchar, subset varchar,
                metric varchar, weighting varchar, value double, n bigint);
            insert into report.score select run, 'c1', 'tdt2004', 'all', 'c_det_norm', weighting, value, 4 from (values
                ('A', 'topic', 0.45), ('A', 'story', 0.9), ('B', 'topic', 0.25), ('C', 'topic', 0.4)) as given(run,
                    weighting, value);
            create table base.block (condition_no integer, block_no integer, block_id varchar);
            insert into base.block values (1, 1, 'T1'), (1, 2, 'T2');
            insert into report.block_score select run, 'c1', 'tdt2004', 'all', block, metric, value
            from (values ('A'), ('B')) as runs(run),
                (values ('T1'), ('T2')) as blocks(block), (values ('n_target', 2), ('n_nontarget', 4)) as counts(metric,
                    value);
            create table base.scored_decision__v1 (run_no integer, profile_no integer, block_no integer,
                is_target integer, score double);
            insert into base.scored_decision__v1
            values (1, 1, 1, 1, 0.9), (1, 1, 1, 0, 0.8), (1, 1, 2, 1, 0.7), (1, 1, 2, 1, 0.6), (2, 1, 1, 0, 0.9),
                (2, 1, 2, 1, 0.1), (2, 1, 2, 0, 0.4)
        """.split(";"):
            self.connection.execute(statement)

    def query(self, sql, parameters=None):
        return self.connection.execute(sql, parameters)

    def sync(self, run_nos):
        """They are here."""

    def rows(self, sql, parameters=None):
        return self.query(sql, parameters).fetchall()

    def column(self, sql, parameters=None):
        return [row[0] for row in self.rows(sql, parameters)]

    execute = query
    unused_name = staticmethod(str)

    def make_temporary(self, table, select, parameters):
        self.query(f"create or replace temp table {table} as {select}", parameters)
        return table

    def relation(self, sql):
        return self.connection.sql(sql)


@pytest.fixture
def store():
    return FakeStore()


def sized(store, n_topic: int) -> None:
    """Give A, B and C other numbers on so many topics: B is worse than A everywhere, C than B; scores are the means."""
    store.connection.execute("delete from report.block_score where metric = 'c_det_norm'; delete from report.score")
    for place, run in enumerate("ABC"):
        store.connection.execute(f"""
            insert into report.block_score
            select '{run}', 'c1', 'tdt2004', 'all', 'T' || topic, 'c_det_norm', topic * {place + 1} / 10
            from range(1, {n_topic + 1}) as t(topic);
            insert into report.score
            select run_id, condition_id, profile_id, subset, metric, 'topic', avg(value), count(*)
            from report.block_score
            where run_id = '{run}' and metric = 'c_det_norm' group by all""")


def test_two_runs_of_one_condition(store):
    setting = choose(store, ["A", "B"])
    compared = compare_runs(store, setting, method=QUICK)
    [row] = compared.rows()

    assert (setting.condition, setting.profile, setting.metric, setting.best) == (
        "c1",
        "tdt2004",
        "c_det_norm",
        "lowest",
    )
    assert (row["run_id"], row["baseline_id"], row["n_topic"]) == ("B", "A", 3)
    assert row["difference"] == pytest.approx(-0.2)
    assert (row["win"], row["tie"], row["loss"], row["p"]) == (2, 1, 0, 0.5)
    recipe, data = row["signature"].split("|data:")
    assert recipe == (
        "compare:c_det_norm|condition:c1|profile:tdt2004|subset:all|topics:3|missing:error|test:randomisation|"
        "permutations:500|resamples:"
        f"{QUICK.n_resample}|correction:holm|family:1|interval:bca-0.95|seed:20040|runs:A,B|against:A"
    )
    assert len(data) == len("0123456789abcdef|result:0123456789abcdef")
    assert compared.family.n_undefined == 1


def test_a_gap_needs_a_policy(store):
    setting = choose(store, ["A", "B", "C"])
    with pytest.raises(MissingTopics, match="run 'C' has no number on topic 'T3'"):
        compare_runs(store, setting, method=QUICK)

    compared = compare_runs(store, setting, missing="common", method=QUICK)
    assert [row["n_topic"] for row in compared.rows()] == [2, 2]
    assert "2 topics (without T4: no run has a number), 1 missing number: common" in compared.method_in_words()


def test_scores_over_other_topics_are_said_beside_the_means(store):
    compared = compare_runs(store, choose(store, ["A", "B"]), method=QUICK)

    assert compared.notes()[0] == (
        "Means are over the 3 topics that are compared; scores take each rate over all topics that have it: A 0.4500 "
        "over 4 (here 0.4000), B 0.2500 over 4 (here 0.2000)."
    )
    [row] = compared.rows()
    assert (row["score"], row["n_score"], row["baseline_score"]) == (0.25, 4, 0.45)
    for text in (
        latex(comparison_table(compared)),
        markdown(comparison_table(compared)),
        compare_everything(store, compared.setting, QUICK)[1],
    ):
        assert "3 topics (without T4: no run has a number)" in text
        assert "A 0.4500 over 4 (here 0.4000), B 0.2500 over 4 (here 0.2000)" in text
    sized(store, 4)
    assert not [note for note in compare_runs(store, compared.setting, method=QUICK).notes() if "scores" in note]


@pytest.mark.parametrize(
    ("n_topic", "correction", "said"),
    [
        (
            6,
            "holm",
            [
                "With 6 topics that differ and 3 tests no corrected p is below 0.094: nothing can be significant at 5 "
                "%.",
                "Fewer pairs, or correction bh, can say more.",
            ],
        ),
        (
            4,
            "holm",
            ["With 4 topics that differ and 3 tests no corrected p is below 0.38: nothing can be significant at 5 %."],
        ),
        (6, "bh", []),
        (7, "holm", []),
    ],
)
def test_a_comparison_that_cannot_find_anything_says_so(store, n_topic, correction, said):
    sized(store, n_topic)
    setting = choose(store, ["A", "B", "C"])
    compared = compare_runs(
        store, setting, every_pair=True, method=Method(n_permutation=500, n_resample=500, correction=correction)
    )

    assert compared.notes() == said
    assert {row["smallest_p"] for row in compared.rows()} == {2.0 ** (1 - n_topic) * (3 if correction == "holm" else 1)}
    assert min(row["p_adjusted"] for row in compared.rows()) == pytest.approx(compared.rows()[0]["smallest_p"])
    text = markdown(comparison_table(compared)) + compare_everything(store, setting, compared.family.method)[1]
    assert text.count("nothing can be significant") == 2 * bool(said)


def test_one_topic_is_said(store):
    sized(store, 1)
    setting = choose(store, ["A", "B", "C"])
    compared = compare_runs(store, setting, method=QUICK)

    assert (compared.method_in_words(), compared.notes()) == ("1 topic: no test and no interval", [])
    assert {row["reason"] for row in compared.rows()} == {"one topic: no test and no interval"}
    assert r"| B | 0.2000 | A | +0.1000 | \[–, –] | 0/0/1 | – | – |" in markdown(comparison_table(compared))
    assert compare_everything(store, setting, QUICK) == (None, "No groups: one topic: no test and no interval.")
    assert verify_comparison(store, compared.signature)


def test_pairs_that_do_not_vary_are_named(store):
    store.connection.execute("""update report.block_score set value = case run_id when 'A' then 0.1 when 'B' then 0.4
        else value end
        where metric = 'c_det_norm' and value is not null; delete from report.score""")
    compared = compare_runs(store, choose(store, ["A", "B", "C"]), missing="common", method=QUICK)

    assert [note for note in compared.notes() if "vary" in note] == ["The differences do not vary: no effect size."]
    store.connection.execute(
        "update report.block_score set value = 0.3 where run_id = 'C' and block_id = 'T1' and metric = 'c_det_norm'"
    )
    compared = compare_runs(store, choose(store, ["A", "B", "C"]), missing="common", method=QUICK)
    assert [note for note in compared.notes() if "vary" in note] == [
        "The differences do not vary: no effect size of B and A."
    ]


@pytest.mark.parametrize(
    ("names", "options", "error", "message"),
    [
        (["A"], {}, InvalidComparison, "there is nothing to compare with. Name at least two different runs."),
        (["A", "A"], {}, InvalidComparison, "there is nothing to compare with. Name at least two different runs."),
        (["A", "Z"], {}, UnknownName, "run 'Z' is unknown. `store.runs()` shows all 4."),
        (
            ["A", "B"],
            {"condition": "c2"},
            UnknownName,
            "run 'B' is unknown under condition 'c2'. `store.runs()` shows all 2.",
        ),
        (
            ["A", "C"],
            {},
            InvalidComparison,
            "these runs answer 2 conditions: c1, c2. Choose one with argument condition.",
        ),
        (
            ["c1/B", "S"],
            {},
            InvalidComparison,
            "the runs are of different tasks: summarization, tracking. Compare runs of one task.",
        ),
        (
            ["A", "C"],
            {"condition": "c2"},
            InvalidComparison,
            "the runs are scored under 2 profiles: tdt2004, tdt3eval. Choose one with argument profile.",
        ),
        (
            ["A", "B"],
            {"profile": "mine"},
            UnknownName,
            "profile 'mine' is not one of the runs' conditions. One of: tdt2004.",
        ),
        (["A", "B"], {"metric": "mapp"}, UnknownName, "metric 'mapp' is unknown. `tdtsql metric list` shows all."),
        (
            ["A", "B"],
            {"metric": "min_c_det"},
            InvalidComparison,
            "metric 'min_c_det' has no number per topic, so runs cannot be compared by it. One of: c_det_norm, f1.",
        ),
    ],
)
def test_what_cannot_be_chosen_is_said(store, names, options, error, message):
    with pytest.raises(error) as caught:
        choose(store, names, **options)

    assert str(caught.value) == message


def test_runs_of_two_conditions_are_named_with_them(store):
    setting = choose(store, ["c1/B", "c2/C"])

    assert setting.runs == {"c1/B": ("c1", "B"), "c2/C": ("c2", "C")}
    assert setting.condition == "c1, c2"


def test_numbers_that_are_not_up_to_date_are_not_compared(store):
    with pytest.raises(
        InvalidComparison, match="has no f1 per topic for subset 'all' that is up to date. `store.score\\(\\)` computes"
    ):
        compare_runs(store, choose(store, ["A", "B"], metric="f1"))


def test_an_unknown_baseline_is_named(store):
    with pytest.raises(InvalidComparison, match="baseline 'Q' is not among the compared runs. One of: A, B."):
        compare_runs(store, choose(store, ["A", "B"]), baselines=["Q"])


def test_letters_and_ranks(store, monkeypatch):
    setting = choose(store, ["A", "B"])
    compared = compare_runs(store, setting, every_pair=True, method=QUICK)

    assert compared.groups() == {"B": "a", "A": "a"}
    monkeypatch.setattr("tdtsql.report.trials.comparing.SIGNIFICANT", 0.6)
    assert compared.groups() == {"B": "a", "A": "b"}
    assert rank_rows(store, setting, Method(n_resample=500), "error")[1].rank.tolist() == [2.0, 1.0]


def test_latex_stands_alone(store, monkeypatch):
    monkeypatch.setattr("tdtsql.report.comparison_tables.SIGNIFICANT", 0.6)
    compared = compare_runs(store, choose(store, ["A", "B"]), method=QUICK)
    text = latex(comparison_table(compared), signature=True)

    assert r"\toprule" in text
    assert r"B & \textbf{0.2000}$^{\dagger}$ & A & -0.2000 & [" in text
    assert r"A & 0.4000 &  &  &  &  &  &  \\" in text
    assert (
        r"Paired randomisation test, all sign patterns, Holm correction over 1 test, 95 \% BCa bootstrap interval"
        in text
    )
    assert r"Signature: compare:c\_det\_norm\textbar{}condition:c1" in text
    assert r"$\dagger$ differs from A (p \textless{} 0.6)" in text
    assert text.count("{") == text.count("}")


def test_markdown_says_the_same(store, monkeypatch):
    monkeypatch.setattr("tdtsql.report.comparison_tables.SIGNIFICANT", 0.6)
    text = markdown(comparison_table(compare_runs(store, choose(store, ["A", "B"]), method=QUICK)))

    assert "| B | **0.2000**† | A | -0.2000 |" in text
    assert "| :--- | ---: | :--- | ---: | ---: | ---: | ---: | ---: |" in text


def test_hostile_names_do_not_break_latex():
    assert escape_latex(r"a_b\input{x}%$&#~^") == (
        r"a\_b\textbackslash{}input\{x\}\%\$\&\#\textasciitilde{}\textasciicircum{}"
    )


def test_leaderboard_marks_the_best_and_shows_the_undefined():
    runs = RankedRun(1, "A", 0.1, 5, "a"), RankedRun(2, "B", 0.2, 5, "b"), RankedRun(None, "C", None, 0)
    board = Leaderboard(
        "nwt-eng-1", "tdt2004", "tracking", "c_det_norm", "topic", "lowest", "all", runs, "one test", "x:1"
    )
    table = leaderboard_table(board)

    assert r"1 & A & \textbf{0.1000} & a & 5 \\" in latex(table)
    assert r" & C & -- &  & 0 \\" in latex(table)  # an undefined number has no rank


@pytest.mark.parametrize("options", [{}, {"every_pair": True}, {"baselines": ["B", "C"]}])
def test_a_comparison_is_made_again_from_its_signature(store, options):
    signature = compare_runs(store, choose(store, ["A", "B", "C"]), missing="common", method=QUICK, **options).signature

    assert verify_comparison(store, signature)
    assert ("against:*" in signature) == ("every_pair" in options)
    store.connection.execute(
        "update report.block_score set value = value + 1e-15 where run_id = 'B' and block_id = 'T1' and metric = "
        "'c_det_norm'"
    )
    assert [part.name for part in verify_comparison(store, signature).parts if not part.agrees] == ["data", "result"]


def test_names_with_marks_of_the_signature_come_back():
    assert [unquote(name) for name in map(_quoted, ["a|b", "c,d", "50%", "c1/é"])] == ["a|b", "c,d", "50%", "c1/é"]
    assert not set("|,") & set(_quoted("a|b,c"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("|seed:20040", "", "the signature has no seed. Copy it whole."),
        ("seed:20040", "seed:x", "a number of the signature cannot be read"),
        ("runs:A,B", "runs:A,Z", "run 'Z' is unknown"),
    ],
)
def test_a_signature_that_cannot_be_followed_says_why(store, old, new, message):
    signature = compare_runs(store, choose(store, ["A", "B"]), method=QUICK).signature

    with pytest.raises(TdtsqlError, match=message):
        verify_comparison(store, signature.replace(old, new))


def test_numbers_by_topic_are_read_with_as_many_queries_whatever_the_number_of_runs(store, monkeypatch):
    sized(store, 3)
    asked = []
    monkeypatch.setattr(FakeStore, "query", lambda self, *rest: (asked.append(rest), self.connection.execute(*rest))[1])

    def n_query(*runs):
        asked.clear()
        places = [("c1", run) for run in runs]
        values = topic_values(store, places, "tdt2004", "all", ["c_det_norm", "p_fa"])
        assert values.topics == ("T1", "T2", "T3")
        expected = [[topic * ("ABC".index(run) + 1) / 10 for run in runs] for topic in (1, 2, 3)]
        assert values.values["c_det_norm"].tolist() == expected
        assert np.isnan(values.values["p_fa"]).all()
        assert values.has_rows.tolist() == [True] * len(runs)
        return len(asked)

    assert n_query("C", "A") == n_query("B", "A", "C")
    missing = topic_values(store, [("c1", "A"), ("c2", "nobody")], "tdt2004", "all", ["c_det_norm"])
    assert missing.has_rows.tolist() == [True, False]
