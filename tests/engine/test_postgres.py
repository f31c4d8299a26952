"""An export in PostgreSQL, by the commands of the documentation: the rendered views have the rows of the store."""

import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import postgres_server
import tdtsql
from tdtsql.build.render import render
from tdtsql.cli.main import cli
from tdtsql.definitions.catalogue import catalog
from tdtsql.definitions.catalogue import published
from tdtsql.errors import NotPortable
from tdtsql.store.copy import export
from tdtsql.task import TASKS
from places import ROOT

pytestmark = pytest.mark.engine

GUIDE = ROOT / "docs" / "how-to" / "team.md"
PUBLISHED = sorted({relation.name for task in TASKS for relation in published(task)})


@pytest.fixture(scope="module")
def server():
    """Return a PostgreSQL server of our own; skip, saying so, where it is not installed."""
    if postgres_server.PROGRAMS is None or shutil.which("psql") is None:
        pytest.skip(postgres_server.MISSING)
    with postgres_server.running() as started:
        yield started


@pytest.fixture(scope="module")
def exported(example_store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("postgres") / "out"
    with tdtsql.connect(example_store, read_only=True) as store:
        export(store.engine, folder)
    return folder


def load(server, exported: Path, rendered: list[Path]) -> str:
    """Run the guide's commands on a new database, and return its name."""
    database = server.database()
    for path in rendered:
        server.psql(path.read_text(encoding="utf-8"), database)
    script = exported.parent / "load.py"
    script.write_text(re.search(r"```py\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)[1], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, exported, *rendered], capture_output=True, text=True, check=True, cwd=exported.parent
    )
    assert "\\copy registry.run from " in done.stdout
    server.psql(done.stdout, database)
    return database


def same(relation, value: object, text: str) -> bool:
    """Return whether PostgreSQL's text of a number or text is a value of DuckDB."""
    if value is None:
        return text == "NULL"
    if isinstance(value, float):
        other = float(text)
        return value == other or not relation.header.is_exact and math.isclose(value, other, rel_tol=1e-12)
    return text == str(value)


def assert_same_rows(server, database: str, store: tdtsql.Store, name: str) -> int:
    relation = catalog()[name]
    keys = ", ".join(relation.header.grain)
    columns = [column.name for column in relation.header.columns]
    expected = store.sql(f"select {', '.join(columns)} from {name} order by {keys}").fetchall()
    asked = f"select {', '.join(columns)} from {name} order by {keys}"
    lines = server.psql(f"\\pset null 'NULL'\n\\pset fieldsep '\\t'\n{asked};\n", database).splitlines()
    assert len(lines) == len(expected), name
    for line, row in zip(lines, expected, strict=True):
        for column, value, text in zip(columns, row, line.split("\t"), strict=True):
            assert same(relation, value, text), (name, column, row, text)
    return len(lines)


@pytest.mark.smoke
def test_the_commands_of_the_guide(server, exported, example_store, tmp_path):
    made = CliRunner().invoke(cli, ["sql", "render", "p_miss", "--dialect", "postgres", "--with-tables"])
    assert made.exit_code == 0, made.output
    path = tmp_path / "p_miss.sql"
    path.write_text(made.stdout, encoding="utf-8")
    database = load(server, exported, [path])
    with tdtsql.connect(example_store, read_only=True) as store:
        assert assert_same_rows(server, database, store, "metric.detection_rate__v1") > 100


def test_every_portable_published_view(server, exported, example_store, tmp_path):
    rendered = {}
    for name in PUBLISHED:
        try:
            text = render(name, "postgres", with_tables=True)
        except NotPortable:
            continue
        rendered[name] = tmp_path / f"{name}.sql"
        rendered[name].write_text(text, encoding="utf-8")
    assert len(rendered) > 40
    database = load(server, exported, list(rendered.values()))
    with tdtsql.connect(example_store, read_only=True) as store:
        counts = [assert_same_rows(server, database, store, name) for name in rendered]
    assert sum(counts) > 1000
