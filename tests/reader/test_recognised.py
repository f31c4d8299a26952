"""The format of a file follows from what it holds; its name decides where the content does not; comments are no
data.
"""

import numpy as np
import pytest

from tdtsql.errors import Problems
from tdtsql.load.tasks import recognised_format
from rows_of_files import check_columns, key_of_columns, read_clusters

FORMATS = {
    "filtering": {
        "run.csv": ("q1 Q0 d1 1 3.0 sys\n", "trec"),
        "run.txt": ("topic_id,story_id,decision\nq1,d1,yes\n", "tidy"),
        "other.csv": ("anything\n", "tidy"),
        "other.out": ("# comment\nq1 Q0 d1 1 3.0 sys\n", "trec"),
    },
    "tracking": {"r.txt": ("topic_id\tstory_id\tscore\n", "tidy"), "r.out": ("sys yes 1 t1 docno\n", "tdt")},
    "summarization": {"r.tsv": ("event_id,update_id,time\n", "tidy"), "s.tsv": ("1 a b 2 3 4 0.5\n", "ts")},
    "partition": {
        "gold.json": ('{"id": "a", "cluster": "g"}\n', "jsonl"),
        "list.txt": ('[{"id": "a", "cluster": "g"}]\n', "jsonl"),
        "gold.key": ("# begin document (a); part 000\n", "conll"),
        "sys.conll": ("item_id,cluster_id\n", "tidy"),
    },
    "verification": {
        "numbers.txt": ("1089 1089-134 12.5\n1089 121-121 -3.25\n121 121-121 4\n", "kaldi"),
        "nan.txt": ("spk1 u1 nan\nspk1 u2 -3.25\n", "kaldi"),
        "first.txt": ("0.5 1089 1090\n1 1089 1091\n", "voxceleb"),
        "both.txt": ("# scores of 2024\n1089 1090 12\n1089 1091 -3\n", "kaldi"),
        "unclear.txt": ("1089 1090 12\n", "kaldi"),
    },
}


@pytest.mark.parametrize(("task", "name"), [(task, name) for task, files in FORMATS.items() for name in files])
def test_the_first_lines_say_the_format(tmp_path, task, name):
    text, format_ = FORMATS[task][name]
    (tmp_path / name).write_text(text)

    assert recognised_format(task, [(name, tmp_path / name)]) == format_


def test_a_mention_of_two_clusters_in_gold_keeps_the_first():
    lines = b"#begin document (a);\na 0 0 x (0)|(1)\na 0 1 y (1)\n#end document\n"
    problems = Problems("gold.conll")

    assert read_clusters(lines, problems, "conll", may_repeat=True, is_gold=True).columns["cluster_id"] == ["0", "1"]
    assert [(problem.code, problem.line) for problem in problems.found] == [("W916", 2)]


def test_a_column_of_fractions_is_one_problem():
    problems = Problems("decisions")

    check_columns("trials", {"topic_id": [10.0, 11.0], "story_id": ["a", "b"]}, problems)

    assert [str(problem) for problem in problems.found] == [
        "decisions:1: E306 topic_id is a column of floating-point numbers (2 values), expected text or whole numbers "
        "('10.0'). Convert the column; pandas turns whole numbers with gaps into floating-point numbers."
    ]


def test_columns_of_an_official_table_are_read_as_such():
    problems = Problems("key")
    found = key_of_columns({"filename": ["1", "2"], "cm-label": np.array(["bonafide", "spoof"])}, problems)

    assert (found.columns, problems.found) == ({"trial_id": ["1", "2"], "label": [True, False]}, [])
