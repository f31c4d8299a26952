"""Files of items that cannot be: each is refused with a place and a code, and nothing is stored.

``fixtures/malformed/items/manifest.toml`` says what is wrong with each file.
"""

import tomllib
from collections import defaultdict

import pytest

import tdtsql
from tdtsql.load.bundle import evaluate_into
from tdtsql.errors import InvalidInput
from places import MALFORMED

FOLDER = MALFORMED / "items"
FILES = tomllib.loads((FOLDER / "manifest.toml").read_text(encoding="utf-8"))["file"]


def keys_of(file: dict) -> tuple[str, str]:
    """Return the keys of the condition of a file, and which of several with these keys it is: the measures of a run
    become those of its condition, so that ambiguous ones have another than the rest.
    """
    return file.get("condition", ""), file["path"] if file["code"] == "E970" else ""


#: keys -> name of the condition
CONDITIONS = {keys: f"c{number}" for number, keys in enumerate(dict.fromkeys(map(keys_of, FILES)))}


@pytest.fixture(scope="module")
def problems(tmp_path_factory):
    """Return file -> the problems that are reported with its path; all files are refused in one evaluation, which
    stores nothing.
    """
    folder, lines = FOLDER.as_posix(), ["[corpus]", 'id = "k"']
    for (keys, _), name in CONDITIONS.items():
        lines += ["[[condition]]", f'id = "{name}"', 'task = "items"', keys.replace('"list', f'"{folder}/list')]
    for number, file in enumerate(FILES):
        lines += ["[[run]]", f'condition = "{CONDITIONS[keys_of(file)]}"', file.get("run", "")]
        lines += [f'files = ["{folder}/{file.get("scores", file["path"])}"]']
        lines += [f'id = "{file["id"]}{number}"'] if "id" in file else []
    bundle = tmp_path_factory.mktemp("items") / "bundle.toml"
    bundle.write_text("\n".join(lines))
    found = defaultdict(list)
    with tdtsql.connect(":memory:") as store:
        with pytest.raises(InvalidInput) as error:
            evaluate_into(store.engine, bundle)
        stored = "select (select count(*) from registry.run) + (select count(*) from base.block)"
        assert store.sql(stored).fetchall() == [(0,)]
    for problem in error.value.problems:
        found[problem.path].append(problem)
    return found


@pytest.mark.parametrize("file", FILES, ids=[file["path"] for file in FILES])
def test_is_refused_with_its_place(problems, file):
    here = problems[f"{FOLDER.as_posix()}/{file['path']}"] + problems[f"condition '{CONDITIONS[keys_of(file)]}'"]

    found = [(problem.code, problem.line) for problem in here if problem.is_error]
    assert (file["code"], file.get("line")) in found or "line" not in file and file["code"] in dict(found), here
    assert all(problem.advice or problem.message for problem in here) and file.get("said", "") in " ".join(
        map(str, here)
    )


@pytest.fixture(scope="module")
def store():
    """Return a store with a condition of items, and no run: those of these tests are refused."""
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("c", corpus="k", task="items")
        yield store


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([1, "x", 0, 1e13], [("E960", 2), ("E960", 4), ("E962", 3)]),  # of several types
        (["1", "x", "0", "1e13"], [("E960", 2), ("E960", 4), ("E962", 3)]),
        ([1.0, 2.0, 0.0, 1e13], [("E960", 4), ("E962", 3)]),
    ],
)
def test_repeats_are_reported_with_values_in_one_pass(store, scores, found):
    frame = {"item_id": ["a", "b", "a", "c"], "score": scores}
    with pytest.raises(InvalidInput) as error:
        store.add_run("r", condition="c", scores=frame)
    assert [(problem.code, problem.line) for problem in error.value.problems] == found
    frame = {"item_id": ["a", "a", "a"], "epoch": ["1", "b", "b"], "score": [1.0, 1.0, 1.0]}
    with pytest.raises(InvalidInput) as error:  # an epoch that is none repeats nothing
        store.add_run("r", condition="c", scores=frame)
    assert [problem.code for problem in error.value.problems] == ["E971", "E971"]


def test_a_table_of_very_many_attributes_is_refused_unless_some_are_named(store):
    frame = {"item_id": ["a"], "score": [1.0], **{f"a{number}": ["x"] for number in range(1001)}}
    with pytest.raises(InvalidInput, match=r"E964 1,001 columns would be attributes of items, expected at most 1,000"):
        store.add_run("r", condition="c", scores=frame)
