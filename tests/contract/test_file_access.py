"""Only `tdtsql/engine/quoting.py` writes the path of a file into SQL, and the engine gets no path in another way.

The readers of DuckDB expand patterns, and take folders called ``name=value`` for columns; one call that is not made
there reads another file than the one that the user named.
"""

import ast
import re
from places import PACKAGE

WRITER = PACKAGE / "engine" / "quoting.py"

#: functions of SQL that open files
READS = re.compile(
    r"\b(read_(csv|csv_auto|parquet|json|json_auto|ndjson|text|blob)|parquet_(scan|\w*metadata|schema)|sniff_csv|glob)"
    r"\s*\(",
    re.IGNORECASE,
)
#: statements that open files
OPENS = re.compile(
    r"\battach\s+(?!':memory:'|\{quoted_path\})|\bcopy\s*[({].*\bto\s+(?!stdout|\{quoted_path\})",
    re.IGNORECASE | re.DOTALL,
)
#: methods of the engine's Python package that open files
METHODS = {"read_csv", "read_parquet", "read_json", "from_csv_auto", "from_parquet"}


def _texts(tree: ast.Module) -> list[tuple[int, str]]:
    """Return (line, text) of every string but docstrings; a call that an f-string inserts is written as its name."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                part.value
                if isinstance(part, ast.Constant)
                else f"{{{part.value.func.id}}}"
                if isinstance(part.value, ast.Call) and isinstance(part.value.func, ast.Name)
                else "{}"
                for part in node.values
            )
            found.append((node.lineno, text))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (docstrings | parts):
            found.append((node.lineno, node.value))
    return found


def _breaches(source: str) -> list[int]:
    """Return the lines of a module that let the engine open a file."""
    tree = ast.parse(source)
    lines = [
        line
        for line, text in _texts(tree)
        if any(not text.startswith("{quoted_files}", found.end()) for found in READS.finditer(text))
        or OPENS.search(text)
    ]
    lines += [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS
    ]
    return lines


def test_the_engine_opens_files_by_one_module_alone():
    found = {
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path != WRITER
        for line in _breaches(path.read_text(encoding="utf-8"))
    }

    assert not found, f"use parquet_source, text_source, quoted_files or quoted_path of {WRITER.name}: {sorted(found)}"


def test_calls_in_every_spelling_are_found():
    assert _breaches("engine.rows(f'select * from READ_CSV ({sql_literal(path)})')")
    assert _breaches("rows('select * from read_parquet(?)', [path])")
    assert _breaches("engine.execute(f'attach {sql_literal(path)} as other')")
    assert _breaches("engine.execute(f'''copy (select 1)\nto {sql_literal(path)}''')")
    assert _breaches("duckdb.read_parquet(path)")
    assert not _breaches("engine.execute(f'select * from {parquet_source(path)}')")
    assert not _breaches("engine.execute(f'attach {quoted_path(path)} as other')")
    assert not _breaches("engine.execute(f'select num_rows from parquet_file_metadata({quoted_files(path)})')")


def test_the_writer_says_for_every_reader_that_folders_are_no_columns():
    for _, text in _texts(ast.parse(WRITER.read_text(encoding="utf-8"))):
        assert not READS.search(text) or "hive_partitioning = false" in text
