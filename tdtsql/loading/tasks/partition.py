"""Partitions into the base tables: the gold clusters of a condition, then the clusters of its runs.

Rows stay in the engine from the file to the tables: it parses a well-formed CSV, TSV or Parquet file; the readers
parse any other one, and report malformed values and their lines. Items, clusters and blocks are numbered by their
names, so that the same rows get the same numbers in any order and format.

Code   Meaning
E318   a table without rows that needs some
E870   no id of a run, or of another input, occurs in its reference
W870   no item of the run occurs in the gold, and all profiles of the condition are defined in the bundle
W921   a duplicate item in a cluster: counted once
E922   an item in several clusters, under overlap = error of a profile
W922   items in several clusters under another policy
E923   a gold item without a cluster of the run, under missing_item = error of a profile
W923   gold items without a cluster of the run, under another policy
E924   an item of the run without gold, under spurious_item = error of a profile
W924   items of the run without gold, under another policy
E925   a document whose lines differ from the gold
W926   a block on one side only
W927   ids that differ only in spelling
W928   a cluster with a typical name of noise, and no noise_label
E929   blocks on one side only
W930   a run without a cluster
W931   items that are not stories of the corpus
W932   items of excluded source files of the corpus
W933   stories of too many days for subsets by day
E934   windows of days that are not valid: words, or a step longer than a window
E935   windows of days, although the rows have blocks
E936   windows of days, and an item of the gold without a day
W937   windows of days, and items of a run outside all windows
E938   languages of a condition: its gold determines what is scored
"""

import re
from tdtsql.errors import counted, not_none, verb
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.intake.cluster_rows import Rows, read_rows
from tdtsql.files.find import Inputs
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.load.plan import (
    PendingRun,
    ConditionSpec,
    Source,
    StoredCondition,
    by_column,
    drop_tables,
    has_columns,
    make_table,
    runs_of_rows,
)
from tdtsql.loading.tasks import recognised_format
from tdtsql.loading.story_trials import SETS, store_subsets, stories_of, write_segments
from tdtsql.store.profiles import shipped_profiles
from tdtsql.tasks.declaration import RunFormat

TASK = "partition"
#: name of the block of a file without blocks
ONE_BLOCK = "all"
#: the block of base.subset_cell that is all of them: a story is in a subset wherever it is clustered
ALL_BLOCKS = 0
#: words for what belongs to no cluster
_NOISE = ("-1", "noise", "outlier", "outliers")
#: maximum days of stories that become subsets; for more of them use windows
MOST_DAYS = 366


# ---- conditions


@dataclass(slots=True)
class PartitionPlan:
    """The gold of a condition, read and checked, ready to be stored."""

    rows: Rows
    policies: list[str]  #: of its profiles, those that decide which runs are refused
    corpus: Corpus
    has_days: bool  #: the days of its stories are subsets
    has_repeats: bool  #: an item has several rows
    windows: list[tuple[str, str, str]]  #: its blocks, where they are windows of days: block, first day, last day
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """How runs are read; that they refer to the gold is in the hash of its file, to the stories in that of the
        corpus.
        """
        engine, stories = self.corpus.engine, _stories_of(self.corpus.corpus_no)
        left_out = (
            "select source_file from base.source_file where corpus_no = ? and is_excluded = 1 order by source_file"
        )
        days = f"select item_id || ' ' || day from {stories} order by item_id"
        return [
            *self.policies,
            *(f"left out: {name}" for name in engine.column(left_out, [self.corpus.corpus_no])),
            *map(str, self.windows),
            *(engine.column(days) if self.windows else ()),
        ]

    def discard(self, engine: Engine) -> None:
        engine.execute(f"drop table if exists {self.rows.table}")

    def write(self, engine: Engine, condition_no: int) -> None:
        """Store blocks, items, gold clusters and subsets."""
        lines = self.rows.n_line or {}
        story_no, stories = _stories(
            engine, engine.value("select corpus_no from registry.condition where condition_no = ?", [condition_no])
        )
        engine.insert(
            "base.partition_document",
            {"condition_no": condition_no, "block_id": list(lines), "n_line": list(lines.values())},
        )
        windows = by_column(self.windows, "block_id", "first_day", "last_day")
        engine.insert("base.partition_window", {"condition_no": condition_no, **windows})
        blocks = (
            f"select distinct block_id from {self.rows.sql}"
            if self.rows.has_blocks
            else f"select '{ONE_BLOCK}' as block_id from (from {self.rows.table} limit 1)"
        )
        engine.execute(f"""
            insert into base.block (condition_no, block_no, block_id, is_scored)
            select {condition_no}, row_number() over (order by block_id), block_id, 1 from ({blocks})""")
        numbered = self._numbered(engine, condition_no)
        engine.execute(f"""
            insert into base.partition_item
            select {condition_no}, item_no, block_no, item_id, {story_no}
            from (select * from {numbered} where is_item = 1) {stories} order by item_no""")
        engine.execute(f"""
            insert into base.partition_gold_cluster
            select {condition_no}, row_number() over (order by block_no, cluster_id), block_no, cluster_id
            from (select distinct block_no, cluster_id from {numbered} where cluster_id is not null)""")
        _store_members(
            engine,
            "base.partition_gold",
            condition_no,
            f"""
            (select place, item_no, cluster_no from {numbered}
            join (select cluster_no, block_no, cluster_id from base.partition_gold_cluster
            where condition_no = {condition_no}) using (block_no, cluster_id))""",
            has_repeats=self.has_repeats,
        )
        self._write_subsets(engine, condition_no)
        self.discard(engine)

    def _numbered(self, engine: Engine, condition_no: int) -> str:
        """Return a relation of the rows with numbers of item and block; is_item is 1 in the first row of an item.

        The rows are sorted by block and item (`_sort`), so that an item with one row has the number of the row.
        """
        if self.has_repeats:
            return f"""(
                select place, block_no, item_id, cluster_id, is_item,
                    cast(sum(is_item) over (rows unbounded preceding) as integer) as item_no
                from (select *, cast(sum(is_block) over (rows unbounded preceding) as integer) as block_no
                from {_begun(self.rows)}))"""
        first = engine.value(f"select coalesce(min(rowid), 0) from {self.rows.table}")
        number = f"cast(rowid - {first} + 1 as integer) as item_no"
        if self.rows.has_blocks:
            return f"""(
                select place, block_no, item_id, cluster_id, 1 as is_item, item_no
                from (select *, {number} from {self.rows.table})
                    join (select block_no, block_id from base.block
                where condition_no = {condition_no}) using (block_id))"""
        return f"(select place, 1 as block_no, item_id, cluster_id, 1 as is_item, {number} from {self.rows.table})"

    def _write_subsets(self, engine: Engine, condition_no: int) -> None:
        """Store the subsets that the gold has items of: source files that a set lists, languages, sources, days."""
        stories = stories_of(engine, condition_no, self.corpus)
        days = "" if self.has_days else " replace ('' as day)"
        write_segments(engine, condition_no, f"(select *{days} from {stories})", "language, source, day, sets")
        named = " union all ".join(
            f"select '{kind}' as kind, '{kind}=' || {kind} as subset, segment_no from tested_story where {kind} <> ''"
            for kind in ("language", "source", "day")
        )
        store_subsets(
            engine,
            condition_no,
            f"""
            {SETS} union all select distinct 'set', unnest(sets), {ALL_BLOCKS}, segment_no from tested_story
            union all select kind, subset, {ALL_BLOCKS}, segment_no from (select distinct * from ({named}))
            qualify bool_or(segment_no in (
                select segment_no from base.partition_item join base.segment_story using (condition_no, story_no)
                where condition_no = {condition_no})) over (partition by kind, subset)""",
        )
        drop_tables(engine, "tested_story", "story_period", "set_file")


def _stories(engine: Engine, corpus_no: int) -> tuple[str, str]:
    """Return SQL for the number of the story that an item is, and the join that has it."""
    if not engine.value("select count(*) from base.story where corpus_no = ?", [corpus_no]):
        return "0", ""
    return (
        "coalesce(story_no, 0)",
        f"left join (select story_id as item_id, story_no from base.story where corpus_no = {corpus_no}) using "
        f"(item_id)",
    )


def _check_stories(engine: Engine, inputs: Inputs, rows: Rows, stories: str, what: str, *, are_stories: bool) -> None:
    """Remove items of excluded source files; report them, and the items that are not stories.

    Args:
        stories: a relation of the stories of the corpus with item_id and is_left_out; without a row items are of any
            kind.
        are_stories: report an item that is not a story; False where items are of another kind, or in no
            window.
    """
    if not engine.value(f"select count(*) from {stories}"):
        return
    named = f"(select * from {rows.sql} left join {stories} using (item_id))"
    for code, wanted, said, advice in (
        (
            "W931",
            "is_left_out is null",
            f"items of the {what} are no stories of the corpus; they count in all, and in no other subset",
            "Add them to the stories, or correct the ids.",
        ),
        (
            "W932",
            "is_left_out = 1",
            f"items of the {what} are in source files that the corpus leaves out; they do not count",
            "Remove them, or the file from the exclude list.",
        ),
    ):
        n_item, n_all = engine.rows(
            f"select count(distinct item_id) filter (where {wanted}), count(distinct item_id) from {named}"
        )[0]
        if n_item and (are_stories or code != "W931"):
            item, place = engine.rows(f"select item_id, place from {named} where {wanted} order by place limit 1")[0]
            path, line = rows.at(place)
            inputs.add(code, path, f"{n_item} of {n_all} {said}", advice, line, item)
        if n_item and code == "W932":
            rows.replace(
                engine, f"select place, {rows.columns} from {named} where coalesce(is_left_out, 0) = 0 order by place"
            )


def _windows_of_days(
    inputs: Inputs, spec: Mapping[str, object], where: str, days: Sequence[str]
) -> list[tuple[str, str, str]]:
    """Return (block, first day, last day) of the windows of a condition, the first from the first of ``days``, the last
    with the last of them.
    """
    lengths = []
    for key in ("window", "step"):
        said = spec.get(key, spec.get("window"))
        found = re.fullmatch(r"([1-9][0-9]{0,3}) days?", str(said))
        if found is None:
            inputs.add("E934", where, f"{key} is not a number of days", f'Write {key} = "7 days".', value=said)
            return []
        lengths.append(int(found[1]))
    length, step = lengths
    if step > length:
        inputs.add(
            "E934",
            where,
            f"a step of {step} days is longer than a window of {length}: items between would be in none",
            "Make it shorter, or the window longer.",
            value=spec["step"],
        )
        return []
    windows: list[tuple[str, str, str]] = []
    begin, end = (date.fromisoformat(day) for day in (days[0], days[-1])) if days else (date.min, date.min)
    while days and (not windows or windows[-1][2] < end.isoformat()):
        last = date.fromordinal(min(begin.toordinal() + length - 1, date.max.toordinal()))
        windows.append((begin.isoformat() if length == 1 else f"{begin}..{last}", begin.isoformat(), last.isoformat()))
        begin += timedelta(days=step)
    return windows


def _into_windows(engine: Engine, rows: Rows, stories: str, windows: Sequence[tuple[str, str, str]]) -> None:
    """Put every row into each window that contains the day of its story; rows outside all windows are removed."""
    make_table(engine, "partition_span", ("window_id varchar", "first_day varchar", "last_day varchar"), windows)
    columns = ", ".join(("run_id",) * rows.has_runs + ("window_id as block_id", "item_id", "cluster_id"))
    rows.replace(
        engine,
        f"select place, {columns} from {rows.sql} join {stories} using (item_id) "
        "join partition_span on day between first_day and last_day order by place, window_id",
    )
    drop_tables(engine, "partition_span")
    rows.has_blocks = True


def _refuse_blocks(inputs: Inputs, rows: Rows) -> bool:
    """Return whether rows name blocks, which is a problem where the blocks are windows."""
    if rows.has_blocks:
        inputs.add(
            "E935",
            rows.paths[0],
            "the rows name blocks, and the blocks of the condition are windows of days",
            "Leave out the column of blocks, or window and step.",
        )
    return rows.has_blocks


def _stories_of(corpus_no: int) -> str:
    """Return a relation of the stories of a corpus: item_id, is_left_out and day (empty where unknown)."""
    return (
        "(select story_id as item_id, coalesce(is_excluded, 0) as is_left_out, coalesce(substr(cast(published_at as "
        "varchar), 1, 10), '') as day "
        f"from base.story left join base.source_file using (corpus_no, source_file_no) where corpus_no = {corpus_no})"
    )


def _sort(engine: Engine, rows: Rows) -> None:
    """Sort rows by block, item and row number: numbers are assigned in this order, so that the same rows get the same
    numbers in any order and format.
    """
    rows.replace(
        engine,
        f"select place, {rows.columns} from {rows.sql} order by {'block_id, ' if rows.has_blocks else ''}item_id, "
        "place",
    )


def _begun(rows: Rows) -> str:
    """Return a relation of sorted rows with flags for the first row of a block and of an item; the single block of a
    file without blocks has a name.
    """
    block = "block_id" if rows.has_blocks else f"'{ONE_BLOCK}'"
    is_same_block = "block_id = lag(block_id) over ()" if rows.has_blocks else "lag(place) over () is not null"
    return f"""(
        select place, {block} as block_id, item_id, cluster_id, case when {is_same_block} then 0 else 1 end as is_block,
            case when {is_same_block} and item_id = lag(item_id) over () then 0 else 1 end as is_item
        from {rows.sql})"""


def _counted(engine: Engine, relation: str, most: int) -> tuple[int, int]:
    """Return how many rows with an item number a relation has, and how many items; numbers are from 1 to ``most``."""
    if not most:
        return 0, 0
    return engine.rows(
        f"select count(item_no), coalesce(bit_count(bitstring_agg(item_no, 1, {most})), 0) from {relation}"
    )[0]


def _overlap(engine: Engine, golds: str, said: str, most: int) -> tuple[int, int, int]:
    """Return how many items are in the first relation, in the second, and in both."""
    if not most:
        return 0, 0, 0
    n_gold, n_said, n_both = engine.rows(f"""
        select coalesce(bit_count(gold_bits), 0), coalesce(bit_count(said_bits), 0),
            coalesce(bit_count(gold_bits & said_bits), 0)
        from (select bitstring_agg(item_no, 1, {most}) as gold_bits
        from {golds}), (select bitstring_agg(item_no, 1, {most}) as said_bits from {said})""")[0]
    return n_gold, n_said, n_both


def _store_members(engine: Engine, table: str, owner_no: int, members: str, *, has_repeats: bool) -> None:
    """Put memberships (place, item_no, cluster_no) into a table, each cluster of an item with its rank among them, in
    the order of the files.
    """
    if not has_repeats:
        engine.execute(f"insert into {table} select {owner_no}, item_no, cluster_no, 1 from {members} order by item_no")
        return
    engine.execute(f"""
        insert into {table} select {owner_no}, item_no, cluster_no, row_number() over (partition by item_no
        order by first_place, cluster_no) as nth
        from (select item_no, cluster_no, min(place) as first_place from {members} group by item_no, cluster_no)
        order by item_no, nth""")


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the gold of a condition. E720: it names none."""
    spec, inputs = condition.spec, condition.inputs
    where = f"condition '{spec['id']}'"
    policies = _policies(engine, condition.profiles)
    files = inputs.resolve(spec["gold"], "gold") if "gold" in spec else []
    if "gold" not in spec:
        inputs.add("E720", where, "a partition condition needs gold", 'Add gold = "...".')
    if "languages" in spec:
        inputs.add(
            "E938",
            where,
            "languages does nothing here: the gold says which items count",
            'Remove it; a language is a subset (score --subset "language=ENGLISH").',
            value=", ".join(spec["languages"]),
        )
    format_ = spec.get("gold_format") or recognised_format(condition.task, files)
    rows = read_rows(
        engine,
        inputs,
        files,
        format_,
        "partition gold",
        {name: spec[name] for name in ("item", "cluster", "block") if name in spec},
        may_repeat=_keeps_first(policies),
        is_gold=True,
    )
    if files and not inputs.has_errors and not engine.value(f"select count(*) from {rows.table}"):
        inputs.add(
            "E318",
            files[0][0],
            "no row below the header, expected at least one item in a cluster",
            "Complete the table.",
        )
    _sort(engine, rows)
    has_repeats = bool(engine.value(f"select count(*) from {_begun(rows)} where is_item = 0"))
    if has_repeats:
        _tell_repeats(engine, inputs, rows, "true", policies)
    stories = _stories_of(corpus.corpus_no)
    are_stories = bool(engine.value(f"select count(*) from {rows.table} semi join {stories} using (item_id)"))
    notes = (
        [f"{where}: no item of the gold is a story of the corpus, so there are no subsets"]
        if corpus.story_no and not are_stories
        else []
    )
    _check_stories(engine, inputs, rows, stories, "gold", are_stories=are_stories and "window" not in spec)
    days = engine.column(
        f"select distinct day from {stories} semi join {rows.table} using (item_id) where day <> '' order by day"
    )
    windows = []
    if "window" in spec or "step" in spec:
        windows = _windows_of_days(inputs, spec, where, days)
        named = _refuse_blocks(inputs, rows)
        timeless = engine.rows(
            f"select item_id, place from {rows.sql} left join {stories} using (item_id) where coalesce(day, '') "
            f"= '' order by place limit 1"
        )
        if timeless:
            path, line = rows.at(timeless[0][1])
            inputs.add(
                "E936",
                path,
                "the item is not a story with a known day, so it is in no window",
                "Give stories a published_at, or leave out window and step.",
                line,
                timeless[0][0],
            )
        if windows and not named:
            _into_windows(engine, rows, stories, windows)
            _sort(engine, rows)
    elif len(days) > MOST_DAYS:
        inputs.add(
            "W933",
            files[0][0],
            f"the stories of the gold are of {len(days)} days, and more than {MOST_DAYS} are no subsets",
            'For numbers over time say window = "7 days".',
        )
    return PartitionPlan(
        rows,
        policies,
        corpus,
        has_days=not windows and len(days) <= MOST_DAYS,
        has_repeats=has_repeats,
        windows=windows,
        notes=notes,
    )


def _keeps_first(policies: Sequence[str]) -> bool:
    """Return whether every profile assigns a repeated item to its first cluster."""
    return bool(policies) and all("repeated_item=first" in policy for policy in policies)


def _policies(engine: Engine, profiles: Sequence[str]) -> list[str]:
    """Return which of the profiles refuse what, each as one text."""
    found = []
    for name in profiles:
        for row in engine.rows(
            "select profile_id, missing_item, spurious_item, overlap, repeated_item from registry.profile where "
            "profile_id = ?",
            [name],
        ):
            said = zip(("missing_item", "spurious_item", "overlap", "repeated_item"), row[1:], strict=True)
            words = [
                f"{key}={value}"
                for key, value in said
                if value == "error" or (key == "repeated_item" and value == "first")
            ]
            found.append(" ".join([row[0], *words]))
    return found


def _tell_repeats(engine: Engine, inputs: Inputs, rows: Rows, chosen: str, policies: Sequence[str]) -> None:
    """Report repeated rows, and items in several clusters; a row that is in several windows is one row."""
    members = f"(select * from {rows.sql} where cluster_id is not null and {chosen})"
    n_again, place = engine.rows(f"""
        select count(distinct place), min(place) from (
            select place, row_number() over (partition by run_id, block_id, item_id, cluster_id order by place) as nth
            from {members})
        where nth > 1""")[0]
    if n_again:
        (path, line), [item] = (
            rows.at(place),
            engine.rows(f"select item_id from {members} where place = {place} limit 1")[0],
        )
        inputs.add(
            "W921",
            path,
            f"the item is already in this cluster ({n_again} such rows); it counts once",
            "Remove the row.",
            line,
            item,
        )
    n_further, place = engine.rows(f"""
        select count(distinct item_id), min(place) from (
            select item_id, place, row_number() over (partition by run_id, block_id, item_id order by place) as nth
            from (select run_id, block_id, item_id, cluster_id, min(place) as place from {members} group by all))
        where nth > 1""")[0]
    if n_further:
        (path, line), [item] = (
            rows.at(place),
            engine.rows(f"select item_id from {members} where place = {place} limit 1")[0],
        )
        refused = _refusal(policies, "overlap")
        inputs.add(
            "E922" if refused else "W922",
            path,
            f"{n_further:,} {'item is' if n_further == 1 else 'items are'} in several clusters{refused}",
            'Keep one cluster an item, or choose a profile with overlap = "membership".'
            if refused
            else "Metrics of partitions are NULL then, unless a policy of the profile leaves one cluster an item.",
            line,
            item,
        )


def _refusal(policies: Sequence[str], name: str) -> str:
    """Return the end of a message if a profile refuses what it reports; otherwise an empty text."""
    return f", which a profile refuses ({name} = error)" if any(f"{name}=error" in one for one in policies) else ""


def _disjoint_code(engine: Engine, condition_no: int) -> str:
    """Return the code for a run without any gold item: an error, unless each profile of the condition is defined in the
    bundle and sets policies for such items: coreference scorers print 0 then.
    """
    chosen = engine.rows(
        "select profile_id from registry.condition_profile join registry.profile using (profile_no) "
        "where condition_no = ?",
        [condition_no],
    )
    return "E870" if {name for [name] in chosen} & shipped_profiles().keys() else "W870"


# ---- runs


@dataclass(slots=True)
class Answer:
    """A run that was read."""

    rows: Rows
    chosen: str  #: SQL: its rows among those of the files

    def write(self, target: StoredCondition, inputs: Inputs, policies: Sequence[str], run_no: int) -> int:
        """Store the clusters of the run, and report differences from the gold; return the number of memberships."""
        engine, condition = target.engine, target.condition_no
        known_blocks = f"select block_no, block_id from base.block where condition_no = {condition}"
        n_block = engine.value(f"select coalesce(max(block_no), 0) from ({known_blocks})")
        chosen = (
            f"(select place, coalesce(block_id, '{ONE_BLOCK}') as block_id, item_id, cluster_id from {self.rows.sql} "
            f"where {self.chosen})"
        )
        engine.execute(f"""
            insert into base.partition_extra_block
            select {run_no}, {n_block} + row_number() over (order by block_id), block_id
            from (select distinct block_id from {chosen}) anti
                join ({known_blocks}) using (block_id)""")
        engine.execute(f"""
            create or replace temp table partition_place as
            {known_blocks} union all select block_no, block_id from base.partition_extra_block
            where run_no = {run_no}""")
        named = f"(select place, block_no, item_id, cluster_id from {chosen} join partition_place using (block_id))"
        items = f"(select item_no, block_no, item_id from base.partition_item where condition_no = {condition})"
        engine.execute(
            f"""
            insert into base.partition_cluster
            select {run_no}, row_number() over (order by block_no, cluster_id), block_no, cluster_id, case
                when cluster_id = ? then 1 else 0 end
            from (select distinct block_no, cluster_id from {named} where cluster_id is not null)""",
            [target.policies.get("noise_label") or None],
        )
        clusters = f"(select cluster_no, block_no, cluster_id from base.partition_cluster where run_no = {run_no})"
        numbered = f"""
            create or replace temp table partition_numbered as
            select place, named.block_no, cast(item.item_no as integer) as item_no, cluster_no
            from {named} as named left join {{items}} as item using (block_no, item_id)
            left join {clusters} as own using (block_no, cluster_id)"""
        engine.execute(numbered.format(items=items))
        n_item = engine.value(f"select count(*) from base.partition_item where condition_no = {condition}")
        n_extra = 0
        if engine.value("select count(*) > count(item_no) from partition_numbered"):
            story_no, stories = _stories(engine, target.corpus_no)
            n_extra = engine.value(f"""
                insert into base.partition_extra_item
                select {run_no}, {n_item} + row_number() over (order by block_no, item_id), block_no, item_id,
                    {story_no}
                from (select distinct block_no, item_id from {named} join partition_numbered using (place, block_no)
                where item_no is null) {stories}""")
            extra = f"(select item_no, block_no, item_id from base.partition_extra_item where run_no = {run_no})"
            engine.execute(numbered.format(items=f"(select * from {items} union all by name select * from {extra})"))
        n_row, n_there = _counted(engine, "partition_numbered where cluster_no is not null", n_item + n_extra)
        if n_row > n_there:
            _tell_repeats(engine, inputs, self.rows, self.chosen, policies)
        self._check(target, inputs, run_no, policies, n_item, n_extra)
        _store_members(
            engine,
            "base.partition_answer",
            run_no,
            "(select place, item_no, cluster_no from partition_numbered where cluster_no is not null)",
            has_repeats=n_row > n_there,
        )
        for table in ("partition_place", "partition_numbered"):
            engine.execute(f"drop table {table}")
        return engine.value("select count(*) from base.partition_answer where run_no = ?", [run_no])

    def _check(
        self, target: StoredCondition, inputs: Inputs, run_no: int, policies: Sequence[str], n_item: int, n_extra: int
    ) -> None:
        """Report what does not fit the gold, which names ``n_item`` items; the run names ``n_extra`` others."""
        engine, condition = target.engine, target.condition_no
        path = self.rows.paths[0] if self.rows.paths else "clusters"
        if not engine.value("select count(*) from partition_numbered where cluster_no is not null"):
            inputs.add("W930", path, "the run puts no item in a cluster", "Every item of the gold is missing.", 1)
        golds = f"(select item_no from base.partition_gold where condition_no = {condition})"
        said = "(select item_no, place from partition_numbered where cluster_no is not null)"
        n_gold, n_said, n_both = _overlap(engine, golds, said, n_item + n_extra)
        is_disjoint = bool(n_gold and n_said and not n_both)
        n_missing, n_spurious = n_gold - n_both, n_said - n_both
        missing = spurious = place = None
        if n_missing:
            missing = engine.value(
                f"select min(item_id) from base.partition_item semi join {golds} using (item_no) anti join {said} "
                f"using (item_no) where condition_no = {condition}"
            )
        if n_spurious:
            place = engine.value(f"select min(place) from {said} anti join {golds} using (item_no)")
            spurious = engine.value(f"select item_id from {self.rows.sql} where place = {place} limit 1")
        twin = []
        if n_missing and n_spurious:
            look = r"lower(nfc_normalize(regexp_replace(trim(item_id), '\.0+$', '')))"
            twin = engine.rows(f"""
                with extra as (select block_no, item_no, item_id, {look} as seen from base.partition_extra_item
                where run_no = {run_no}),
                known as (select block_no, item_id, {look} as seen from base.partition_item anti
                    join partition_numbered using (item_no) where condition_no = {condition})
                select extra.item_id, known.item_id, place
                from extra join known using (block_no, seen) join partition_numbered using (item_no)
                order by place, known.item_id limit 1""")
        refused = _refusal(policies, "missing_item")
        if n_missing and not is_disjoint and (n_said or refused):  # otherwise W930
            inputs.add(
                "E923" if refused else "W923",
                path,
                f"{n_missing:,} of {counted(n_gold, 'item')} of the gold {verb(n_missing, 'are')} in no cluster of "
                f"the run{refused}",
                "Add them, or choose a profile that says how they count."
                if refused
                else "The profile says how they count (missing_item).",
                value=missing,
            )
        if n_spurious and not is_disjoint:
            refused = _refusal(policies, "spurious_item")
            where, line = self.rows.at(not_none(place))
            inputs.add(
                "E924" if refused else "W924",
                where,
                f"{n_spurious:,} of {counted(n_said, 'item')} of the run {verb(n_spurious, 'have')} no gold "
                f"cluster{refused}",
                "Remove them, or choose a profile that says how they count."
                if refused
                else "The profile says how they count (spurious_item).",
                line,
                spurious,
            )
        lonely = engine.rows(
            "select block_id from partition_place anti join partition_numbered using (block_no) order by block_no"
        )
        extra = engine.rows(
            f"select block_id from base.partition_extra_block where run_no = {run_no} order by block_no"
        )
        n_gold_block = engine.value(f"select count(*) from base.block where condition_no = {condition}")
        if extra and len(lonely) == n_gold_block and (not self.rows.has_blocks or lonely == [(ONE_BLOCK,)]):
            inputs.add(
                "E929",
                path,
                "the run names blocks and the gold does not"
                if self.rows.has_blocks
                else "the gold names blocks and the run does not",
                "Give both a column block_id, or none.",
                value=extra[0][0] if self.rows.has_blocks else lonely[0][0],
            )
        elif is_disjoint:
            where, line = self.rows.at(not_none(place))
            if twin:
                [(spurious, missing, place)] = twin
                where, line = self.rows.at(not_none(place))
            code = "E870" if twin else _disjoint_code(engine, condition)
            inputs.say_disjoint(where, n_said, "items of the run", "those of the gold", spurious, missing, line, code)
        elif lonely or extra:
            differing = [
                f"{len(found)} {'block' if len(found) == 1 else 'blocks'} of {side} not in {other}, first {found[0][0]}"
                for found, side, other in ((lonely, "the gold", "the run"), (extra, "the run", "the gold"))
                if found
            ]
            inputs.add(
                "W926",
                path,
                "; ".join(differing),
                "Items of a block without an answer are missing, those of a block without gold are spurious.",
            )
        if twin and not is_disjoint:
            where, line = self.rows.at(twin[0][2])
            inputs.add(
                "W927",
                where,
                f"the id only looks like {twin[0][1]!r} of the gold, in capitals, blanks, composed letters or an "
                f"ending .0",
                "Ids are compared as they are written.",
                line,
                twin[0][0],
            )
        if not target.policies.get("noise_label"):
            noise = engine.rows(
                f"select cluster_id from base.partition_cluster where run_no = {run_no} and lower(cluster_id) in "
                f"{_NOISE!r} order by cluster_no limit 1"
            )
            if noise:
                inputs.add(
                    "W928",
                    path,
                    "a cluster is called like noise, and counts as one cluster",
                    f'If it is, say noise_label = "{noise[0][0]}" in the condition.',
                    value=noise[0][0],
                )
        if self.rows.n_line is not None:
            documents = dict(
                engine.rows(f"select block_id, n_line from base.partition_document where condition_no = {condition}")
            )
            for name, n_line in self.rows.n_line.items():
                if documents.get(name, n_line) != n_line:
                    inputs.add(
                        "E925",
                        path,
                        f"document {name} has {counted(n_line, 'line')}, and {documents[name]} in the gold: "
                        "mentions would shift",
                        "Give both the same lines.",
                        value=name,
                    )


def _read_runs(
    format_: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the runs of files in one format: tidy, conll or jsonl."""
    engine = target.engine
    policies = stored_policies(engine, target.condition_no)
    may_repeat = _keeps_first(policies)
    rows = read_rows(engine, inputs, files, format_, TASK, inputs.options, may_repeat=may_repeat)
    names = engine.column(f"select distinct run_id from {rows.sql} order by run_id") if rows.has_runs else []
    windows = engine.rows(
        "select block_id, first_day, last_day from base.partition_window where condition_no = ? order by block_id",
        [target.condition_no],
    )
    are_stories = not windows and bool(
        engine.value(
            "select count(*) from base.partition_item where condition_no = ? and story_no > 0",
            [target.condition_no],
        )
    )
    _check_stories(engine, inputs, rows, _stories_of(target.corpus_no), "run", are_stories=are_stories)
    if windows:
        _place_in_windows(target, inputs, rows, windows)
    pending = runs_of_rows(engine, rows.sql, rows)
    for name in names or [None]:
        answer = Answer(rows, "run_id is null" if name is None else f"run_id = {sql_literal(name)}")
        yield pending(name, partial(answer.write, target, inputs, policies))
    engine.execute(f"drop table if exists {rows.table}")


def _place_in_windows(
    target: StoredCondition, inputs: Inputs, rows: Rows, windows: Sequence[tuple[str, str, str]]
) -> None:
    """Put the rows of runs into the windows of their condition; report items outside all windows."""
    engine, stories = target.engine, _stories_of(target.corpus_no)
    if _refuse_blocks(inputs, rows):
        return
    lost = (
        f"from {rows.sql} left join {stories} using (item_id) where coalesce(day, '') not between '{windows[0][1]}' "
        f"and '{windows[-1][2]}'"
    )
    n_item = engine.value(f"select count(distinct item_id) {lost}")
    if n_item:
        item, place = engine.rows(f"select item_id, place {lost} order by place limit 1")[0]
        path, line = rows.at(place)
        if n_item == engine.value(f"select count(distinct item_id) from {rows.sql}"):
            example = engine.value(
                "select min(item_id) from base.partition_item where condition_no = ?", [target.condition_no]
            )
            code = _disjoint_code(engine, target.condition_no)
            inputs.say_disjoint(
                path, n_item, "items of the run", "those of the gold's windows", item, example, line, code
            )
        inputs.add(
            "W937",
            path,
            f"{counted(n_item, 'item')} of the run {verb(n_item, 'are')} in no window: no "
            f"{'story' if n_item == 1 else 'stories'}, "
            f"of no known day, or before or after all windows; {'it does' if n_item == 1 else 'they do'} not count",
            "Give stories a published_at, or remove the rows.",
            line,
            item,
        )
    _into_windows(engine, rows, stories, windows)


def stored_policies(engine: Engine, condition_no: int) -> list[str]:
    """Return which profiles of a stored condition refuse what."""
    names = engine.column(
        "select profile_id from registry.condition_profile join registry.profile using (profile_no) "
        "where condition_no = ? order by profile_no",
        [condition_no],
    )
    return _policies(engine, names)


#: format -> whether a first line is of it
_RECOGNISED: dict[str, Callable[[str], bool]] = {
    "tidy": has_columns("item_id", "cluster_id"),
    "conll": lambda first: first.startswith("#"),
    "jsonl": lambda first: re.match(r"\s*[{\[]\s*([\"{\[]|$)", first) is not None,
}

FORMATS = {name: RunFormat(partial(_read_runs, name), "run_id", recognises) for name, recognises in _RECOGNISED.items()}
