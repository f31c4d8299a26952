"""Which tests are run on each save (-m 'not slow'): under a minute, and something of everything."""

from pathlib import Path

#: tests that are slow, each with the seconds of the processor that it takes; `python -m pytest --costs tests/slow.txt`
#: writes the file
LIST = Path(__file__).resolve().parents[1] / "slow.txt"
SLOW = {line.split()[1] for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}

#: of the golden cases one of each task is in the fast lane; all others are slow, whichever test of their file loads
#: them first
GOLDEN = {
    "tracking": "tests/golden/test_tdt3eval_tracking.py::test_global_numbers[trk15_single_topic_story_weighted_only]",
    "new_event": "tests/golden/test_tdt3eval_new_event_link.py::test_global_numbers[fsd01_basic]",
    "link": "tests/golden/test_tdt3eval_new_event_link.py::test_global_numbers[lnk01_basic]",
    "hierarchy": "tests/metric/hierarchy/test_cost.py::test_figure_a1",
    "filtering": "tests/golden/test_filtering.py::test_macro_means",
    "summarization": "tests/golden/test_summarization.py::test_time_sensitive_numbers[2013]",
    "partition": "tests/metric/partition/test_worked_examples.py::test_luo_two_gold_clusters_glued",
    "verification": "tests/golden/test_verification_curves.py::test_case[eer_all_differ]",
    "value_tracking": "tests/golden/test_summarization.py::test_value_tracking",
}
#: what else a contributor runs on each save: kind of thing -> a test of it
KINDS = {
    "a reader and spoilt files": "tests/fuzz/test_readers.py::test_a_spoilt_file_never_raises",
    "what a reader says": "tests/reader/test_malformed.py::test_every_defect_is_reported_with_its_place",
    "headers of the SQL": "tests/contract/test_sql_headers.py::test_inputs_are_the_tables_that_the_select_reads",
    "style of the SQL": "tests/contract/test_sql_style.py::test_a_file_is_set_like_the_others",
    "layers of Python": "tests/contract/test_imports.py::test_imports_point_down",
    "the lock": "tests/contract/test_lock.py::test_every_definition_is_what_the_lock_says",
    "the command line": "tests/cli/test_commands.py::test_json_is_one_array_of_objects_with_17_digits",
}


def is_slow(test: str) -> bool:
    """Return whether a test (by its node id) is out of the fast lane."""
    function = test.split("[", maxsplit=1)[0]
    if test in GOLDEN.values() or function in KINDS.values():
        return False
    return test.startswith("tests/golden/") or function in SLOW
