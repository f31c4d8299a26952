"""A macro is written out where it is called: right arguments, right parentheses, the same line numbers, part of the
identity.
"""

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


# the shipped ones; by hand: tests/cases/macro

SHIPPED = read_macros(sql_root())


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
