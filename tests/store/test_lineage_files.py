"""A number of the example back to its files."""

import pytest
import tdtsql
from loads import unscored_loads


@pytest.mark.full
def test_report_score_goes_back_to_every_file_with_numbers_in_it(example_store):
    with tdtsql.connect(example_store, read_only=True) as store:
        rows = store.lineage("report.score", "value").fetchall()
        loaded = {
            path
            for [path] in store.engine.rows(
                "select path from registry.input_file where kind not in ('control file', 'index list')"
            )
        }
        one = store.lineage("c_det_norm")
        staged = (
            one.filter("role = 'file' and relation = 'staging.on_topic'")
            .project("from_relation, from_column")
            .fetchall()
        )
        assert one.columns == ["depth", "relation", "column_name", "role", "from_relation", "from_column"]

    assert {row[4] for row in rows if row[3] == "file"} == loaded
    assert staged == [("corpus/topics.rel", "corpus:example")]


@pytest.mark.full
def test_lineage_is_a_relation(example_store):
    """In SQL: every column of report, to columns of staging and registry, to files; the same as the function says."""
    with tdtsql.connect(example_store, read_only=True) as store:
        ask = store.engine.rows
        loaded = {
            path
            for [path] in ask("select path from registry.input_file where kind not in ('control file', 'index list')")
        }
        assert {
            path
            for [path] in ask(
                "select distinct path from report.lineage where relation = 'report.score' and column_name = 'value' "
                "and path is not null"
            )
        } == loaded
        for relation, column in (
            ("report.score", "value"),
            ("report.det_point", "p_miss"),
            ("report.leaderboard", "run_id"),
            ("report.corpus_table", "p_rel"),
        ):
            steps = store.lineage(relation, column).fetchall()
            staged = {row[4:6] for row in steps if row[4].startswith("staging.") and row[3] != "file"}
            found = {
                row[:2]
                for row in ask(
                    "select from_relation, from_column from registry.lineage_source where relation = ? and "
                    "column_name = ? and from_relation like 'staging.%'",
                    [relation, column],
                )
            }
            assert found == staged, (relation, column)
        # the label of a judgment is the value of no number: it decides which trials are targets; a score is compared,
        # the prior enters
        assert ask(
            "select distinct role from report.lineage where relation = 'report.score' and column_name = 'value' and "
            "from_column = 'p_target'"
        ) == [("value",)]
        assert (
            ask(
                "select distinct role from report.lineage where relation = 'report.score' and column_name = 'n' and "
                "from_column = 'p_target'"
            )
            == []
        )
        assert ask(
            "select distinct path from report.lineage where relation = 'report.topic_ratio' and column_name = "
            "'n_target' and from_relation = 'staging.on_topic'"
        ) == [("corpus/topics.rel",)]
        columns = {row[:2] for row in ask("select distinct relation, column_name from report.lineage")}
        printed = {
            row[:2] for row in ask("select relation, column_name from registry.contract where relation like 'report.%'")
        }
        assert not columns - printed and len(printed - columns) < 20, sorted(printed - columns)
        assert (
            ask(
                "select relation, column_name, from_relation, from_column, owner, path from report.lineage group by "
                "all having count(*) > 1"
            )
            == []
        )


def test_every_kind_of_source_has_its_files():
    from tdtsql.definitions.origin import BUNDLE
    from inside import source_kinds

    with tdtsql.connect(":memory:") as store:
        ends = {row[0] for row in store.engine.rows("select distinct from_relation from registry.lineage_source")}
    files = {end for end in ends if not end.startswith(("registry.", "base.", "ledger."))}
    assert files - {BUNDLE} <= {relation for relation, _ in source_kinds()}


def test_a_cost_of_scored_trials_goes_back_to_the_key_and_the_scores(tmp_path):
    (tmp_path / "key.csv").write_text("trial_id,label\na,target\nb,nontarget\n")
    (tmp_path / "scores.csv").write_text("trial_id,score\na,1\nb,0\n")
    (tmp_path / "bundle.toml").write_text(
        '[corpus]\nid = "trials"\n[[condition]]\nid = "c"\ntask = "verification"\n'
        'key = "key.csv"\nprofile = ["voxsrc"]\n'
        '[[run]]\nid = "s"\ncondition = "c"\nfiles = ["scores.csv"]\n'
    )
    with unscored_loads(), tdtsql.evaluate(tmp_path / "bundle.toml") as store:
        files = {row[4:] for row in store.lineage("min_c_det").fetchall() if row[3] == "file"}

    assert files == {("key.csv", "condition:c"), ("scores.csv", "run:c/s")}
