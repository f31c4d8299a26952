"""Every recorded output is as it was: `record.py` says what is recorded, and records it again."""

import difflib
import json

import pytest
from record import GROUPS, calls_of, command_paths, play, recorded, write_store


@pytest.fixture
def store_of(made_once):
    """Return a function: the file of a store of `commands.toml`, made by the first worker that asks."""
    return lambda name: made_once(f"outputs-{name}", lambda folder: write_store(name, folder)) / f"{name}.duckdb"


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["name"])
def test_output(group, store_of, tmp_path):
    text = play(group, store_of(group["store"]) if "store" in group else None, tmp_path)
    expected = recorded(group).read_text(encoding="utf-8")

    if text != expected:
        lines = difflib.unified_diff(expected.splitlines(), text.splitlines(), "recorded", "now", lineterm="")
        pytest.fail("\n".join([*lines, f"intended? python tests/outputs/record.py --only {group['name']}"]), False)


def results():
    """Return (call, its recorded result) of every command."""
    for group in GROUPS:
        for part in recorded(group).read_text(encoding="utf-8").removeprefix("> tdtsql ").split("\n> tdtsql "):
            call, _, result = part.partition("\n")
            if not group.get("help"):
                yield call, result.split("\n> ")[0]


def test_every_command_is_recorded():
    calls = [call for group in GROUPS if not group.get("help") for call in calls_of(group)]

    assert [
        path for path in command_paths() if not any(f"{call} ".startswith(f"tdtsql {path} ") for call in calls)
    ] == []


def test_every_recorded_command_ends_with_a_code_and_what_is_wrong_is_said():
    for call, result in results():
        end = result.rstrip("\n").rpartition("\n")[2] or result
        assert "Traceback" not in result, call
        if end.startswith("[exit "):
            assert end in ("[exit 1]", "[exit 2]") and len(result.splitlines()) > 1, (call, end)


def test_recorded_json_is_one_array_of_objects_with_the_same_names():
    found = 0
    for call, result in results():
        text = result.partition("[stderr]")[0]
        if ("-f json" in call or "--format json" in call) and "[exit " not in result:
            rows = json.loads(text)
            assert isinstance(rows, list) and len({tuple(row) for row in rows}) <= 1, call
            found += 1
    assert found >= 9
