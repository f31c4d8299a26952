"""The command line: help, options, formats, exit codes, and what typed SQL may do."""

import json
import os
import subprocess
import sys

import click
import duckdb
import pytest
from each import of_each
from click.testing import CliRunner

from tdtsql.cli.main import cli
from places import ROOT

SMALL = ROOT / "fixtures" / "malformed" / "bundle" / "base_tdt" / "bundle.toml"

QUERY = "select block_id, value from report.block_score where metric = 'p_miss' and subset = 'all' order by block_id"


@pytest.fixture(scope="module")
def db(copy_of):
    return copy_of(SMALL)


def ran(*arguments):
    """Return what a command prints on stdout; it must succeed."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def process(*arguments, **environment):
    """Run the command as a process: exit codes and messages are those of the real thing."""
    return subprocess.run(
        [sys.executable, "-m", "tdtsql", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def commands(group=cli, path=()):
    context = click.Context(group, **group.context_settings)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


ALL = dict(commands())


@of_each(ALL)
def test_every_command_and_option_has_help(path):
    command = ALL[path]

    assert command.help
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, option.name
            assert all(not name.startswith("--") or "_" not in name for name in option.opts)
    assert "Usage:" in ran(*path, "--help")


@of_each(path for path, command in ALL.items() if not isinstance(command, click.Group))
def test_every_command_takes_db_and_trace(path):
    assert {"--db", "--trace"} <= {name for option in ALL[path].params for name in option.opts}


def test_help_does_not_load_the_engine():
    code = (
        "import sys; sys.argv = ['tdtsql', '--help']\nfrom tdtsql.cli.main import cli\ntry: cli()\nexcept SystemExit: "
        "pass\n"
        "assert not {'duckdb', 'numpy', 'sqlglot'} & set(sys.modules), 'loaded too much'"
    )

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT).returncode == 0


def test_who_only_asks_a_store_loads_no_numpy(db):
    code = (
        "import sys; from tdtsql.cli.main import cli\n"
        f"cli(['sql', 'query', 'select count(*) from report.score', '--db', {str(db)!r}], standalone_mode=False)\n"
        "assert not {'numpy', 'sqlglot'} & set(sys.modules), 'loaded too much'"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)

    assert said.returncode == 0, said.stderr


def test_trace_prints_every_statement(db):
    result = CliRunner().invoke(cli, ["run", "list", "--db", str(db), "--trace"])

    assert "from registry.run" in result.stderr and result.stderr.count(";\n") >= 2


def test_the_environment_names_the_store(db, monkeypatch):
    monkeypatch.setenv("TDTSQL_DB", str(db))

    assert json.loads(ran("run", "list", "--format", "json"))[0]["run_id"] == "s"


# ---- stores


@pytest.mark.full
def test_a_locked_store_names_the_process_that_has_it(tmp_path):
    db = tmp_path / "locked.duckdb"
    process("evaluate", SMALL, "--db", db)
    code = f"import duckdb, sys; c = duckdb.connect({str(db)!r}); print('open', flush=True); sys.stdin.read()"
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "open\n"
        result = process("score", "--db", db)
        assert result.returncode == 1 and f"process {holder.pid} has the store open" in result.stderr
    finally:
        holder.communicate("")


def test_a_read_only_store_can_be_asked(db, tmp_path):
    copy = tmp_path / "readonly.duckdb"
    copy.write_bytes(db.read_bytes())
    copy.chmod(0o444)

    assert ran("sql", "query", QUERY, "--db", copy, "--format", "csv").count("\n") == 3
    with duckdb.connect(str(copy), read_only=True) as plain:
        assert plain.sql("select count(*) from report.score").fetchall()[0][0] > 100


def test_a_mistyped_name_makes_no_store(tmp_path):
    ran("corpus", "add", SMALL, "--db", tmp_path / "results.duckdb")
    there = sorted(tmp_path.iterdir())

    for path, command in ALL.items():
        names = {name for option in command.params for name in option.opts if not getattr(option, "hidden", False)}
        if "--db" not in names or path in (("evaluate",), ("corpus", "add"), ("metric", "diff")):
            continue
        arguments = [
            str(SMALL) if isinstance(option.type, click.Path) and option.type.exists else "x"
            for option in command.params
            if isinstance(option, click.Argument) and option.required
        ]
        if path == ("ask",):
            arguments = ["hard_topics"]  # without a name it lists its questions and reads no store
        options = [
            text
            for option in command.params
            if isinstance(option, click.Option) and option.required
            for text in (option.opts[0], "x")
        ]
        result = CliRunner().invoke(cli, [*path, *arguments, *options, "--db", str(tmp_path / "result.duckdb")])

        assert type(result.exception).__name__ == "NotAStore", (path, result.output, result.exception)
        assert "the store does not exist. Did you mean" in str(result.exception) and "results.duckdb?" in str(
            result.exception
        )
        assert sorted(tmp_path.iterdir()) == there


# ---- runs and corpora


@pytest.mark.full
def test_keep_going_takes_the_good_files_and_names_the_bad(db, tmp_path):
    store = tmp_path / "store.duckdb"
    store.write_bytes(db.read_bytes())
    for name, decision in (("a", "yes"), ("b", "perhaps"), ("c", "no")):
        (tmp_path / f"{name}.csv").write_text(
            f"run_id,topic_id,story_id,decision,score\n{name},81001,B1,{decision},2\n"
        )
    files = [tmp_path / f"{name}.csv" for name in "abc"]

    whole = process("run", "add", *files, "--condition", "c", "--db", store)
    assert whole.returncode == 1 and {
        row["run_id"] for row in json.loads(ran("run", "list", "--db", store, "--format", "json"))
    } == {"s"}
    going = process("run", "add", *files, "--condition", "c", "--db", store, "--keep-going")

    assert (
        going.returncode == 1
        and f"1 of 3 files was not added: {files[1]}." in going.stderr
        and f"{files[1]}:2:" in going.stderr
    )
    assert "run a is in c." in going.stderr and "run c is in c." in going.stderr and "run b" not in going.stderr
    assert {row["run_id"] for row in json.loads(ran("run", "list", "--db", store, "--format", "json"))} == {
        "s",
        "a",
        "c",
    }
    assert process("run", "add", files[0], "--condition", "c", "--db", store, "--keep-going").returncode == 0
    assert process("run", "add", *files, "--id", "x", "--condition", "c", "--db", store, "--keep-going").returncode == 2


def test_a_file_is_written_with_a_verdict_and_not_after_an_error(db, tmp_path):
    out = tmp_path / "rows.csv"
    assert CliRunner().invoke(cli, ["score", "nobody", "-o", str(out), "--db", str(db)]).exit_code
    assert not out.exists()
    refused = CliRunner().invoke(cli, ["score", "-o", str(tmp_path / "no" / "rows.csv"), "--db", str(db)])
    assert "does not exist" in str(refused.exception) and refused.stdout == ""
    # a format that is named goes before the ending
    ran("score", "-m", "p_miss", "-f", "json", "-o", out, "--db", db)
    assert json.loads(out.read_text())[0]["metric"] == "p_miss"
