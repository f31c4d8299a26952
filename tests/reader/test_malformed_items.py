"""Files of items that cannot be: each is refused with a place and a code, and nothing is stored.

``fixtures/malformed/items/manifest.toml`` says what is wrong with each file.
"""

import tomllib
from pathlib import Path

import pytest

import tdtsql
from inside import evaluate_into
from tdtsql.errors import InvalidInput

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "malformed" / "items"
FILES = tomllib.loads((FOLDER / "manifest.toml").read_text(encoding="utf-8"))["file"]


@pytest.fixture(scope="module")
def store():
    with tdtsql.connect(":memory:") as store:
        yield store


@pytest.mark.parametrize("file", FILES, ids=[file["path"] for file in FILES])
def test_is_refused_with_its_place(store, file, tmp_path):
    named = f'id = "{file["id"]}"\n' if "id" in file else ""
    folder = FOLDER.as_posix()
    condition = file.get("condition", "").replace('items = "', f'items = "{folder}/')
    scores = file.get("scores", file["path"])
    bundle = tmp_path / "bundle.toml"
    bundle.write_text(
        f'[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "items"\n{condition}'
        f'[[run]]\ncondition = "c"\nfiles = ["{folder}/{scores}"]\n{named}{file.get("run", "")}'
    )

    with pytest.raises(InvalidInput) as error:
        evaluate_into(store.engine, bundle)

    found = [(problem.code, problem.line) for problem in error.value.problems if problem.is_error]
    assert (file["code"], file.get("line")) in found or "line" not in file and file["code"] in dict(found), str(
        error.value
    )
    assert all(problem.advice or problem.message for problem in error.value.problems)
    assert store.sql("select (select count(*) from registry.run) + (select count(*) from base.block)").fetchall() == [
        (0,)
    ]


def test_there_are_enough():
    assert len({file["path"] for file in FILES}) >= 40


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([1, "x", 0, 1e13], [("E960", 2), ("E960", 4), ("E962", 3)]),  # of several types
        (["1", "x", "0", "1e13"], [("E960", 2), ("E960", 4), ("E962", 3)]),
        ([1.0, 2.0, 0.0, 1e13], [("E960", 4), ("E962", 3)]),
    ],
)
def test_repeats_are_reported_with_values_in_one_pass(scores, found):
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("c", corpus="k", task="items")
        frame = {"item_id": ["a", "b", "a", "c"], "score": scores}
        with pytest.raises(InvalidInput) as error:
            store.add_run("r", condition="c", scores=frame)
        assert [(problem.code, problem.line) for problem in error.value.problems] == found
        frame = {"item_id": ["a", "a", "a"], "epoch": ["1", "b", "b"], "score": [1.0, 1.0, 1.0]}
        with pytest.raises(InvalidInput) as error:  # an epoch that is none repeats nothing
            store.add_run("r", condition="c", scores=frame)
        assert [problem.code for problem in error.value.problems] == ["E971", "E971"]
