"""Which SELECTs of user-defined metrics are accepted, and which refused: those that are not the same in any order of
rows, at any time and on any machine, and those that reach what is outside the store.
"""

import re

import lanes
import pytest

from tdtsql.store.define import check_own
from places import FIXTURES

HEADER = """/*
title:    T
formula:  f
source:   Our own
tasks:    tracking
inputs:   metric.detection_count__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no      key    run
    profile_no  key    profile
    subset_no   key    subset
    block_no    key    topic
    NAME        number of something  NULL where it is undefined
    n_trial     count  trials
metrics:
    NAME  n=n_trial  best=highest  X
edges:    None.
class:    exact
*/
"""

#: ---- accepted or code, name; K is the grain, C are counts of topics, x is the metric
_TEXT = (FIXTURES / "own_metric" / "selects.sql").read_text(encoding="utf-8")
_CASES = {name: (said, body) for said, name, body in re.findall(r"(?ms)^---- (\w+) (\w+)\n(.*?)(?=^---- |\Z)", _TEXT)}
#: each is bound in a store, which takes long; those that must be refused are all in the default lane
ACCEPTED = lanes.some([name for name, (said, _) in _CASES.items() if said == "accepted"], 6)
#: characters that an editor would not keep
REFUSED = {name: case for name, case in _CASES.items() if case[0] != "accepted"} | {
    "line_comment_cr": ("E984", "select K, cast(n_hit as double) -- \r + random() as x, n_trial\nfrom C"),
    "unicode_fn": ("E981", "select K, cast(\uff52andom() as double) as x, n_trial\nfrom C"),
    "unicode_space": ("E981", "select K, cast(random\xa0() as double) as x, n_trial\nfrom C"),
    "nul": ("E980", "select K, cast(n_hit as double)\x00 as x, n_trial\nfrom C"),
}


def _file(name: str, body: str) -> tuple[str, str, str]:
    grain, counts = "run_no, profile_no, subset_no, block_no", "metric.detection_count__v1"
    text = re.sub(r"\b[KC]\b", lambda found: grain if found[0] == "K" else counts, body)
    text = re.sub(r"(?i)\bas x\b", f"as x_{name}", text)
    return f"{name}.sql", f"m_{name}__v1", HEADER.replace("NAME", f"x_{name}") + text + "\n"


@pytest.fixture(scope="module")
def problems(request):
    """Return name -> its problems, of the selected ones, in one check."""
    names = {
        item.callspec.params["name"]
        for item in request.session.items
        if item.path == request.path and "problems" in item.fixturenames
    }
    bodies = {name: body for name, (_, body) in {**_CASES, **REFUSED}.items() if name in names}
    found = check_own([_file(name, body) for name, body in bodies.items()])[1]
    return {name: [problem for problem in found if problem.path == f"{name}.sql"] for name in bodies}


@pytest.mark.parametrize("name", ACCEPTED)
def test_is_accepted(name, problems):
    assert [str(problem) for problem in problems[name]] == []


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused(name, problems):
    assert REFUSED[name][0] in {problem.code for problem in problems[name]}
    assert all(problem.line and problem.column for problem in problems[name]), [*map(str, problems[name])]


GOOD = HEADER.replace("NAME", "x") + (
    "select run_no, profile_no, subset_no, block_no, ratio(n_hit, n_target) as x, n_trial\n"
    "from metric.detection_count__v1\n"
)


@pytest.mark.parametrize(
    ("old", "new", "name", "said"),
    [
        ("formula:", "title: again\nformula:", "m__v1", "m.sql:3:1: E980 the header has a field twice ('title')"),
        ("    x  n=", "    x  n=n_trial  best=none  Y\n    x  n=", "m__v1", "E986 metrics has a column twice ('x')"),
        ("title:    T", "title:    \x1b[2JT", "m__v1", "m.sql:2:11: E980 the line has a control character"),
        ("ratio(", "EXP(1) * ratio(", "m__v1", "E986 class is exact, and exp differs between machines"),
        ("ratio(", '"exp" (1) * ratio(', "m__v1", "E986 class is exact, and exp differs"),
        ("ratio(", "2e0 ** 3 * ratio(", "m__v1", "E986 class is exact, and ** differs"),
        ("ratio(", "cbrt(3) * ratio(", "m__v1", "E986 class is exact, and cbrt differs"),
        ("T", "T", "m__v01", "m.sql:1:1: E988 the name has no version or is not valid"),
        ("T", "T", "m__v1__v1", "E988"),  # its view without version would be that of a version of m
        (
            "metric.detection_count__v1",
            "own.m__v1",
            "m__v1",
            "E982 views need each other: own.m__v1 -> own.m__v1. Break",
        ),
    ],
)
def test_a_header_or_a_name_is_refused(old, new, name, said):
    text = GOOD.replace(old, new) if old.startswith("metric.") else GOOD.replace(old, new, 1)

    found, problems = check_own([("m.sql", name, text)])

    assert found == [] and said in str(problems[0]), [str(problem) for problem in problems]


def test_the_file_without_these_defects_is_accepted():
    assert check_own([("m.sql", "m__v1", GOOD)])[1] == []
