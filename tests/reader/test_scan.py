"""The scanner: what SQL takes for certain, the rules of the line reader accept with the same value."""

import math

import duckdb
import pytest

from tdtsql.errors import Problems
from tdtsql.intake.clean_table import number_sql, word_sql
from tdtsql.reader.scan import FLAGS, KINDS, Fields, column_rows, repeats, text_rows

NUMBERS = """0 1 -1 +1 1. .5 . 1.5e3 1e400 -1e400 1e-400 1_0 1__0 _1 1e 1e+ 0x1F 1f 1d nan NaN -nan inf -Infinity
    infinity ∞ １ ٣ 1,5 1;5 true yes 1e5.5 00012 --1 9007199254740993 0.1 1.7976931348623157e308
    1.7976931348623159e308""".split()
WORDS = "yes YES Yes yEs no NO true TRUE false 1 0 01 2 y n t f on off ｙｅｓ".split()
BLANKS = ("{}", " {}", "{} ", "\t{}", "{}\n", "{}\x00", "\u00a0{}", "{}\u2003", "{}\x1c")


def taken(sql, texts):
    """Return what SQL makes of texts, but NULL."""
    with duckdb.connect() as connection:
        connection.execute("create table t (place integer, value varchar)")
        connection.executemany("insert into t values (?, ?)", list(enumerate(texts)))
        rows = connection.execute(f"select place, {sql} from t where {sql} is not null").fetchall()
    return {texts[place]: value for place, value in rows}


@pytest.mark.parametrize(
    ("kind", "sql", "words"),
    [
        ("score", number_sql("value", "VARCHAR"), NUMBERS),
        ("decision", word_sql("value", "VARCHAR", FLAGS), WORDS),
    ],
)
def test_sql_takes_what_the_line_reader_takes(kind, sql, words):
    texts = ["", " ", *(blank.format(word) for word in words for blank in BLANKS)]
    found = taken(sql, texts)
    assert len(found) > len(words) / 4
    for text, value in found.items():
        if not (isinstance(value, float) and math.isnan(value)):  # which every caller leaves to the line reader
            assert KINDS[kind].read(text) == value, repr(text)


def test_places_are_those_of_the_text():
    lines = [(1, "a  b"), (2, "# c"), (3, " d\te # f"), (4, "g"), (5, "h i j")]
    problems = Problems("f")
    rows = Fields(("x", "y"), "E001", "two fields").rows(lines, problems)
    assert (list(rows.lines), rows.columns) == ([1, 3], [["a", "d"], ["b", "e"]])
    assert [rows.at(row, "y") for row in (0, 1)] == [(1, 4), (3, 4)]
    assert [(problem.line, problem.column, problem.value) for problem in problems.found] == [(4, 1, "g"), (5, 5, "j")]


def test_of_a_column_that_occurs_twice_the_first_is_named():
    rows = text_rows(b"a,b,a\n1,2,3\n", Problems("f"), ",")
    assert rows.named == {"a": ["1"], "b": ["2"]}
    assert (rows.at(0, "a"), rows.place(0, 2)) == ((2, 1), (2, 5))


def test_columns_have_rows_for_lines():
    rows = column_rows({"a": [1, 2]})
    assert (list(rows.lines), rows.at(1, "a"), rows.at(-1, "a")) == ([1, 2], (2, None), (None, None))


def test_repeats_name_the_first_of_each_key():
    assert repeats(["a", "b", "a", "c", "a", "b"]) == [(2, 0), (4, 0), (5, 1)]
    assert repeats(["a", "b"]) == []


def test_a_table_whose_header_is_of_another_encoding_is_one_problem():
    """The second line was taken for the header, and each of its columns was an error."""
    problems = Problems("run.csv")

    assert text_rows(b"\xe9_id,score\na,1\nb,2\n", problems, ",") is None
    assert [(problem.code, problem.line) for problem in problems.found] == [("E003", 1)]


def test_a_format_of_lines_reports_all_that_is_wrong_in_the_order_of_lines():
    form = Fields(
        ("name", "score"), "E901", "a name and a score", {"score": KINDS["score"]}, ("name",), ("E902", "as {earlier}")
    )
    problems = Problems("f")
    lines = ["a 1", "a 2 # again", "b x", "c", "", "d 4", "e 5 6"]

    columns, numbers, rows = form.read(enumerate(lines, start=1), problems)

    assert (columns, list(numbers)) == ({"name": ["a", "d"], "score": [1.0, 4.0]}, [1, 6])
    assert list(rows.lines) == [1, 2, 3, 6]
    assert [(one.code, one.line, one.column, one.value) for one in problems.found] == [
        ("E902", 2, 1, "a"),
        ("E308", 3, 3, "x"),
        ("E901", 4, 1, "c"),
        ("E901", 7, 5, "6"),
    ]


@pytest.mark.parametrize(
    ("text", "is_refused"), [("# a, b\nx,y,z\n1,2,3\n", True), ('# a\n"x",y\n1,2\n', True), ("#x,y\n1,2\n", False)]
)
def test_a_comment_is_no_header_unless_it_is_as_wide_as_the_rows(text, is_refused):
    problems = Problems("file")
    rows = text_rows(text.encode(), problems, ",")

    assert (rows is None) is is_refused
    assert [(found.code, found.line, found.column) for found in problems.found] == [("E301", 1, 1)] * is_refused
