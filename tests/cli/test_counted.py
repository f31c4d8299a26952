"""One is one: counts in what the commands say."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.cli.output import counted, print_problems
from tdtsql.errors import Problem

PACKAGE = Path(tdtsql.__file__).parent
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
            *(Problem("E101", "a.csv", line, 1, "it is broken") for line in range(errors)),
            *(Problem("W101", "a.csv", line, 1, "it is odd") for line in range(warnings)),
        ]
    )

    assert capsys.readouterr().err.splitlines()[-1] == said


def test_a_bundle_without_warnings(request):
    result = CliRunner().invoke(cli, ["evaluate", "--check", str(request.config.rootpath / SMALL)])

    assert result.exit_code == 0 and "parts read, 0 warnings, no errors." in result.output
    assert [counted(n, "part") for n in (0, 1, 2)] == ["0 parts", "1 part", "2 parts"]


#: a number before a noun of several things, which is wrong of one: `counted` and `verb` of `tdtsql.errors` agree
SEVERAL = re.compile(
    r"\{(?!none_of|counted|', '|first_few)[^{}]*\} (more )?"
    r"(stories|decisions|documents|items|rows|topics|samples|trials) "
)


def test_messages_of_inputs_agree_in_number():
    files = [path for folder in ("loading", "intake", "trials") for path in (PACKAGE / folder).rglob("*.py")]
    assert len(files) > 25
    wrong = [f"{path}: {found[0]}" for path in files for found in SEVERAL.finditer(path.read_text(encoding="utf-8"))]
    assert wrong == []


def test_one_story_without_a_decision(tmp_path):
    (tmp_path / "b.toml").write_text(
        '[corpus]\nid = "c"\nstories = "s.csv"\ntopics = "t.csv"\njudgments = "j.csv"\n'
        '[[condition]]\nid = "x"\ntask = "tracking"\n[[run]]\nid = "r"\ncondition = "x"\nfiles = ["r.csv"]\n'
    )
    (tmp_path / "s.csv").write_text("story_id,position\na,1\nb,2\n")
    (tmp_path / "t.csv").write_text("topic_id\nt\n")
    (tmp_path / "j.csv").write_text("topic_id,story_id,label\nt,a,yes\n")
    (tmp_path / "r.csv").write_text("topic_id,story_id,decision,score\nt,a,yes,1\n")
    result = CliRunner().invoke(cli, ["evaluate", "--check", str(tmp_path / "b.toml")])
    assert "1 story of the test set of topic t has no decision. It counts as no" in result.output


def test_equal_lines_are_one_and_every_file_has_its_own_limit(capsys):
    many = [Problem("E820", "p1.csv", line, 1, "unknown topic", f"T{line}") for line in range(60)]

    print_problems(
        [*many, many[0], Problem("E820", "p2.csv", 3, 1, "unknown topic", "N99")], files=["p1.csv", "p2.csv", "p3.csv"]
    )

    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 24 and lines[20].endswith("E820 is the last of 40 more such lines.")
    assert lines[21:] == [
        "p2.csv:3:1: E820 unknown topic ('N99').",
        "2 of 3 files rejected (errors): p1.csv (60), p2.csv (1).",
        "61 errors, 0 warnings. Nothing was stored.",
    ]


def test_problems_come_in_the_order_of_lines(capsys):
    places = [("b.csv", 7), ("b.csv", 3), ("b.csv", None), ("a.csv", 1), ("b.csv", 2)]
    print_problems([Problem(f"E10{number}", path, line, 1, "odd") for number, (path, line) in enumerate(places)])

    assert [line.split(": ")[0] for line in capsys.readouterr().err.splitlines()[:-1]] == [
        "b.csv:2:1",
        "b.csv:3:1",
        "b.csv:7:1",
        "b.csv:1",
        "a.csv:1:1",
    ]
