"""Runs that were asked one item with different prompts are named when they are loaded and when they are compared."""

import json
import re

import pytest

import tdtsql

BUNDLE = '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "items"\nmeasure = "acc"\n'


def write_run(folder, name, prompts):
    """Write a log of lm-evaluation-harness: an item for each prompt, the first of them right."""
    (folder / name).mkdir()
    samples = (
        {
            "doc_id": at,
            "filter": "none",
            "metrics": ["acc"],
            "doc_hash": f"d{at}",
            "prompt_hash": prompt,
            "acc": at == 0,
        }
        for at, prompt in enumerate(prompts)
    )
    path = folder / name / "samples_quiz_2026-01-01T12-34-56.123456.jsonl"
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    return f'[[run]]\nid = "{name}"\ncondition = "c"\nfiles = ["{name}/samples_*.jsonl"]\n'


@pytest.mark.parametrize(("prompts", "n_item"), [("pqr", 0), ("pqs", 1), ("xyr", 2)])
def test_different_prompts_are_named(tmp_path, prompts, n_item):
    runs = write_run(tmp_path, "zero", "pqr") + write_run(tmp_path, "five", prompts)
    (tmp_path / "b.toml").write_text(BUNDLE + runs)
    with tdtsql.connect(":memory:") as store:
        warnings = [problem for problem in store.evaluate(tmp_path / "b.toml").warnings if problem.code == "W972"]
        [table] = store.compare("zero", "five").tables()

    assert len(warnings) == (n_item > 0)
    assert all("run 'zero' was asked this item with another prompt" in problem.message for problem in warnings)
    said = re.findall(r"The runs were asked .* with different prompts, first .*?\.", table.caption)
    first = "quiz/2" if n_item == 1 else "quiz/0"
    n = "1 item" if n_item == 1 else f"{n_item} items"
    assert said == ([f"The runs were asked {n} with different prompts, first {first}."] if n_item else [])
