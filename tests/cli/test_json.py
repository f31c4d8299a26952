"""`--format json` prints one array of objects on stdout and nothing else, whatever the command."""

import csv
import io
import json
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example" / "bundle.toml"
TRACKING = "--condition trk-eng-1 --profile tdt2004"

#: command -> ways to call it; of those that need no store
CALLS = {
    "evaluate": [f"{EXAMPLE} --check", f"{EXAMPLE} --db {{new}}"],
    "run list": [""],
    "run show": ["osprey", "{warned}"],
    "corpus list": [""],
    "corpus show": ["example"],
    "corpus conditions": ["", "example"],
    "corpus cost": ["example", "example --topics", "example --histogram"],
    "score": [
        "osprey",
        "osprey --per-topic",
        f"osprey --curve {TRACKING}",
        f"osprey --distributions {TRACKING}",
        "osprey --metric eer",
    ],
    "compare": [
        f"osprey kestrel {TRACKING} {more}"
        for more in (
            "",
            "--per-topic",
        )
    ],
    "gate": [f"osprey kestrel {TRACKING} --fail-if 'c_det_norm > +0.9'"],
    "leaderboard": ["", "--per-topic", "--no-groups"],
    "stats ranks": [f"osprey kestrel {TRACKING}"],
    "stats subsets": ["ears --resamples 40"],
    "plot path": ["{hierarchy}"],
    "condition list": [""],
    "profile list": [""],
    "profile show": ["trec_eval"],
    "task list": [""],
    "metric list": [""],
    "metric impact": [""],
    "metric try": ["fixtures/own_metric/balanced_accuracy__v1.sql osprey"],
    "metric lineage": ["c_det_norm --task tracking", "c_det_norm --task tracking --sources"],
    "metric diff": ["c_det_norm tdt2004 tdt3eval"],
    "adjudicate": ["--limit 3", "--effect"],
    "ledger list": [""],
    "audit": ["", "--verbose"],
    "check": [""],
    "verify": ["{signature}"],
    "export": ["{folder}"],
    "archive diff": ["{archive} {archive}", "{archive} {archive} --numbers"],
    "sql query": [
        "'select 1 as one'",
        "'select published_at from report.missed_story'",
        "'select 1 as one where false'",
    ],
    "sql schema": ["", "report", "report.score"],
    "ask": ["", "worst_topics --run osprey"],
}
#: commands that take no store, or one of their own
OWN_STORE = ("evaluate", "task list", "metric list", "metric lineage", "archive diff", "profile list", "profile show")


def commands(group: click.Group, *path: str):
    """Yield the words of every command that has --format."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        elif any("--format" in option.opts for option in command.params):
            yield " ".join((*path, name))


def ran(line: str, format_: str = "json") -> str:
    done = CliRunner().invoke(cli, [*shlex.split(line), "--format", format_])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def names(example_copy, tmp_path_factory):
    """Return what the calls name: files, runs of a kind, a signature."""
    folder = tmp_path_factory.mktemp("json")
    with tdtsql.connect(example_copy) as store:
        trials = [f"t{number}" for number in range(8)]
        store.add_corpus("voices")
        store.add_condition(
            "voices",
            corpus="voices",
            task="verification",
            profile="asvspoof5",
            scores="llr",
            key={"trial_id": trials, "label": ["target", "nontarget"] * 4, "codec": ["a", "b"] * 4},
        )
        store.add_run(
            "ears", condition="voices", decisions={"trial_id": trials, "score": [2.0, -1, 1, 1.5, 3, -2, 0.5, -3]}
        )
        store.score()

    def first(query: str) -> str:
        rows = json.loads(ran(f'sql query "{query}" --db {example_copy}'))
        return " ".join(str(value) for value in rows[0].values())

    vertex = (
        "select run_id, block_id, '--condition' as option, condition_id, '--profile' as other, profile_id from "
        "report.block_label where metric = 'best_vertex' order by all limit 1"
    )
    return {
        "db": example_copy,
        "new": folder / "new.duckdb",
        "folder": folder / "exported",
        "archive": folder / "a.zip",
        "hierarchy": first(vertex),
        "signature": repr(
            first(
                "select signature from report.score where run_id = 'osprey' and metric = 'c_det_norm' order by all "
                "limit 1"
            )
        ),
        "warned": first(
            "select split_part(owner, '/', 2) as run_id from registry.problem where owner like 'run:%' order by all "
            "limit 1"
        ),
    }


def test_every_command_is_called():
    assert sorted(commands(cli)) == sorted(CALLS)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("command", "call"),
    [(command, call) for command, calls in CALLS.items() for call in calls],
    ids=lambda text: text or "-",
)
def test_json_is_one_array_of_objects(command, call, names):
    where = "" if command in OWN_STORE else " --db {db}"

    if "{archive}" in call and not names["archive"].exists():
        said = CliRunner().invoke(cli, ["archive", "pack", str(names["archive"]), "--db", str(names["db"])])
        assert said.exit_code == 0, said.output

    rows = json.loads(ran(f"{command} {call}{where}".format(**names)))
    assert isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
    assert len({tuple(row) for row in rows}) <= 1  # each with the same keys


def test_what_people_see_as_several_tables_is_one_for_a_program(names):
    shown = "run show {warned} --db {db}".format(**names)
    rows = json.loads(ran(shown))
    again = list(csv.DictReader(io.StringIO(ran(shown, "csv"))))

    assert {row["part"] for row in rows} >= {"file", "warning"}
    assert all(
        (row["sha256"] is not None) == (row["part"] == "file")
        and (row["code"] is not None) == (row["part"] == "warning")
        for row in rows
    )
    assert [row["part"] for row in again] == [row["part"] for row in rows]
    table = ran(shown, "table").splitlines()
    assert sum(line.startswith(("owner ", "code ")) for line in table) == 2


def test_the_matrices_of_several_conditions_are_one_table(names):
    rows = json.loads(ran("leaderboard --per-topic --db {db}".format(**names)))

    assert len({(row["condition_id"], row["profile_id"]) for row in rows}) > 1
    assert "part" not in rows[0]
