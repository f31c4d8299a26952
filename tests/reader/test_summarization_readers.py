"""What is read of temporal summarization and value tracking; malformed files: fixtures/malformed/ts."""

import pytest

from reader_kinds import read
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.checks import execute


@pytest.fixture
def made():
    """Return what a file of sql/load/summarization makes of tables: name -> rows."""
    engine = Engine(":memory:")

    def make(name, parameters=None, **tables):
        for table, query in tables.items():
            engine.execute(f"create or replace temp table {table} as {query}")
        execute(engine, f"summarization/{name}", parameters or {}, "made")
        return engine.records("from made")

    make.engine = engine
    yield make
    engine.close()


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
def test_words_of_a_span(made, start, end, program, exact):
    [row] = made(
        "ts_match",
        ts_match_row="select 0 as file, 1 as line, 1 as row_no, 1 as block_no, 'u' as update_id, 'n' as nugget_id, "
        f'{start} as start, {end} as "end"',
        ts_update="select 1 as update_no, 1 as block_no, 'u' as update_id",
        ts_nugget="select 1 as nugget_no, 1 as block_no, 'n' as nugget_id",
        ts_pool=f"select 1 as block_no, 'u' as update_id, '{TEXT}' as text, '{TEXT}' as text_bytes",
        ts_twin="select 'x' as update_id, 'y' as other",
    )

    assert tuple(row[f"{how}_{end}_chars"] for how in ("program", "exact") for end in ("from", "to")) == (
        *program,
        *exact,
    )


@pytest.mark.parametrize(
    ("program", "said", "block"),
    [
        ("ts2014", "07", 1),  # a number n is TS14.n
        ("ts2014", "TS15.7", None),
        ("ts2015", "TS13.7", 1),  # a prefix is ignored
        ("ts2013", "7", None),
        ("ts2013", "TS14.7", 1),
        (None, "7", 1),  # without the prefix, where only one event is called so
        (None, "8", None),
    ],
)
def test_an_event_of_a_run_is_named_as_the_year_names_it(made, program, said, block):
    events = {"TS14.7": 1, "TS14.8": 2, "TS15.8": 3}
    values = ", ".join(f"(1, {number}, '{name}')" for name, number in events.items())
    made.engine.execute("create schema base")
    made.engine.execute(
        f"create table base.event as select * from (values {values}) as t(condition_no, block_no, event_id)"
    )
    made.engine.make_temporary("read_summarization", f"select '{said}' as event_id")
    execute(made.engine, "summarization/run_place", {"program": program, "condition": 1})

    assert made.engine.column("select block_no from run_place") == [block]


def test_twins_go_both_ways_and_the_last_line_counts(made):
    found = made(
        "ts_twin",
        read_duplicates="select 0 as file, unnest([1, 2]) as line, unnest(['a', 'c']) as update_id, "
        "unnest(['b', 'a']) as other_id",
    )

    assert {row["update_id"]: row["other"] for row in found} == {"a": "c", "b": "a", "c": "a"}


def test_words_are_counted_on_bytes_so_a_no_break_space_joins(made):
    text = "dix mille\u00a0morts  à"
    [row] = made(
        "ts_update_row",
        {"program": None},
        read_updates=f"select 0 as file, 1 as line, '1' as event_id, 'u' as update_id, null as length, "
        f"null as duplicate_of, '{text}' as text, 'dix millexxmorts  xx' as text_bytes",
        ts_block="select 1 as block_no, '1' as key",
    )

    assert (row["n_word"], row["n_word_blanks"], row["length"], row["text"]) == (3, 4, 3, text)


def test_a_byte_order_mark_is_no_part_of_an_id_and_nul_bytes_are_no_text():
    problems = Problems("duplicates.txt")
    found = read("ts_duplicates", b"\xef\xbb\xbfa-0\tb-0\nc-0\td\0-0\n", problems)
    assert found.columns == {"update_id": ["a-0"], "other_id": ["b-0"]}
    assert [(problem.code, problem.line, problem.column) for problem in problems.found] == [("E004", 2, 6)]


def test_a_line_of_a_run_that_is_not_utf_8_is_latin_1():
    problems = Problems("run")
    assert read("ts_run", b"Z\xfcrich t r d 0 9 1\n", problems).columns["event_id"] == ["Zürich"]
    assert [(problem.code, problem.line) for problem in problems.found] == [("W553", 1)]
