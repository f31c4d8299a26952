"""Rows of views over all decisions of a large run, kept in the user's cache folder: what a changed judgment cannot
change is not counted again.

A judgment decides what the decisions of its own topic count as. And a target's score is a threshold of the run's curve:
where one
comes or goes, the decisions of every topic between its neighbours count at another threshold. All else is as it was. So
what is kept of each block (topic) stands under a hash of its labels, in a file whose name changes with everything
else that the rows are made from: the decisions, the condition, the values of the profile, the definitions. After a
change the
decisions of the other blocks are not read, but for the scores between two neighbouring targets with a new one between
them.

Nothing hangs on it but time: without the folder everything is counted each time, and `ledger verify` always does. A
test holds the
rows equal to the views', whatever was changed.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy

from tdtsql.cache import cache_folder, installed_key, is_own, keep_within, own_folder
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted
from tdtsql.intake.fingerprint import fingerprint
from tdtsql.metric.catalog import catalog, closure, redirect
from tdtsql.metric.ddl import tables
from tdtsql.metric.dialect.duckdb import installed
from tdtsql.scoring.scope import listed, narrowed, profile_columns
from tdtsql.store.contents import LABELLED
from tdtsql.store.ledger import sealed_contents
from tdtsql.task import TASKS
from tdtsql.version import __version__

CELL, YES, MEMBERSHIP = (
    "metric.detection_det_cell__v1",
    "metric.detection_yes_count__v1",
    "metric.bcubed_membership__v1",
)
_DECISION, _LABEL, _CURVE_CELL, _CURVE_BLOCK = (
    "base.scored_decision__v1",
    "base.tracking_label__v1",
    "base.curve_cell__v1",
    "metric.detection_curve_block__v1",
)

#: what is kept of a block: the rows of YES, those of MEMBERSHIP that the system says, and those of the part ``decided``
#: of CELL, one for each side of each threshold
_COLUMNS = {
    YES: ("segment_no", "n_hit", "n_false_alarm"),
    MEMBERSHIP: ("story_no", "is_response"),
    CELL: ("level", "is_above", "low_score", "high_score", "n_target", "n_nontarget"),
}

#: decisions of a run from which on its rows are kept; fewer are counted as fast
MANY = 4_000_000
#: rows of a view that are kept of a run under a profile
MOST_ROWS = 2_000_000
#: bytes of all files
MOST_BYTES = 2**29
#: of the decisions, those between two thresholds with a new one between them, up to which they are sorted
MOST_BETWEEN = 1 / 8
#: of the blocks, those with other labels, up to which only they are read again; and up to which what was kept stays as
#: it is
MOST_CHANGED, FAR = 1 / 2, 1 / 8
#: new thresholds that each decision is compared with; where there are more, the decisions near them are sorted
FEW = 16
_SLICES = 2**16
#: below all scores; see CELL
_LOWEST = -9e99

#: what may change without another file: what blocks are compared by, and what has its values in the name
_COMPARED = {"base.judgment", "registry.condition", "registry.condition_profile", *LABELLED}
#: columns of registry.condition that follow from labels, and its numbers
_OF_LABELS = {"condition_no", "corpus_no", "content_sha256", "is_partition"}


class Found(NamedTuple):
    """Kept rows of a run under a profile."""

    same: str  #: SELECT of the rows of blocks whose labels are those of now
    other: str  #: SELECT of those of the other blocks
    changed: (
        str  #: these blocks, and those of which no rows are kept, as SQL lists them; 0, which is no block, among them
    )
    is_far: bool  #: so many that it pays to keep the rows of now


def kept_rows(engine: Engine, task: str, condition_nos: Sequence[int], run_nos: Sequence[int]) -> "KeptRows | None":
    """Return what is kept of a run, and where more is kept; None where it is too small for that, or its views read more
    than decisions of topics.
    """
    if not TASKS[task].is_by_topic or engine.remote is not None or len(run_nos) != 1:
        return None
    [(n_row, *owners)] = engine.rows(f"""
        select run.n_row, 'corpus:' || corpus.corpus_id, 'condition:' || condition.condition_id,
            'run:' || condition.condition_id || '/' || run.run_id
        from registry.run as run join registry.condition as condition using (condition_no)
            join registry.corpus as corpus using (corpus_no)
        where run.run_no in ({listed(run_nos)})""")
    if n_row < MANY:
        return None
    return KeptRows(
        condition_nos[0],
        run_nos[0],
        {name: held for owner in owners for name, held in (sealed_contents(engine, owner) or {}).items()},
    )


class Change(NamedTuple):
    """What becomes of the thresholds of a curve: target scores, and one below all scores, rising."""

    before: numpy.ndarray
    now: numpy.ndarray

    @property
    def gone(self) -> numpy.ndarray:
        return numpy.setdiff1d(self.before, self.now)

    @property
    def new(self) -> numpy.ndarray:
        return numpy.setdiff1d(self.now, self.before)

    @property
    def parted(self) -> numpy.ndarray:
        """Those of before with a new one between them and the next."""
        return self.before[self._places()]

    def _places(self) -> numpy.ndarray:
        return numpy.unique(numpy.searchsorted(self.before, self.new) - 1)

    def below(self, thresholds: numpy.ndarray) -> numpy.ndarray:
        """Return the next of now below each of these, which are gone."""
        return self.now[numpy.searchsorted(self.now, thresholds) - 1]

    def inside(self) -> str:
        """Return what is true of the scores between one with a new one above it and the next."""
        ends = [(self.before[place], self.before[place + 1 : place + 2]) for place in self._places().tolist()]
        return " or ".join(
            f"score > {_double(low)}" + "".join(f" and score < {_double(high)}" for high in above)
            for low, above in ends
        )

    def near(self) -> str:
        """Return what is true of these scores and of others in the same slices, for less than a comparison with each;
        empty where they cannot be sliced.
        """
        low, high = self.before[:2][-1], self.before[-1]
        if not 0 < high - low < numpy.inf:
            return ""
        # in the order of the scores, whatever the arithmetic rounds
        slice_no = (
            f"cast(floor((least(greatest(score, {_double(low)}), {_double(high)}) - {_double(low)}) / "
            f"{_double(high - low)} * {_SLICES}) as integer)"
        )
        slices = numpy.floor((numpy.clip(self.before, low, high) - low) / (high - low) * _SLICES).astype(int)
        wanted = {
            number
            for place in self._places().tolist()
            for number in range(slices[place], slices[min(place + 1, len(slices) - 1)] + 1)
        }
        return f"{slice_no} in ({listed(sorted(wanted))})"


class KeptRows:
    """The rows that are kept of one run.

    Args:
        contents: table -> what it holds of the run, its condition and its corpus.
    """

    def __init__(self, condition_no: int, run_no: int, contents: Mapping[str, list]):
        self._condition_no, self._run_no, self._contents = condition_no, run_no, contents

    def select(self, engine: Engine, name: str, body: str, names: Mapping[str, str]) -> str:
        """Return a SELECT of the rows of a view: of kept ones and of those that are made here, or ``body``, its own."""
        if name not in _COLUMNS or (
            name == CELL
            and engine.rows(f"select subset_no, all_points from {names['base.curve_request']} as request") != [(0, 0)]
        ):
            return body
        begin, end = _part(body, "decided") if name == CELL else (0, len(body))
        profile_nos = [
            row[0]
            for row in engine.rows(
                f"select profile_no from {names['registry.condition_profile']} as wanted order by profile_no"
            )
        ]
        parts = [self._patched(engine, name, names, profile_no) for profile_no in profile_nos]
        if not all(parts):
            made = engine.make_temporary(f"kept_whole_{name.rpartition('.')[2]}", body[begin:end])
            curve = (
                f"join (select distinct curve_no, profile_no from {names[_CURVE_BLOCK]} as block) as curve using "
                f"(curve_no)"
                if name == CELL
                else ""
            )
            for profile_no in profile_nos:
                self._keep(
                    engine, name, names, profile_no, f"(select * from {made} {curve} where profile_no = {profile_no})"
                )
            parts = [f"select * from {made}"]
        return "".join((body[:begin], "\nunion all\n".join(parts), body[end:]))

    def _patched(self, engine: Engine, name: str, names: Mapping[str, str], profile_no: int) -> str:
        """Return a SELECT of the rows under a profile, those of changed blocks made here; empty where nothing that
        helps is kept.
        """
        found = self._find(engine, name, names, profile_no)
        if found is None:
            return ""
        made = (
            self._cut(engine, found, names, profile_no)
            if name == CELL
            else self._together(engine, name, found, names, profile_no)
        )
        if made and found.is_far:
            self._keep(engine, name, names, profile_no, made)
        if not made or name != CELL:
            return made and f"select * from {made}"
        return f"""
            select curve_no, {", ".join(f"made.{column}" for column in ("block_no", "level", "is_above", "free_score", *_COLUMNS[CELL][2:]))}
            from {made} as made, (select distinct curve_no from {names[_CURVE_BLOCK]} as block
            where profile_no = {profile_no}) as curve"""

    def _together(self, engine: Engine, name: str, found: Found, names: Mapping[str, str], profile_no: int) -> str:
        """Make the table of the rows of a view under a profile: kept ones, and what it says of the decisions of other
        blocks.
        """
        fewer = narrowed(
            name, names, profile_nos=[profile_no], where={"base.decision": f"block_no in ({found.changed})"}
        )
        numbers = {"run_no": self._run_no, "profile_no": profile_no}
        columns = [column.name for column in catalog()[name].header.columns]
        said = ", ".join(
            f"cast({numbers[column]} as integer) as {column}" if column in numbers else column for column in columns
        )
        return engine.make_temporary(
            f"kept_together_{name.rpartition('.')[2]}_{profile_no}",
            f"""
            select {said} from {found.same} as same
            union all
            select {", ".join(columns)} from (
            {redirect(installed()[name], fewer)}
            ) as other""",
        )

    def _cut(self, engine: Engine, found: Found, names: Mapping[str, str], profile_no: int) -> str:
        """Make the table of ``decided`` under a profile: kept rows at the thresholds of now, and decisions that are
        read again; empty where those are too many.
        """
        read = engine.make_temporary(
            f"kept_read_{profile_no}", self._tried(names, profile_no, f"block_no in ({found.changed})")
        )
        if engine.value(f"select min(score) <= {_LOWEST} from {read}"):
            return ""
        change = Change(
            _thresholds(
                engine,
                f"select level from {found.same} as same where n_target > 0 union select level from {found.other} as "
                f"other where n_target > 0",
            ),
            _thresholds(
                engine,
                f"select level from {found.same} as same where n_target > 0 union select score from {read} where "
                f"is_target = 1",
            ),
        )
        level, moved, parted = (
            engine.insert_temporary(f"kept_{name}_{profile_no}", columns)
            for name, columns in {
                "level": {"reached": change.now},
                "moved": {"level": change.gone, "level_now": change.below(change.gone)},
                "parted": {"level": change.parted},
            }.items()
        )
        between = self._between(engine, found, names, profile_no, change, level)
        if between is None:
            return ""
        return engine.make_temporary(
            f"kept_cut_{profile_no}",
            f"""
            with tried as (
                select block_no, is_free, is_target, score, reached as level from {read} as tried asof
                    join {level} as level on score >= reached
                {between and f"union all {between}"}
            ),
            part as (
                select
                    block_no, level, case when score > level then 1 else 0 end as is_above, case
                        when is_free = 1 and score > level then score end as free_score,
                    score as low, score as high, cast(is_target as bigint) as target,
                        cast(1 - is_target as bigint) as nontarget
                from tried
                union all
                select
                    block_no, coalesce(level_now, kept.level), case when level_now is null then is_above else 1
                        end, null,
                    low_score, high_score, n_target, n_nontarget
                from {found.same} as kept left join {moved} as moved using (level)
                where is_above = 0 or kept.level not in (select level from {parted})
            )
            select
                block_no, level, is_above, free_score, min(low) as low_score, max(high) as high_score,
                cast(sum(target) as bigint) as n_target, cast(sum(nontarget) as bigint) as n_nontarget
            from part group by block_no, level, is_above, free_score""",
        )

    def _between(
        self, engine: Engine, found: Found, names: Mapping[str, str], profile_no: int, change: "Change", level: str
    ) -> str | None:
        """Return a SELECT of the decisions of unchanged blocks between two thresholds with a new one between them, and
        the threshold that each reaches.

        Empty where there is no new one; None where they are too many.
        """
        others = f"block_no not in ({found.changed})"
        if not len(change.new):
            return ""
        if len(change.new) <= FEW:  # looked up one after the other, for which nothing need be sorted
            edges = numpy.unique(numpy.concatenate([change.parted, change.new]))[::-1].tolist()
            reached = " ".join(f"when score >= {_double(edge)} then {_double(edge)}" for edge in edges)
            return (
                f"select *, case {reached} end as level from "
                f"({self._tried(names, profile_no, f'{others} and ({change.inside()})')}) as tried"
            )
        parted = _listed_doubles(change.parted)
        [[n_all, n_between]] = engine.rows(f"""
            select sum(n_target + n_nontarget), coalesce(sum(n_nontarget) filter (is_above = 1
                and level in ({parted})), 0) from {found.same} as same""")
        near = change.near()
        if not near or n_between > MOST_BETWEEN * n_all:
            return None
        where = f"{others} and {near}"
        if (
            engine.value(f"select count(*) from {names['base.decision']} as said where {where}")
            > 2 * MOST_BETWEEN * n_all
        ):
            return None
        old = engine.insert_temporary(f"kept_before_{profile_no}", {"old_level": change.before})
        return f"""
            select block_no, is_free, is_target, score, reached as level
            from ({self._tried(names, profile_no, where)}) as tried
            asof join {old} as old on score >= old_level
            asof join {level} as level on score >= reached
            where score > old_level and old_level in ({parted})"""

    def _tried(self, names: Mapping[str, str], profile_no: int, where: str) -> str:
        """Return a SELECT of the decisions of the curve that a condition is true of."""
        fewer = narrowed(CELL, names, profile_nos=[profile_no], where={"base.decision": where})
        return f"""
            select said.block_no, is_free, is_target, score
            from {fewer[_DECISION]} as said
            join {fewer[_CURVE_CELL]} as cell using (profile_no, block_no, segment_no)
            join {fewer[_CURVE_BLOCK]} as block using (run_no, profile_no, subset_no, block_no)"""

    def _find(self, engine: Engine, name: str, names: Mapping[str, str], profile_no: int) -> Found | None:
        """Read what is kept of a view under a profile; None where nothing is, or most blocks have other labels."""
        path = _file(self._key(engine, name, profile_no))
        if path is None:
            return None
        table = f"kept_{name.rpartition('.')[2]}_{profile_no}"
        label = engine.make_temporary(f"{table}_label", self._labels(name, names, profile_no))
        try:
            kept = engine.make_temporary(f"{table}_all", f"select * from read_parquet({quoted(str(path))})")
        except duckdb.Error:
            return None
        rows = engine.rows(f"""
            select block_no, now.label_sha256 from {label} as now full
                join (select distinct block_no, label_sha256 from {kept}) as kept using (block_no)
            where now.label_sha256 is null or now.label_sha256 is distinct from kept.label_sha256 order by block_no""")
        n_block = engine.value(f"select count(*) from {label}")
        if len(rows) > MOST_CHANGED * n_block:
            return None
        changed = listed([0, *(block_no for block_no, _ in rows)])
        # a block without rows has one that says so
        same, other = (
            f"(select * from {kept} where block_no {within} ({changed}) and {_COLUMNS[name][0]} is not null)"
            for within in ("not in", "in")
        )
        return Found(same, other, changed, sum(label_sha256 is not None for _, label_sha256 in rows) > FAR * n_block)

    def _keep(self, engine: Engine, name: str, names: Mapping[str, str], profile_no: int, source: str) -> None:
        """Write the rows of a view under a profile, and one for each block without any; not where they are too many."""
        first, lowest = _COLUMNS[name][0], "min(low_score)" if name == CELL else "null"
        source = (
            f"(select * from {source} as made where is_response = 1)" if name == MEMBERSHIP else source
        )  # what the reference says hangs on labels alone
        if engine.value(f"select count(*) from {source} as made") > MOST_ROWS:
            return
        rows = engine.make_temporary(
            f"kept_written_{name.rpartition('.')[2]}_{profile_no}",
            f"""
            select label.block_no as block_no, label_sha256, {", ".join(f"made.{column}" for column in _COLUMNS[name])}
            from ({self._labels(name, names, profile_no)}) as label left join {source} as made using (block_no)
            where label_sha256 is not null order by {first}, block_no""",
        )
        if engine.value(f"select coalesce({lowest} <= {_LOWEST}, false) from {rows}"):
            return
        key, folder = self._key(engine, name, profile_no), cache_folder() / "rows"
        fresh = folder / f"{key}.{os.getpid()}.new"
        with suppress(OSError, duckdb.Error):
            if own_folder(cache_folder()) and own_folder(folder):
                engine.execute(f"copy {rows} to {quoted(str(fresh))} (format parquet, compression zstd)")
                fresh.chmod(0o600)
                for path in folder.glob(f"{key}.*.parquet"):
                    path.unlink(missing_ok=True)
                os.replace(fresh, folder / f"{key}.{_hash(fresh)}.parquet")
                keep_within(folder, "*", MOST_BYTES)

    def _key(self, engine: Engine, name: str, profile_no: int) -> str:
        """Return what changes with all that the rows of a view are made from, labels apart."""
        read = {table for view in closure(catalog(), [name]) for table in catalog()[view].header.inputs}
        contents = [(table, self._contents[table]) for table in sorted(read - _COMPARED) if table in self._contents]
        columns = profile_columns(name)
        policies = [
            column
            for column in tables()["registry.condition"].columns
            if column not in _OF_LABELS - ({"is_partition"} if name == MEMBERSHIP else set())
        ]
        [values] = engine.rows(f"select {', '.join(columns)} from registry.profile where profile_no = {profile_no}")
        [said] = engine.rows(
            f"select {', '.join(policies)} from registry.condition where condition_no = {self._condition_no}"
        )
        return fingerprint(
            name,
            contents,
            columns,
            values,
            policies,
            said,
            installed_key(),
            hashlib.sha256(Path(__file__).read_bytes()).hexdigest(),
            __version__,
            engine.version,
        )[:40]

    def _labels(self, name: str, names: Mapping[str, str], profile_no: int) -> str:
        """Return a SELECT of what the rows of each block hang on beside that: NULL where they are not kept."""
        label = f"""
            select block_no, string_agg(concat_ws(' ', trial_no, is_target, is_scored), ','
            order by trial_no, is_target, is_scored) as trials
            from {names[_LABEL]} as label where profile_no = {profile_no} and (is_target = 1 or is_scored = 0)
            group by block_no"""
        if name != CELL:
            return f"""
                select block.block_no as block_no, sha256(coalesce(trials, '')) as label_sha256
                from {names["base.block"]} as block left join ({label}) as label using (block_no)"""
        # a block that costs nothing has a row for every score
        return f"""
            select block.block_no as block_no, case
                when is_free = 0 then sha256(concat_ws('|', coalesce(trials, ''), segments)) end as label_sha256
            from {names[_CURVE_BLOCK]} as block left join ({label}) as label using (block_no)
            join (
                select block_no, string_agg(segment_no, ',' order by segment_no) as segments
                from {names[_CURVE_CELL]} as cell where profile_no = {profile_no} group by block_no
            ) as cell using (block_no)
            where profile_no = {profile_no}"""


def _thresholds(engine: Engine, select: str) -> numpy.ndarray:
    """Return the thresholds of a curve, rising: target scores, and what is below all scores."""
    found = engine.query(f"select cast(level as double) as level from ({select})").fetchnumpy()["level"]
    return numpy.unique(numpy.append(numpy.asarray(found, dtype=float), _LOWEST))


def _double(value: float) -> str:
    return f"cast('{float(value)!r}' as double)"


def _listed_doubles(values: numpy.ndarray) -> str:
    """Return doubles as SQL lists them between parentheses."""
    return ", ".join(map(_double, values.tolist()))


def _part(body: str, name: str) -> tuple[int, int]:
    """Return where the SELECT of a part of a view, `name as (...)`, begins and ends."""
    begin = body.index(f"\n{name} as (") + len(f"\n{name} as (")
    depth, end = 1, begin
    while depth:
        depth += {"(": 1, ")": -1}.get(body[end], 0)
        end += 1
    return begin, end - 1


def _file(key: str) -> Path | None:
    """Return the file of a key; None where there is none, it is not whole, or others can write to it."""
    folder = cache_folder() / "rows"
    with suppress(OSError):
        for path in folder.glob(f"{key}.*.parquet"):
            if is_own(path) and is_own(folder) and path.name == f"{key}.{_hash(path)}.parquet":
                os.utime(path)  # the oldest are those that nobody has asked for longest
                return path
    return None


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:40]
