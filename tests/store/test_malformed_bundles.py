"""Small bundles with one defect each: what is said, where, and that nothing is stored.

``fixtures/malformed/PART/expected.toml`` holds every line that the command prints about each folder beside it. A bundle
whose lines are all warnings is accepted.
"""

import re
import tomllib
from pathlib import Path

import pytest
from each import of_each

import tdtsql
from tdtsql.cli.output import print_problems
from tdtsql.errors import InvalidInput
from tdtsql.load.bundle import evaluate_into
from places import MALFORMED, SMALL

pytestmark = pytest.mark.usefixtures("unscored")

PARTS = ("bundle", "verification")
CASES = {
    f"{part}/{name}": case
    for part in PARTS
    for name, case in tomllib.loads((MALFORMED / part / "expected.toml").read_text(encoding="utf-8")).items()
}
REFUSED = {
    name
    for name, case in CASES.items()
    if case.get("exit") or any(re.search(r": E\d{3} ", line) for line in case["lines"])
}
ACCEPTED = set(CASES) - REFUSED

#: bundles of the default lane: what no other test of it shows; of those of trials some
KEPT = {
    "bundle": "accepted_crlf_bom new_event_missing_source_file records_of_a_file_before_the_test "
    "link_key_of_another_pair "
    "link_key_without_answer link_other_deferral link_pair_in_two_files link_pair_turned "
    "link_pair_of_unknown_story link_without_pairs new_event_other_deferral new_event_story_in_two_files "
    "decision_twice warn_link_index_order warn_link_output_order boundary_table_of_another_file "
    "condition_without_task control_and_index docno_in_two_files hierarchy_second_file index_of_an_unknown_topic "
    "new_event_unknown_source_file run_of_no_condition training_of_unknown_topic training_on_unknown_story "
    "trial_of_unknown_topic trial_on_unknown_story two_files_of_a_topic two_indexes_of_a_topic "
    "warn_new_event_outside_story warn_other_nt warn_partial_first_file",
    "verification": "asvspoof_2019_ids_twice kaldi_four_fields kaldi_unknown_label tidy_blank_around_id "
    "tidy_half_a_pair tidy_not_utf8 tidy_score_in_words tidy_trial_scored_twice "
    "accepted_attribute_of_many_values accepted_many_blanks",
}


def of_lane(names):
    """Return the names as parameters; those that are not kept are in the full lane."""
    kept = {f"{part}/{name}" for part, named in KEPT.items() for name in named.split()}
    return [pytest.param(name, marks=[] if name in kept else pytest.mark.full) for name in sorted(names)]


LINE = re.compile(r"^(?P<path>[^:]+)(:(?P<line>\d+))?(:(?P<column>\d+))?: (?P<code>[EW]\d{3}) .+[.?]$")


@pytest.fixture(scope="module")
def filled(copy_of):
    """Return part -> a store with a good evaluation of its kind in it, which no test may change."""
    stores = {
        part: tdtsql.connect(copy_of(bundle))
        for part, bundle in zip(PARTS, (SMALL, MALFORMED / "verification" / "accepted_quoted" / "bundle.toml"))
    }
    before = {part: (store.score().fetchall(), content(store)) for part, store in stores.items()}
    yield stores
    assert {part: (store.score().fetchall(), content(store)) for part, store in stores.items()} == before
    for store in stores.values():
        store.close()


def content(store):
    """Return the number of rows of each table, and a hash of them whatever their order."""
    tables = [
        f"{schema}.{table}"
        for schema, table in store.sql(
            "select schema_name, table_name from duckdb_tables() where not internal and not temporary"
        ).fetchall()
    ]
    return store.sql(
        " union all ".join(
            f"(select '{table}', count(*), sha256(string_agg(line, chr(10) order by line)) "
            f"from (select cast(given as varchar) as line from {table} as given))"
            for table in tables
        )
    ).fetchall()


@pytest.mark.parametrize("name", of_lane(REFUSED))
def test_every_problem_is_said_in_one_pass_and_nothing_is_stored(name, filled, monkeypatch, capsys):
    monkeypatch.chdir(MALFORMED / name)
    engine, stored = filled[name.split("/")[0]].engine, "select max(entry_no), (from base.decision select count(*)) "
    before = engine.rows(f"{stored} from ledger.entry")

    with pytest.raises(InvalidInput) as caught:
        evaluate_into(engine, Path("bundle.toml"))

    print_problems(caught.value.problems, is_refused=True)
    *lines, tally = capsys.readouterr().err.splitlines()
    assert lines == CASES[name]["lines"]
    assert tally.endswith("Nothing was stored.")
    assert engine.rows(f"{stored} from ledger.entry") == before


@pytest.mark.parametrize("name", of_lane(ACCEPTED))
def test_warnings_are_accepted_said_and_kept(name, monkeypatch):
    monkeypatch.chdir(MALFORMED / name)
    with tdtsql.connect(":memory:") as store:
        report = evaluate_into(store.engine, Path("bundle.toml"))

        assert [str(problem) for problem in report.warnings] == CASES[name]["lines"]
        kept = store.sql("select code, path, line, column_no from registry.problem").fetchall()
        said = [LINE.match(line) for line in CASES[name]["lines"]]
        number = lambda text: None if text is None else int(text)  # noqa: E731
        assert sorted(map(repr, kept)) == sorted(
            repr((found["code"], found["path"], number(found["line"]), number(found["column"]))) for found in said
        )
        assert store.engine.value("select count(*) from base.decision") > 0


@of_each(sorted(CASES))
def test_every_line_names_place_code_and_what_to_do(name):
    for line in CASES[name]["lines"]:
        assert LINE.match(line), line


def test_every_bundle_is_listed():
    folders = (path.parent for part in PARTS for path in MALFORMED.glob(f"{part}/*/bundle.toml"))
    assert set(CASES) == {folder.relative_to(MALFORMED).as_posix() for folder in folders}
    assert len(REFUSED) >= 90 and len(ACCEPTED) >= 15
    assert {"tidy", "kaldi", "voxceleb", "sre", "asvspoof"} <= {re.split("[/_]", name)[1] for name in CASES}


def test_a_refused_bundle_leaves_a_new_store_empty(tmp_path):
    with pytest.raises(InvalidInput):
        tdtsql.evaluate(MALFORMED / "bundle" / "decision_twice" / "bundle.toml", db=tmp_path / "new.duckdb")

    with tdtsql.connect(tmp_path / "new.duckdb") as store:
        assert store.sql("select count(*) from registry.corpus").fetchall() == [(0,)]
        assert store.score().fetchall() == []


def test_a_bundle_that_is_not_there_is_said(tmp_path):
    with pytest.raises(InvalidInput, match="E710 the bundle cannot be read"):
        tdtsql.evaluate(tmp_path / "bundle.toml")


def test_a_mistake_is_shown_in_the_profile_that_makes_it(tmp_path):
    """Three profiles set one key: the first is right, and no line of it is named."""
    (tmp_path / "b.toml").write_text(
        '[corpus]\nid = "k"\n[profile.good]\nc_miss = 2\n[profile.bad]\nc_miss = "x"\n[profile."so so"]\nbase = "er"\n'
        'c_miss = "y"\n[[condition]]\nid = "c"\ntask = "tracking"\nprofile = ["good"]\n'
    )
    with pytest.raises(InvalidInput) as refused:
        tdtsql.evaluate(tmp_path / "b.toml")
    assert [(problem.line, problem.message.split(":")[0]) for problem in refused.value.problems] == [
        (6, "profile 'bad'"),
        (9, "profile 'so so'"),
    ]
