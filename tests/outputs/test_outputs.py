"""Every recorded output is as it was: `record.py` says what is recorded, and records it again."""

import difflib

import pytest
from record import GROUPS, play, recorded, write_store


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
