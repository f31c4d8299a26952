"""A macro is written out where it is called: right arguments, right parentheses, the same line numbers, part of the
identity.
"""

import math
from functools import cache
from pathlib import Path

import duckdb
import pytest
from each import of_each

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.catalogue import read_catalog, sql_root
from tdtsql.definitions.hashes import token_hash
from tdtsql.definitions.macro import expand, read_macros

HEADER = "/*\ntitle:    {name}\nformula:  x\nsource:   Our own\nedges:    none\n*/\n"


@cache
def session() -> duckdb.DuckDBPyConnection:
    """Return a connection that all tests of this file use."""
    return duckdb.connect(config={"threads": 1})


@pytest.fixture
def macros(tmp_path):
    """Return a function that reads macros written as name=statement."""

    def read(**statements: str):
        (tmp_path / "macro").mkdir(exist_ok=True)
        for name, statement in statements.items():
            (tmp_path / "macro" / f"{name}.sql").write_text(HEADER.format(name=name) + statement)
        return read_macros(tmp_path)

    return read


MACROS = {
    "half": "create macro half(x, by := 2) as\n    x / by\n",
    "quarter": "create macro quarter(x) as half(half(x))",
    "same": "create macro same(x) as f(x)",
}
ALONE = "select 'half(a)', s.half(a), my_half(a) -- half(a)\n/* half(b) */"


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("select half(a), half(a, 4), half(max(b, 1))", "select (a / 2), (a / 4), (max(b, 1) / 2)"),
        ("2 * half(a + b)", "2 * ((a + b) / 2)"),  # what could fall apart is put between parentheses
        ("same(a + b)", "f((a + b))"),
        ("quarter(half(a))", "(((a / 2) / 2) / 2)"),
        (ALONE, ALONE),  # texts, comments and longer names
        ("half('),(')", "('),(' / 2)"),
        ("same('a  b -- c')", "f('a  b -- c')"),
        ("same(1-2)", "f((1-2))"),
        ("same(1 - 2)", "f((1 - 2))"),
    ],
)
def test_a_call_is_the_text_of_the_macro_with_its_arguments(macros, text, expanded):
    known = macros(**MACROS)
    assert expand(text, known, "f") == expanded and known["quarter"].calls == ("half",)


def test_each_line_keeps_its_number(macros):
    known = macros(half="create macro half(x) as x / 2")
    text = "select\n    half( -- a remark\n        a\n        + b\n    ) as c,\n    d"

    lines = expand(text, known, "f").split("\n")

    assert lines.index("    d") == text.split("\n").index("    d")
    assert lines[1] == "    ((a + b) / 2)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("half(a)", "f: half takes (x, by), not 1 arguments."),
        ("half(a, b, c)", "f: half takes (x, by), not 3 arguments."),
        ("\nhalf(a", "f: line 2: a call has no closing parenthesis."),
    ],
)
def test_a_wrong_call_is_refused(macros, text, message):
    known = macros(half="create macro half(x, by) as x / by")

    with pytest.raises(BrokenDefinition) as error:
        expand(text, known, "f")

    assert str(error.value) == message


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (
            {"a": "create macro a(x) as b(x)", "b": "create macro b(x) as a(x)"},
            "macros call each other: a -> b -> a. Break the circle.",
        ),
        (
            {"a": "create macro b(x) as x"},
            "expected `create macro a(parameter, other := default) as formula` below the header.",
        ),
        ({"a": "select 1"}, "expected `create macro a(parameter, other := default) as formula` below the header."),
    ],
)
def test_a_broken_macro_is_refused(macros, statements, message):
    with pytest.raises(BrokenDefinition) as error:
        macros(**statements)

    assert str(error.value).endswith(message)


def test_the_words_of_a_macro_are_part_of_what_calls_it(sql, edit):
    (sql / "macro").mkdir()
    (sql / "macro" / "price.sql").write_text(HEADER.format(name="price") + "create macro price(x) as\n    2 * x\n")
    edit(
        sql / "metric/small/cost__v1.sql",
        "profile.p_target * counted.weight",
        "price(profile.p_target) * counted.weight",
    )
    before = {name: token_hash(relation) for name, relation in read_catalog(sql).items()}

    edit(sql / "macro" / "price.sql", "2 * x", "2 * x -- twice")
    same = {name: token_hash(relation) for name, relation in read_catalog(sql).items()}
    edit(sql / "macro" / "price.sql", "2 * x", "3 * x")
    after = {name: token_hash(relation) for name, relation in read_catalog(sql).items()}

    assert "(2 * profile.p_target) * counted.weight" in read_catalog(sql)["metric.small_cost__v1"].body.replace(
        "3", "2"
    )
    assert same == before
    assert after["base.count__v1"] == before["base.count__v1"]
    assert after["metric.small_cost__v1"] != before["metric.small_cost__v1"]


# the shipped ones, by hand

SHIPPED = read_macros(sql_root())


def value(call: str, rows: list) -> object:
    """Return what a call over column x of ``rows`` gives in DuckDB."""
    values = ", ".join(f"({'null' if row is None else repr(row)}::double)" for row in rows) or "(null::double)"
    return (
        session()
        .execute(
            f"select {expand(call, SHIPPED, 'test')} from (values {values}) as t(x){'' if rows else ' where false'}"
        )
        .fetchone()[0]
    )


def test_exact_mean_by_hand():
    assert value("exact_mean(x)", [0.25, 1.0]) == 0.625
    assert value("exact_mean(x)", [0.25, None, 1.0]) == 0.625  # NULL does not count
    assert value("exact_mean(x)", []) is None
    assert value("exact_mean(x)", [None]) is None
    assert value("exact_mean(x, 1e18)", [1 / 3, 2 / 3]) == 0.5
    # one number is its own mean: 1/3 is no whole number of 1e-15, and 257/275 is not what its 15 digits give back
    assert value("exact_mean(x)", [None, 1 / 3]) == 1 / 3
    assert value("exact_mean(x)", [257 / 275]) == 257 / 275


def test_exact_sum_does_not_depend_on_the_order():
    rows = [0.1, 0.7, 1e-9, 0.3, 0.2, 1 / 3] * 50
    sums = {value("exact_sum(x)", order) for order in (rows, rows[::-1], sorted(rows))}

    assert len(sums) == 1
    assert sums.pop() == pytest.approx(math.fsum(rows), abs=300 * 0.5e-15)


def test_ratio_of_nothing_is_null():
    call = [expand(f"ratio({a}, {b})", SHIPPED, "test") for a, b in ((3, 4), (0, 4), (0, 0), (3, 0))]

    assert session().execute(f"select {', '.join(call)}").fetchone() == (0.75, 0.0, None, None)


def test_costs_by_hand():
    """The plan's prices: C_miss 1, C_fa 0.1, P_target 0.02: 0.02 a miss, 0.098 a false alarm; p_miss 1/2, p_fa 1/10:
    0.0198.
    """
    cost, norm = (
        expand(text, SHIPPED, "test")
        for text in ("detection_cost(5e-1, 1e-1, 2e-2, 98e-3)", "normalised_cost(198e-4, 2e-2)")
    )

    assert session().execute(
        f"select {cost}, {norm}, {expand('normalised_cost(1e0, 0)', SHIPPED, 'test')}"
    ).fetchone() == (pytest.approx(0.0198), pytest.approx(0.99), None)


@of_each(SHIPPED.values())
def test_duckdb_takes_the_file_as_it_is(macro):
    """Who wants to try a formula pastes the files into a session."""
    session().begin()
    try:
        for name in (*macro.calls, macro.name):
            session().execute(SHIPPED[name].path.read_text(encoding="utf-8"))

        assert session().execute("select count(*) from duckdb_functions() where not internal").fetchone()[0] >= 1
    finally:
        session().rollback()


@of_each(SHIPPED.values())
def test_a_shipped_macro_is_called_and_says_why_it_is_exact(macro):
    texts = [path.read_text(encoding="utf-8") for path in Path(sql_root()).glob("*/**/*.sql") if path != macro.path]

    assert any(f"{macro.name}(" in text for text in texts)
    assert macro.fields.get("exact")


def test_counts_by_hand():
    """Of 1, 0, 1 and an unknown the sum is 2. Of nothing it is not known. A count as units, and 7 / 3 as units: 2 whole
    ones and 333333333333333 of 1e-15."""
    rows = [1.0, 0.0, 1.0, None]

    assert value("whole_sum(cast(x as bigint))", rows) == 2
    assert value("whole_sum(cast(x as bigint))", []) is None
    assert value("count_units(max(cast(x as bigint)))", rows) == 10**15
    assert value("ratio_units(7 * count(x), 3 * count(x))", rows) == 2_333_333_333_333_333
    assert value("ratio_units(count(x), 0 * count(x))", rows) is None


def test_an_undefined_number_counts_0_in_the_mean_over_n():
    """Over 4 events: (0.5 + 0 + 0.25 + 0) / 4; over none nothing is known."""
    assert value("zero_mean(x, 4)", [0.5, None, 0.25, None]) == 0.1875
    assert value("zero_mean(x, 0)", [0.5]) is None


def test_the_mean_of_sums_in_units_by_hand():
    """Sums of 1e-15: 1.25 over two is 0.625."""
    call = [
        expand(text, SHIPPED, "test")
        for text in ("mean_of_units(1250000000000000, 2)", "mean_of_units(1250, 2, 1e3)", "mean_of_units(0, 0)")
    ]

    assert session().execute(f"select {', '.join(call)}").fetchone() == (0.625, 0.625, None)


def test_a_running_sum_stays_in_its_curve():
    """Two profiles; the first in the order of position 2, 5 and 9 whatever the order of the rows."""
    call = expand("running_sum(x, run_no, profile_no, subset_no, position)", SHIPPED, "test")
    rows = "(1, 1, 0, 9, 100), (1, 1, 0, 2, 1), (1, 2, 0, 3, 7), (1, 1, 0, 5, 10)"

    found = (
        session()
        .execute(
            f"select profile_no, position, {call} from (values {rows}) as t(run_no, profile_no, subset_no, position, "
            f"x) order by 1, 2"
        )
        .fetchall()
    )

    assert found == [(1, 2, 1), (1, 5, 11), (1, 9, 111), (2, 3, 7)]


@pytest.mark.parametrize(
    ("words", "word", "has"),
    [
        ("'yes brief'", "'brief'", True),
        ("'yes brief'", "'rie'", False),
        ("'yes'", "'YES'", False),
        ("''", "'yes'", False),
        ("null", "'yes'", None),
    ],
)
def test_a_list_has_whole_words(words, word, has):
    assert session().execute(f"select {expand(f'has_word({words}, {word})', SHIPPED, 'test')}").fetchone() == (has,)


@pytest.mark.parametrize("x", [1.0, 1.5, 3.0, 4.0, 5e-324 * 2**60, 1e-300, 7e200])
def test_the_power_of_two_is_above_a_number_and_at_most_twice_as_large(x):
    assert value("power_of_two(x)", [x]) == 2.0 ** math.frexp(x)[1]
    assert (value("power_of_two(x)", [0.0]), value("power_of_two(x)", [None])) == (1.0, None)
