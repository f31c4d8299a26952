"""The two lanes of the suite. `python -m pytest` runs the default lane, `python -m pytest -m full` what it leaves out.

How a test gets into the full lane:

    @pytest.mark.full             slow, and what it protects is broken by a release or a rare change only
    @pytest.mark.sample(8)        of its cases 8, spread evenly, are in the default lane and all others in the full one
    parametrize("case", some(CASES, 5)) the same for tests that share a store for each case
    @examples(default=5, full=60) a property: in both lanes, with more examples in the full one (`both` and `number`
                                  do the same for tests without Hypothesis)

Tests of other engines (`engine`) and of browsers (`browser`) belong to the full lane without being marked.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Sequence

import pytest
from hypothesis import settings

_FULL = "TDTSQL_TESTS_FULL"  #: set while the full lane is selected


def select(marker_expression: str) -> None:
    """Remember which lane a marker expression (-m) selects, before test files are imported."""
    words = marker_expression.replace("(", " ").replace(")", " ").split()
    is_full = any(word == "full" and (not place or words[place - 1] != "not") for place, word in enumerate(words))
    os.environ[_FULL] = "1" if is_full else ""


def is_full() -> bool:
    """Return whether the full lane is selected."""
    return bool(os.environ.get(_FULL))


def number(*, default: int, full: int) -> int:
    """Return how many cases a test has in the selected lane."""
    return full if is_full() else default


def some(cases: Sequence, kept: int) -> list:
    """Return the cases of tests that share a store for each case: ``kept`` of them, spread evenly, are in the default
    lane, the same ones for every test.
    """
    places = {place * len(cases) // kept for place in range(kept)}
    return [pytest.param(case, marks=[] if place in places else pytest.mark.full) for place, case in enumerate(cases)]


def both(test: Callable) -> Callable:
    """Decorate a test that is in both lanes, with more cases in the full one."""
    return pytest.mark.full(test) if is_full() else test


def examples(*, default: int, full: int, **kind) -> Callable[[Callable], Callable]:
    """Return a decorator: a Hypothesis test in both lanes, with so many examples; ``kind`` are further settings.

    The first example is the simplest one of the strategy (empty, zero, all alike): where ``default`` is 1, filter it
    out.
    """
    chosen = settings(max_examples=number(default=default, full=full), **kind)
    return lambda test: both(chosen(test))


def mark(items: Sequence[pytest.Item]) -> None:
    """Mark as ``full`` what is in the full lane for another reason than its own mark."""
    sampled = defaultdict(list)
    for item in items:
        if (
            item.get_closest_marker("engine")
            or item.get_closest_marker("browser")
            or is_full()
            and getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        ):
            item.add_marker("full")
        elif sample := item.get_closest_marker("sample"):
            sampled[item.nodeid.split("[")[0], sample.args[0]].append(item)
    for (_, kept_number), cases in sampled.items():
        n_kept = min(kept_number, len(cases))
        kept = {place * len(cases) // n_kept for place in range(n_kept)}
        for place, item in enumerate(cases):
            if place not in kept:
                item.add_marker("full")
