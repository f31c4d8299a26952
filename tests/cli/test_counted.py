"""One is one: counts in what the commands say."""

import pytest
from click.testing import CliRunner

from tdtsql.cli.main import cli
from tdtsql.cli.output import counted, print_problems
from tdtsql.errors import Problem

SMALL = "fixtures/malformed/bundle/base_tdt/bundle.toml"


@pytest.mark.parametrize(
    ("errors", "warnings", "said"),
    [
        (1, 0, "1 error, 0 warnings. Nothing was stored."),
        (2, 1, "2 errors, 1 warning. Nothing was stored."),
        (0, 1, "0 errors, 1 warning."),
    ],
)
def test_problems_are_counted(capsys, errors, warnings, said):
    print_problems(
        [
            *[Problem("E101", "a.csv", 1, 1, "it is broken")] * errors,
            *[Problem("W101", "a.csv", 1, 1, "it is odd")] * warnings,
        ]
    )

    assert capsys.readouterr().err.splitlines()[-1] == said


def test_a_bundle_without_warnings(request):
    result = CliRunner().invoke(cli, ["evaluate", "--check", str(request.config.rootpath / SMALL)])

    assert result.exit_code == 0 and "parts read, 0 warnings, no errors." in result.output
    assert [counted(n, "part") for n in (0, 1, 2)] == ["0 parts", "1 part", "2 parts"]
