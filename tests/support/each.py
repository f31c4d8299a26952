"""Rules that hold for each of many objects: one test for a rule, which reports every object that breaks it.

Reporting a case of pytest takes longer than most of these rules: 4,000 cases took 12 processor seconds.
"""

import inspect
from collections.abc import Callable, Iterable

import pytest


def of_each(objects: Iterable) -> Callable[[Callable], Callable]:
    """Return a decorator: the test runs with each of ``objects`` as its first argument and fails with all messages."""
    cases = list(objects)
    assert cases, "a rule for no object tests nothing"

    def decorate(test: Callable) -> Callable:
        def run(**fixtures):
            broken = []
            for case in cases:
                try:
                    test(case, **fixtures)
                except (Exception, pytest.skip.Exception) as error:  # a case left out would leave out the rest
                    broken.append(f"{str(case)[:100]}: {type(error).__name__}: {error}")
            assert not broken, f"{len(broken)} of {len(cases)}:\n" + "\n".join(broken)

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        run.__signature__ = inspect.Signature(list(inspect.signature(test).parameters.values())[1:])
        return run

    return decorate
