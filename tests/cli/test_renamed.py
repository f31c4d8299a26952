"""Every former name of a command, an option, a saved query and a method works for one more release, with a note."""

import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.api import RENAMED as METHODS
from tdtsql.api import Store
from tdtsql.cli.main import cli
from tdtsql.cli.renamed import COMMANDS, OPTIONS, current
from tdtsql.cookbook.saved_query import RENAMED as QUERIES
from tdtsql.cookbook.saved_query import find, questions


def command(words):
    """Return the command of a list of words; fails for an unknown one."""
    found, context = cli, None
    for word in words:
        context = found.make_context(word, [], parent=context, resilient_parsing=True)
        found = found.get_command(context, word)
        assert found is not None, words
    return found


def options(words):
    return {name for parameter in command(words).params for name in [*parameter.opts, *parameter.secondary_opts]}


@pytest.mark.parametrize(("old", "option", "new"), COMMANDS)
def test_a_former_command_is_the_current_one(old, option, new, capsys):
    arguments = [*old.split(), "FIRST", *([option] if option else []), "--db", "x.duckdb"]
    args = current(arguments)

    assert args[: len(new.split())] == new.split() and "FIRST" in args and "x.duckdb" in args
    assert command(new.split())
    note = f"`{old} {option}`" if option else f"`{old}`"
    assert capsys.readouterr().err == f"Note: {note} is now `{new}`; the old spelling works for one more release.\n"


@pytest.mark.parametrize(
    ("words", "old", "new"), [(words, *pair) for words in OPTIONS for pair in OPTIONS[words].items()]
)
def test_a_former_option_is_the_current_one(words, old, new, capsys):
    leaf = {"sql": "sql query"}.get(words, words).split()

    assert current([*leaf, f"{old}=5"]) == [*leaf, f"{new}=5"]
    known = options(leaf)
    if words == "ask":  # the parameters of saved queries are its options too
        known |= {f"--{parameter.name}" for query in questions().values() for parameter in query.parameters}
    assert new in known and old not in known
    assert f"`{old}` is now `{new}`" in capsys.readouterr().err


@pytest.mark.parametrize(("old", "new"), QUERIES.items())
def test_a_former_saved_query_is_the_current_one(old, new, capsys):
    assert old not in questions() and old != new
    with pytest.warns(FutureWarning, match=f"`ask {old}` is now `ask {new}`"):
        assert find(old).name == new


def test_the_command_line_notes_a_former_saved_query():
    result = CliRunner().invoke(cli, ["ask", "torn_clusters", "--sql"])

    assert result.exit_code == 0 and "select" in result.stdout, result.output
    assert (
        result.stderr
        == "Note: `ask torn_clusters` is now `ask split_clusters`; the old spelling works for one more release.\n"
    )


@pytest.mark.parametrize(("old", "new"), METHODS.items())
def test_a_former_method_is_the_current_one(old, new):
    with tdtsql.connect(":memory:") as store:
        with pytest.warns(FutureWarning, match=f"`store.{old}` is now `store.{new}`"):
            assert getattr(store, old) == getattr(store, new)
        assert old not in vars(Store)
        with pytest.raises(AttributeError, match="nothing"):
            getattr(store, "nothing")  # noqa: B009
