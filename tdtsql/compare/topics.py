"""Topics of a comparison, and the policies for topics that a run lacks.

A topic that is undefined for every run (no target trial: 0/0) carries no information
about any of them: it is excluded and counted. A topic that only some runs have needs
a policy with a name:

| policy   | a topic that a run lacks                                                   |
|----------|----------------------------------------------------------------------------|
| `error`  | is refused, naming the run and the first topic (the default)               |
| `common` | is left out for all runs: only topics that every run has are compared      |
| `zero`   | counts as 0                                                                |
| `worst`  | counts as the worst value that any compared run has on any topic           |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from tdtsql.errors import InvalidComparison, InvalidSetting, MissingTopics

POLICIES = ("error", "common", "zero", "worst")


@dataclass(frozen=True)
class TopicMatrix:
    """One metric of R runs on T topics."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]  #: sorted by id
    values: ndarray  #: T x R, no NaN
    undefined: tuple[str, ...]  #: topics left out because no run has a number
    n_missing: int  #: (run, topic) numbers that a policy dropped or filled
    policy: str


def align(
    scores: Mapping[str, Mapping[str, float | None]], *, missing: str = "error", best: str = "lowest"
) -> TopicMatrix:
    """Return the runs' numbers as one matrix without holes.

    Args:
        scores: run -> topic -> number; None or NaN is undefined.
        missing: a policy of the table above.
        best: `lowest` or `highest`, which decides what `worst` fills in.

    Raises:
        MissingTopics: the policy is `error` and a run lacks a topic.
        InvalidComparison: unknown policy, or no topic is left.
    """
    runs = tuple(scores)
    names = sorted(set().union(*scores.values()))
    values = np.array([[scores[run].get(topic) for run in runs] for topic in names], dtype=np.float64)
    return without_holes(runs, names, values.reshape(len(names), len(runs)), missing=missing, best=best)


def without_holes(
    runs: tuple[str, ...], names: Sequence[str], values: ndarray, *, missing: str = "error", best: str = "lowest"
) -> TopicMatrix:
    """Return a matrix of topics and runs without holes, as `align`.

    Args:
        names: the topics, sorted.
        values: T x R, NaN where a run has no number.
    """
    if missing not in POLICIES:
        raise InvalidSetting(f"policy {missing!r} for missing topics is unknown. One of: {', '.join(POLICIES)}.")
    hole = np.isnan(values)
    undefined = hole.all(axis=1)
    keep = ~undefined
    n_missing = int(hole[keep].sum())
    if n_missing and missing == "error":
        row, column = (int(index) for index in np.argwhere(hole & keep[:, None])[0])
        raise MissingTopics(
            f"run {runs[column]!r} has no number on topic {names[row]!r}, which other compared runs have "
            f"({n_missing} such gaps). Say what a missing topic means: --missing=common, zero or worst."
        )
    if missing == "common":
        keep &= ~hole.any(axis=1)
    elif n_missing and missing == "zero":
        values = np.where(hole, 0.0, values)
    elif n_missing and missing == "worst":
        if best == "none":
            raise InvalidSetting(
                "the metric has no better end, so no value is the worst. Use --missing=common or zero."
            )
        worst = np.nanmax(values) if best == "lowest" else np.nanmin(values)
        values = np.where(hole, worst, values)
    if not keep.any():
        raise InvalidComparison("the runs have no topic in common with a number. Check that they are of one condition.")
    kept = tuple(name for name, stays in zip(names, keep, strict=True) if stays)
    left_out = tuple(name for name, nobody in zip(names, undefined, strict=True) if nobody)
    return TopicMatrix(runs, kept, values[keep], left_out, n_missing, missing)
