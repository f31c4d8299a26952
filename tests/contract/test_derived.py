"""What follows from loaded tables is defined in sql/derived, and nowhere else."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from syntax import nodes

import tdtsql
from tdtsql.definitions.catalogue import catalog, shipped, derived, sql_root
from tdtsql.definitions.table import tables
from tdtsql.build.lower import columns_of, lowered_tree
from tdtsql.definitions.lock import FILE, read_lock

PACKAGE = Path(tdtsql.__file__).parent
#: loaders read the tables of their own stage to number what they add
LOADERS = PACKAGE / "load"

each = pytest.mark.parametrize("relation", derived().values(), ids=lambda relation: relation.name)


@each
def test_it_gives_the_columns_of_what_it_fills(relation):
    target, owner = relation.header.fields["fills"], relation.header.fields["owner"]
    given = [select.alias_or_name for select in lowered_tree(relation, columns_of(catalog(), tables())).selects]

    if target in tables():
        assert given == list(tables()[target].columns)
        assert owner in given
    else:
        table, column = target.rsplit(".", 1)
        assert given == [owner, column] and column in tables()[table].columns
        assert tables()[table].key == (owner,)


@each
def test_it_is_in_the_lock_and_in_the_closure_of_what_reads_it(relation):
    assert relation.name in read_lock(sql_root() / FILE)
    assert shipped().definitions["derived"][relation.name]["closure"]


@cache
def _texts(path: Path) -> list[tuple[int, str]]:
    """Return the string constants of a module, f-strings with a blank for what is inserted."""
    found = []
    for node in nodes(path):
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else " " for part in node.values)
            found.append((node.lineno, text))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append((node.lineno, node.value))
    return found


def _found(pattern: str, folder: Path = PACKAGE, without: Path | None = None) -> list[str]:
    return [
        f"{path.relative_to(PACKAGE)}:{line}: {' '.join(text.split())[:80]}"
        for path in sorted(folder.rglob("*.py"))
        if without is None or without not in path.parents
        for line, text in _texts(path)
        if re.search(pattern, text, re.IGNORECASE | re.DOTALL)
    ]


@cache
def _inserts() -> list[tuple[str, str]]:
    """Return (where, what it fills) of the calls of `Engine.insert`."""
    return [
        (f"{path.relative_to(PACKAGE)}:{node.lineno}", node.args[0].value)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "insert"
        if node.args and isinstance(node.args[0], ast.Constant)
    ]


def test_no_module_fills_what_a_definition_fills():
    for relation in derived().values():
        target = relation.header.fields["fills"]
        if target in tables():
            assert _found(rf"\binsert into {re.escape(target)}\b") == []
            assert [where for where, filled in _inserts() if filled == target] == []
        else:
            table, column = target.rsplit(".", 1)
            assert _found(rf"\bupdate {re.escape(table)}\s+set\s+{column}\b") == []


def test_no_module_derives_tables_from_base():
    assert _found(r"\binsert into base\.\w+.*\bselect\b.*\b(from|join)\s+base\.", without=LOADERS) == []
    names = "|".join(name.removeprefix("base.") for name in tables() if name.startswith("base."))
    assert _found(rf"\bcreate (or replace )?table base\.({names})\b.*\bselect\b") == []


def test_no_module_defines_a_view():
    schemas = "registry|staging|base|metric|report|ledger"
    assert _found(rf"\bcreate (or replace )?view ({schemas})\.\w+") == []


def test_the_text_of_a_profile_has_each_of_its_values():
    text = catalog()["ledger.profile_text"].body
    keys = ("profile_no", "profile_id", "base_profile", "source")

    read = [name.strip('"') for name in re.findall(r'(?:concat\(|\'\|\',)\s*("?\w+"?)', text)]
    assert read == [name for name in tables()["registry.profile"].columns if name not in keys]
