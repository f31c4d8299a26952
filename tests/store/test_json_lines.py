"""JSON lines as tidy tables: the same rows as CSV give the same tables."""

import csv
import json

import tdtsql
from tdtsql.load.bundle import evaluate_into

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
#: task -> files of the condition, rows
CASES = {"verification": ("key",), "tracking": (), "items": ()}
ROWS = {"verification": TRIALS, "tracking": STORIES, "items": ITEMS}


def _flat(row, prefix=""):
    cells = {}
    for name, value in row.items():
        cells |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in cells.items()}


def _written(folder, ending, tasks=tuple(CASES)):
    text = '[corpus]\nid = "k"\n'
    text += "".join(f'{name} = "tracking.{name}.{ending}"\n' for name in ("stories", "topics", "judgments"))
    for task, files in ROWS.items():
        for name, rows in files.items():
            with open(folder / f"{task}.{name}.{ending}", "w", newline="") as file:
                if ending == "jsonl":
                    file.writelines(json.dumps(row) + "\n" for row in rows)
                else:
                    writer = csv.DictWriter(file, list(_flat(rows[0])))
                    writer.writeheader()
                    writer.writerows(map(_flat, rows))
    for task in tasks:
        text += f'[[condition]]\nid = "{task}"\ntask = "{task}"\n'
        text += "".join(f'{name} = "{task}.{name}.{ending}"\n' for name in CASES[task])
        text += 'profile = ["sre10"]\n' if task == "verification" else ""
        text += f'[[run]]\nid = "r"\ncondition = "{task}"\nfiles = ["{task}.run.{ending}"]\n'
    path = folder / f"{ending}.toml"
    path.write_text(text)
    return path


def test_json_lines_are_rows_of_a_table(tmp_path):
    """The hash of its rows, of each corpus, condition and run."""
    names = ("corpus", "condition", "run")
    query = " union all ".join(f"(select '{name}', {name}_id, content_sha256 from registry.{name})" for name in names)
    found = []
    for ending in ("csv", "jsonl"):
        with tdtsql.connect(":memory:") as store:
            evaluate_into(store.engine, _written(tmp_path, ending), score=False)
            found.append(sorted(store.engine.rows(query)))
    assert found[0] == found[1] and {name for _, name, _ in found[0]} == {"k", "r", *CASES}
