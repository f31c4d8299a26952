"""JSON lines as tidy tables: the same rows as CSV give the same tables and the same numbers."""

import csv
import json

import pytest

import tdtsql
from tdtsql.errors import InvalidInput

TRIALS = {
    "key": [{"trial_id": f"t{i}", "label": i % 3 == 0, "speaker": {"sex": "mf"[i % 2]}} for i in range(12)],
    "run": [{"trial_id": f"t{i}", "score": i * 7 % 5} for i in range(12)],
}
STORIES = {
    "stories": [{"story_id": f"s{i}", "position": i} for i in range(1, 5)],
    "topics": [{"topic_id": "t1"}],
    "judgments": [{"topic_id": "t1", "story_id": "s1", "label": "yes"}],
    "run": [{"topic_id": "t1", "story_id": f"s{i}", "decision": i < 3, "score": -i} for i in range(1, 5)],
}
ITEMS = {"run": [{"item_id": f"i{i}", "score": i % 2, "meta": {"lang": "xy"[i % 2]}} for i in range(6)]}
#: task -> files of the corpus and of the condition, rows
CASES = {
    "verification": ((), ("key",), TRIALS),
    "tracking": (("stories", "topics", "judgments"), (), STORIES),
    "items": ((), (), ITEMS),
}


def _flat(row, prefix=""):
    cells = {}
    for name, value in row.items():
        cells |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in cells.items()}


def _written(folder, task, ending):
    of_corpus, of_condition, files = CASES[task]
    for name, rows in files.items():
        with open(folder / f"{name}.{ending}", "w", newline="") as file:
            if ending == "jsonl":
                file.writelines(json.dumps(row) + "\n" for row in rows)
            else:
                writer = csv.DictWriter(file, list(_flat(rows[0])))
                writer.writeheader()
                writer.writerows(map(_flat, rows))
    corpus = "".join(f'{name} = "{name}.{ending}"\n' for name in of_corpus)
    condition = "".join(f'{name} = "{name}.{ending}"\n' for name in of_condition)
    profile = 'profile = ["sre10"]\n' if task == "verification" else ""
    path = folder / f"{ending}.toml"
    path.write_text(
        f'[corpus]\nid = "k"\n{corpus}[[condition]]\nid = "c"\ntask = "{task}"\n{condition}{profile}'
        f'[[run]]\nid = "r"\ncondition = "c"\nfiles = ["run.{ending}"]\n'
    )
    return path


@pytest.mark.parametrize("task", CASES)
def test_json_lines_are_rows_of_a_table(task, tmp_path):
    found = []
    for ending in ("csv", "jsonl"):
        with tdtsql.evaluate(_written(tmp_path, task, ending)) as store:
            found.append(
                store.sql("select metric, weighting, subset, value, n from report.score order by all").fetchall()
            )
            hashes = store.sql("select content_sha256 from registry.run").fetchall()
            found[-1].append(hashes)
    assert found[0] == found[1] and len(found[0]) > 3


def test_broken_lines_of_scores_are_named(tmp_path):
    path = _written(tmp_path, "verification", "jsonl")
    with open(tmp_path / "run.jsonl", "a") as file:
        file.write('{"trial_id": "t1"}\n{"trial_id": "t2", "score": "high"}\n["t3"]\n')
    with pytest.raises(InvalidInput) as raised:
        tdtsql.evaluate(path)
    assert [(problem.code, problem.line) for problem in raised.value.problems] == [
        ("E902", 13),
        ("E308", 14),
        ("E901", 15),
    ]
