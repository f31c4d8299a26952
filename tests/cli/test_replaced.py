"""A deleted command or option ends with 2 and one line that says what replaces it."""

import pytest
from click.testing import CliRunner

from tdtsql.cli.commands import REPLACED
from tdtsql.cli.main import cli


@pytest.mark.parametrize(("command", "argument", "instead"), REPLACED)
def test_a_deleted_spelling_names_its_replacement(command, argument, instead):
    words = [*command.split(), "FIRST", *([argument.replace("*", "x")] if argument else [])]

    result = CliRunner().invoke(cli, words)

    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.endswith(f"Error: `{f'{command} {argument}'.strip()}` was removed. Use {instead}.\n")


@pytest.mark.parametrize(
    ("words", "is_refused"),
    [
        (["compare", "a", "b", "--fail-if=f1 < 0"], True),
        (["compare", "a", "b", "--", "--fail-if"], False),
        (["gate", "a", "b", "--fail-if", "f1 < 0", "--db", "none.duckdb"], False),
    ],
)
def test_only_what_was_deleted_is_refused(words, is_refused):
    result = CliRunner().invoke(cli, words)

    assert ("was removed" in result.stderr) == is_refused


def test_a_store_that_the_environment_names_is_refused_too():
    result = CliRunner().invoke(cli, ["run", "list"], env={"TDTSQL_DB": "postgresql://host/db"})

    assert result.exit_code == 2 and "`--db=postgres*://*` was removed. Use a file" in result.stderr
