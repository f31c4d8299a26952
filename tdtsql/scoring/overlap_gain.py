"""The rows of ``metric.bcubed_overlap_gain__v1`` without forming every pair of stories.

The view is the definition: it joins every unit (stories with the same topics on both
sides) with all that share a topic with it. Here three things are used:

* only units that share topics on both sides add to a gain, so pairs are formed through
  the topics of one side, that with fewer pairs; numbers of shared topics are products of
  0/1 matrices, one for the units of each topic;
* how many stories are near a unit on the other side is the size of a union of sets:
  one bit for each story, its topics' bits or-ed;
* gains depend on two small counts only, so the ratios are formed and added by the
  engine, from how many stories share how many topics.

Nothing is rounded here: every count is an integer. A test compares the rows with those
of the view.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy

from tdtsql.hierarchy.dag import count_bits
from tdtsql.progress import Progress, silent
from tdtsql.scoring.relations import Relations

GAIN, UNIT, WORK = (f"metric.bcubed_overlap_{name}__v1" for name in ("gain", "unit", "work"))
REFERENCE, RESPONSE = 0, 1
_COLUMNS = ("run_no", "profile_no", "is_response", "unit_no", "n_near", "high", "low")
#: rows of the join in the definition, plus more for each topic, above which this kernel is faster
FEW, FEW_PER_TOPIC = 300_000, 1000
#: units whose pairs are formed at once, and cells of their matrix; and with how many others
_UNITS, _CELLS, _NEAR = 1 << 11, 1 << 22, 1 << 7
#: words of 64 stories that are or-ed at once
_WORDS = 1 << 16
#: bits of topics and stories that are set at once
_BITS_AT_ONCE = 1 << 24
#: gains are added as two whole numbers below 2^26, so that sums over 10^8 stories are exact in a double
_LIMB = 1 << 26


def overlap_gain(scope: Relations, _: str) -> str | None:
    """Return a SELECT of the rows of the view, over what was counted here, unless they are few."""
    n_row, n_topic = scope.engine.rows(scope.statement("overlap_work"))[0]
    if n_row <= FEW + n_topic * FEW_PER_TOPIC:
        return None
    made = f"select run_no, profile_no from {scope.names[WORK]} where is_made = 1 order by all"
    parts = [_count(scope, *pair) for pair in scope.engine.rows(made)]
    scope.insert(
        "overlap_gain",
        dict(zip(_COLUMNS, numpy.concatenate([numpy.zeros((len(_COLUMNS), 0), int), *parts], axis=1), strict=True)),
    )
    return scope.statement("overlap_gain")


def _count(scope: Relations, run_no: int, profile_no: int) -> numpy.ndarray:
    """Return (7, U) of int64: the columns of one run under one profile."""
    given = {"run_no": run_no, "profile_no": profile_no}
    columns = scope.engine.query(scope.statement("overlap_unit"), given).fetchnumpy()
    side, unit_no, n, is_asked, place, topic = (numpy.asarray(one, dtype=numpy.int64) for one in columns.values())
    n_unit = int(place.max(initial=-1)) + 1
    units, n_story = numpy.zeros((2, n_unit), dtype=numpy.int64)
    units[place], n_story[place] = unit_no, n
    wanted = numpy.zeros((2, n_unit), dtype=bool)
    wanted[side, place] = is_asked
    parts = (slice(*numpy.searchsorted(side, [one, one + 1])) for one in (REFERENCE, RESPONSE))
    sides = [Side.of(place[part], topic[part], n_unit) for part in parts]
    of_side, unit = numpy.nonzero(wanted)
    counts = _gains(sides, wanted, n_story, scope.progress)[:, of_side, unit]
    return numpy.array(
        [numpy.full(len(unit), run_no), numpy.full(len(unit), profile_no), of_side, units[unit], *counts]
    )


@dataclass(frozen=True, slots=True)
class Side:
    """Who has which topics on one side: M memberships of U units in T topics."""

    of_unit: numpy.ndarray  #: (M,) topics of the first unit, then of the second, ...; 0 to T - 1
    first: numpy.ndarray  #: (U + 1,) where they start there
    of_topic: numpy.ndarray  #: (M,) units of the first topic, then of the second, ...; 0 to U - 1
    start: numpy.ndarray  #: (T + 1,) where they start there

    @classmethod
    def of(cls, unit: numpy.ndarray, topic: numpy.ndarray, n_unit: int) -> "Side":
        """Return a side from memberships in the order of their units."""
        n_member = numpy.bincount(topic)
        small = topic.astype(numpy.uint16) if len(n_member) < 1 << 16 else topic  # sorted by digits
        return cls(
            topic,
            numpy.concatenate([[0], numpy.cumsum(numpy.bincount(unit, minlength=n_unit))]),
            unit[numpy.argsort(small, kind="stable")],
            numpy.concatenate([[0], numpy.cumsum(n_member)]),
        )

    @property
    def n_topic(self) -> int:
        return len(self.start) - 1

    def members(self, topic: int) -> numpy.ndarray:
        return self.of_topic[self.start[topic] : self.start[topic + 1]]

    def n_formed(self, asked: numpy.ndarray) -> int:
        """Return the pairs (requested unit, unit) that share a topic, once per topic; ``asked`` is (U,) of bool."""
        n_asked = numpy.diff(numpy.concatenate([[0], numpy.cumsum(asked[self.of_topic])])[self.start])
        return int(n_asked @ numpy.diff(self.start))

    def topics_of(self, units: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Return (row, topic) of every membership of the units; rows are places in ``units``."""
        count = self.first[units + 1] - self.first[units]
        row = numpy.repeat(numpy.arange(len(units)), count)
        place = numpy.arange(len(row)) - numpy.repeat(numpy.cumsum(count) - count, count)
        return row, self.of_unit[numpy.repeat(self.first[units], count) + place]

    def matrix(self, units: numpy.ndarray, topics: numpy.ndarray) -> numpy.ndarray:
        """Return 0 or 1 for each of the units and each of the topics, which rise."""
        column = numpy.full(self.n_topic, -1)
        column[topics] = numpy.arange(len(topics))
        row, topic = self.topics_of(units)
        cells = numpy.zeros((len(units), len(topics) + 1), dtype=numpy.float64)
        cells[row, column[topic]] = 1  # all other topics in the last column
        return cells[:, :-1]


def _gains(
    sides: Sequence[Side], asked: numpy.ndarray, n_story: numpy.ndarray, progress: Progress = silent
) -> numpy.ndarray:
    """Return (3, 2, U) of int64: how many stories are near each requested unit, and its gain, high * 2^26 + low in
    units of 1e-15, as (near, high, low) by side.

    Args:
        sides: reference and response.
        asked: (2, U) of bool, the units whose ratio is requested.
        n_story: (U,) stories of each unit.
        progress: called with (pairs formed, pairs in all, what).
    """
    found = numpy.zeros((3, *asked.shape), dtype=numpy.int64)
    one = asked[REFERENCE] | asked[RESPONSE]
    n_formed = [side.n_formed(one) for side in sides]
    own, done = int(numpy.argmin(n_formed)), 0
    for n_pair in _form_pairs(sides, own, one, n_story, found):
        done += n_pair
        progress(done, n_formed[own], "B-CUBED of overlapping topics")
    found[0, 1 - own] = union_sizes(sides[1 - own], asked[1 - own], n_story)
    return found


def _form_pairs(
    sides: Sequence[Side], own: int, asked: numpy.ndarray, n_story: numpy.ndarray, found: numpy.ndarray
) -> Iterator[int]:
    """Add the gains of both sides, and who is near on side ``own``; yields how many pairs were formed.

    Pairs are formed through each topic of that side, and count at the first one that they share.
    """
    for topic in range(sides[own].n_topic):
        members = sides[own].members(topic)
        rows = members[asked[members]]
        if not len(rows):
            continue
        (own_row, own_topic), (other_row, other_topic) = (side.topics_of(rows) for side in (sides[own], sides[1 - own]))
        topics = (numpy.flatnonzero(numpy.bincount(own_topic)), numpy.flatnonzero(numpy.bincount(other_topic)))
        base = int(numpy.bincount(other_row, minlength=1).max()) + 1
        # both numbers of shared topics in one integer, n_own * base + n_other; an earlier shared topic makes it exceed
        # all counts
        beyond = (int(numpy.bincount(own_row).max()) + 1) * base
        weight = numpy.concatenate([numpy.where(topics[0] < topic, beyond, base), numpy.ones(len(topics[1]))])
        table = _worth(numpy.arange(beyond + 1), beyond, base) if beyond < _CELLS else None

        def matrix(units: numpy.ndarray, topics: tuple = topics) -> numpy.ndarray:
            return numpy.hstack([sides[own].matrix(units, topics[0]), sides[1 - own].matrix(units, topics[1])])

        for units in _slices(rows, max(1, min(_UNITS, _CELLS // len(weight)))):
            left = matrix(units) * weight
            for near in _slices(members, _NEAR):
                # row by row: a larger product is shared among threads that wait for each other
                code = numpy.minimum((left[:, None] @ matrix(near).T)[:, 0], beyond).astype(numpy.intp)
                columns = [column[code] for column in table] if table else _worth(code, beyond, base)
                sums = [numpy.einsum("ij,j->i", column, n_story[near]) for column in columns]
                found[:, own, units] += numpy.array(sums[:3], dtype=numpy.int64)
                found[1:, 1 - own, units] += numpy.array(sums[3:], dtype=numpy.int64)
                yield len(units) * len(near)


def _slices(units: numpy.ndarray, size: int) -> Iterator[numpy.ndarray]:
    for begin in range(0, len(units), size):
        yield units[begin : begin + size]


def _worth(code: numpy.ndarray, beyond: int, base: int) -> list[numpy.ndarray]:
    """Return the contribution of a story, by code: 1 if it is near; its gain on the own side, high and low; on the
    other side, high and low.
    """
    n_own, n_other = numpy.divmod(code, base)
    columns = [numpy.ones(code.shape)]
    for mine, theirs in ((n_own, n_other), (n_other, n_own)):
        gain = numpy.where(theirs >= mine, 1e15, numpy.floor(theirs / numpy.maximum(mine, 1) * 1e15 + 0.5))
        gain[mine == 0] = 0
        high = numpy.floor(gain / _LIMB)
        columns += [high, gain - high * _LIMB]
    for column in columns:
        column[code == beyond] = 0
    return columns


def union_sizes(side: Side, asked: numpy.ndarray, n_story: numpy.ndarray) -> numpy.ndarray:
    """Return (U,): for each requested unit how many stories have one of its topics on this side; 0 for the others."""
    size = numpy.zeros(len(asked), dtype=numpy.int64)
    n_own = numpy.diff(side.first)
    units = numpy.flatnonzero(asked & (n_own > 0))
    units = units[numpy.argsort(-n_own[units], kind="stable")]  # so that those with an n-th topic come first
    near = numpy.flatnonzero(n_own)
    place_of = numpy.repeat(near, n_story[near])  # one position per story
    width = 64 * max(1, min(_WORDS, _BITS_AT_ONCE // 64 // max(side.n_topic, 1)))
    for begin in range(0, len(place_of), width):
        stories = place_of[begin : begin + width]
        bits = _bits(side, stories)
        step = max(1, _WORDS // bits.shape[1])
        for low in range(0, len(units), step):
            block = units[low : low + step]
            start = side.first[block]
            union = numpy.take(bits, side.of_unit[start], axis=0)
            n_with = len(block) - numpy.cumsum(numpy.bincount(n_own[block]))  # units with more topics than 0, 1, 2, ...
            for place, n_row in enumerate(n_with[1:-1].tolist(), start=1):
                union[:n_row] |= bits[side.of_unit[start[:n_row] + place]]
            size[block] += count_bits(union).sum(axis=1)
    return size


def _bits(side: Side, stories: numpy.ndarray) -> numpy.ndarray:
    """Return (T, words): a bit for each of the stories, which are given by their units."""
    n_word = -(-len(stories) // 64)
    row, topic = side.topics_of(stories)
    has = numpy.zeros((side.n_topic, 64 * n_word), dtype=bool)
    has[topic, row] = True
    return numpy.packbits(has, axis=1).view(numpy.uint64)
