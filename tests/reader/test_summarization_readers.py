"""The readers of temporal summarization and value tracking: what they return, what they say of malformed files.

The malformed files lie in fixtures/malformed/ts with a manifest that names, for
each, the line and the code of every defect. All must come in one pass.
"""

import tomllib
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inside import word_span
from tdtsql.errors import Problems
from tdtsql.reader.matches import read_matches
from tdtsql.reader.nuggets import read_nuggets
from tdtsql.reader.ts_duplicates import read_ts_duplicates
from tdtsql.reader.ts_rows import FileRules
from tdtsql.reader.ts_run import read_ts_run
from tdtsql.reader.ts_topics import read_ts_topics
from tdtsql.reader.updates import read_updates
from tdtsql.reader.value_run import read_value_run

FOLDER = Path(__file__).parents[2] / "fixtures" / "malformed" / "ts"
CASES = tomllib.loads((FOLDER / "manifest.toml").read_text())["case"]
READERS = {
    "nuggets": read_nuggets,
    "updates": read_updates,
    "matches": read_matches,
    "duplicates": read_ts_duplicates,
    "run": read_ts_run,
    "topics": lambda data, problems, rules: read_ts_topics(data, problems),
    "values": lambda data, problems, rules: read_value_run(data, problems),
}
STRICT = FileRules()


def clean(reader, data, rules=STRICT):
    problems = Problems("file.tsv")
    result = READERS[reader](data, problems, rules)
    assert problems.found == []
    return result


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_every_defect_is_named_in_one_pass(case):
    problems = Problems(case["file"])

    READERS[case["reader"]]((FOLDER / case["file"]).read_bytes(), problems, FileRules(case.get("rules")))

    assert [f"{problem.line or 'file'}: {problem.code}" for problem in problems.found] == case["expect"]
    assert all(problem.advice for problem in problems.errors)


def test_every_malformed_file_is_in_the_manifest():
    assert {case["file"] for case in CASES} == {path.name for path in FOLDER.iterdir()} - {"manifest.toml"}


@pytest.mark.parametrize("reader", READERS)
@given(data=st.binary(max_size=300))
def test_no_bytes_give_a_traceback(reader, data):
    for program in (None, "ts2013", "ts2014", "ts2015"):
        READERS[reader](data, Problems("junk"), FileRules(program))


def test_text_is_kept_with_its_quotes_and_its_tabs_become_blanks():
    [row] = clean("nuggets", b'q\tn\tt\ti\tl\tx\n1\tn1\t5\t2.5\t3\tthe "dam\tbroke\n')

    assert (row.event, row.nugget, row.time, row.importance, row.length) == ("1", "n1", 5, 2.5, 3)
    assert (row.text, row.n_word_blanks, row.n_word) == ('the "dam broke', 3, 3)


def test_the_program_of_2013_splits_at_any_white_space():
    [row] = clean("nuggets", b"q n t i l x\n1  n1\t5 2\t3 the  dam broke\n", FileRules("ts2013"))

    assert (row.text, row.n_word_blanks) == ("the dam broke", 3)


def test_words_are_counted_on_bytes_so_a_no_break_space_joins():
    [row] = clean("updates", "q\tu\td\ts\tl\td\tx\n1\td-0\td\t0\t3\tNULL\tdix mille\u00a0morts  à\n".encode())

    assert (row.n_word, row.n_word_blanks, row.text) == (3, 4, "dix mille\u00a0morts  à")


def test_an_event_of_a_run_is_named_as_the_year_names_it():
    assert FileRules("ts2014").run_event_keys("07") == ["TS14.7", "07"]
    assert FileRules("ts2014").run_event_keys("TS15.7") == ["TS15.7"]
    assert FileRules("ts2015").run_event_keys("TS14.7") == ["7"]
    assert FileRules("ts2013").run_event_keys("7") == ["7"]


def test_a_run_is_team_and_run_and_keeps_its_order():
    rows = clean("run", b"1 t r d2 0 9 1\n1\tt\tr\td1\t3\t5\t.5 17\n")

    assert rows == [(1, "1", "t-r", "d2-0", 9, 1.0), (2, "1", "t-r", "d1-3", 5, 0.5)]


def test_twins_go_both_ways_and_the_last_line_counts():
    assert clean("duplicates", b"a b\nc\ta\n") == {"a": "c", "b": "a", "c": "a"}


def test_a_location_is_a_pair_and_a_comma_may_have_a_blank():
    [row] = clean("values", b"1 t r NULL NULL 7 locations -34.6, -58.4 0.9\n")

    assert (row.latitude, row.longitude, row.document, row.time) == (-34.6, -58.4, None, 7)


#        0123456789012345678
TEXT = "alpha one two three"


@pytest.mark.parametrize(
    ("start", "end", "program", "exact"),
    [
        (6, 9, (0, 1), (1, 2)),  # "one": the programs mark the word before, the right number of them
        (0, 5, (0, 0), (0, 1)),  # at the beginning the programs mark one word too few
        (0, 19, (0, 3), (0, 4)),
        (8, 11, (0, 2), (1, 3)),  # "e t" touches two words
        (14, 99, (2, 3), (3, 4)),  # behind the end
        (5, 6, (0, 1), (1, 1)),  # a blank only
        (9, 6, (1, 1), (2, 2)),  # reversed
    ],
)
def test_words_of_a_span(start, end, program, exact):
    said = ", ".join((*word_span("text", False), *word_span("text", True)))
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"select {said} from (select ? as text, ? as span_start, ? as span_end)", [TEXT, start, end]
        ).fetchall()
    assert rows == [(*program, *exact)]


def test_files_whose_lines_end_with_carriage_returns_alone_are_refused():
    """The whole file was taken for its header: updates and matches were empty without a message."""
    for read in (read_updates, read_matches, read_nuggets, read_ts_run, read_ts_duplicates):
        problems = Problems("rows.tsv")
        read(b"query_id\tupdate_id\r1\td-0\r", problems, FileRules())
        assert [problem.code for problem in problems.found] == ["E006"]


def test_a_byte_order_mark_is_no_part_of_an_id_and_nul_bytes_are_no_text():
    """Of a file of duplicates the mark was, and NUL bytes were."""
    problems = Problems("duplicates.txt")
    found = read_ts_duplicates(b"\xef\xbb\xbfa-0\tb-0\nc-0\td\0-0\n", problems, FileRules())
    assert found == {"a-0": "b-0", "b-0": "a-0"}
    assert [(problem.code, problem.line, problem.column) for problem in problems.found] == [("E004", 2, 6)]


@pytest.mark.parametrize(("program", "lowest"), [("ts2013", "E505"), ("ts2014", "W505"), ("ts2015", "W505")])
def test_an_importance_that_sums_of_relevance_lose_is_refused_where_it_counts(program, lowest):
    """exp(-60) beside units of 1e-18 was 0: a run that took the only nugget got comprehensiveness 0 under ts2013."""
    problems = Problems("nuggets.tsv")
    READERS["nuggets"](b"q n t i l x\n" + b"1\tn\t0\t-60\t1\tx\n1\tm\t0\t-15\t1\tx\n", problems, FileRules(program))
    assert [(problem.code, problem.line) for problem in problems.found] == [(lowest, 2)] + [("W505", 3)] * (
        program == "ts2013"
    )
