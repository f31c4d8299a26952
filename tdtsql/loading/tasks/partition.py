"""Partitions into the base tables: the gold clusters of a condition, then the clusters of its runs.

Rows stay in the engine from the file to the tables: a clean CSV, TSV or Parquet file is parsed by it, any other one by the
readers, which say what is odd and where. Items, clusters and blocks are numbered by their names, so that the same rows get
the same numbers however they came.

Code   Meaning
E318   gold without a row
W921   the same item in the same cluster twice: counted once
E922   an item in several clusters, where a profile says overlap = error
E923   an item of the gold in no cluster of the run, where a profile says missing_item = error
E924   an item of the run without gold, where a profile says spurious_item = error
E925   a document with other lines than in the gold
W926   a block on one side only
W927   ids that only look equal
W928   a cluster that is called like noise, and no noise_label
E929   blocks on one side only
W930   a run without a cluster
W931   items that are no stories of the corpus
W932   items of source files that the corpus leaves out
W933   stories of so many days that days are no subsets
E934   windows of days that are none: words, or a step longer than a window
E935   windows of days where the rows name blocks
E936   windows of days, and an item of the gold without a day
W937   windows of days, and items of a run in none of them
"""

import gzip
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from itertools import count
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted
from tdtsql.errors import Problems
from tdtsql.intake.frame import Frame
from tdtsql.intake.inputs import Inputs
from tdtsql.intake.tidy_input import parquet_columns
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import STORY_COLUMNS, Corpus
from tdtsql.loading.plan import LoadedRun, Plan, RunFormat, Source, StoredCondition
from tdtsql.loading.story_trials import sets_of_files, store_subsets, write_segments_of_stories
from tdtsql.reader.clusters import JSON_NAMES, Clusters, Names, clusters_of_columns, names_of, read_clusters, read_json_lines
from tdtsql.reader.conll import read_conll
from tdtsql.task import TASKS

TASK = "partition"
#: what the block of a file without blocks is called
ONE_BLOCK = "all"
#: the block of base.subset_cell that is all of them: a story is in a subset wherever it is clustered
ALL_BLOCKS = 0
#: columns of the tables that rows are collected in
_COLUMNS = ("place", "file_no", "line", "run_id", "block_id", "item_id", "cluster_id")
#: words for what belongs to no cluster
_NOISE = ("-1", "noise", "outlier", "outliers")
#: days of stories that become subsets; with more of them windows say more
MOST_DAYS = 366
#: bytes of the first line of a file that are looked at
_HEAD = 1 << 16
_NUMBER = count(1)


@dataclass(slots=True)
class Rows:
    """M memberships of some files in a temporary table of the engine."""

    table: str
    paths: list[str]
    has_blocks: bool = False
    n_line: dict[str, int] | None = None  #: of documents whose items are spans of lines

    def place(self, engine: Engine, where: str) -> tuple[str, int | None]:
        """Return (path, line) of the first row that meets a condition."""
        found = engine.rows(f"select file_no, line from {self.table} where {where} order by place limit 1")
        return (self.paths[found[0][0]], found[0][1]) if found else (self.paths[0] if self.paths else "clusters", None)


def read_rows(engine: Engine, inputs: Inputs, files: Sequence[Source], format_: str, kind: str, options: Mapping[str, str],
              *, may_repeat: bool = False) -> Rows:
    """Return the memberships of files, or of columns, in one format; every problem goes to ``inputs``."""
    rows = Rows(f"partition_row_{next(_NUMBER)}", [given for given, _ in files])
    engine.execute(f"create or replace temp table {rows.table} (place bigint, file_no integer, line bigint, run_id varchar, block_id varchar, "
                   "item_id varchar, cluster_id varchar)")
    seen: dict[bool, str] = {}
    for number, (given, source) in enumerate(files):
        clean = _clean(engine, inputs, given, source, names_of(options), kind) if format_ == "tidy" and isinstance(source, Path) else None
        if clean is not None:
            select, has_blocks = clean
            engine.execute(f"insert into {rows.table} select ({number} << 40) + place, {number}, place + 1, run_id, block_id, item_id, cluster_id from ({select})")
            inputs.note(given, source, kind)
        else:
            found = _read(inputs, given, source, format_, kind, options, may_repeat)
            has_blocks = found.blocks is not None
            _insert(engine, rows.table, number, found)
            if found.n_line is not None:
                rows.n_line = {**(rows.n_line or {}), **found.n_line}
        seen.setdefault(has_blocks, given)
    if len(seen) > 1:
        inputs.add("E929", seen[False], f"the file names no blocks, {seen[True]} does", "Give both a column block_id, or none.")
    rows.has_blocks = True in seen
    return rows


def _insert(engine: Engine, table: str, number: int, found: Clusters) -> None:
    total = len(found.items)
    if not total:
        return
    engine.insert_temporary("partition_part", {
        "place": [(number << 40) + place for place in range(1, total + 1)], "file_no": [number] * total, "line": list(found.lines),
        "run_id": found.runs or [None] * total, "block_id": found.blocks or [None] * total, "item_id": found.items, "cluster_id": found.clusters})
    engine.execute(f"insert into {table} select place, file_no, line, {', '.join(f'cast({name} as varchar)' for name in _COLUMNS[3:])} from partition_part")
    engine.execute("drop table partition_part")


def _read(inputs: Inputs, given: str, source: Path | Frame, format_: str, kind: str, options: Mapping[str, str], may_repeat: bool) -> Clusters:
    if not isinstance(source, Path):
        problems = Problems(given)
        found = clusters_of_columns(source.columns(), problems, names_of(options))
        inputs.problems += problems.found
        return found
    if format_ == "conll":
        return inputs.read(given, source, kind, lambda data, problems: read_conll(data, problems, may_repeat=may_repeat))
    if format_ == "jsonl":
        return inputs.read(given, source, kind, lambda data, problems: read_json_lines(data, problems, names_of(options, JSON_NAMES)))
    names = names_of(options)
    plain = given.removesuffix(".gz")
    if plain.endswith(".parquet"):
        return inputs.read(given, source, kind, lambda data, problems: _parquet(source, problems, names))
    delimiter = "\t" if plain.endswith((".tsv", ".tab")) else ","
    return inputs.read(given, source, kind, lambda data, problems: read_clusters(data, problems, names, delimiter=delimiter))


def _parquet(path: Path, problems: Problems, names: Names) -> Clusters:
    columns = parquet_columns(path, problems)
    return Clusters() if columns is None else clusters_of_columns(columns, problems, names)


def _clean(engine: Engine, inputs: Inputs, given: str, path: Path, names: Names, kind: str) -> tuple[str, bool] | None:
    """Return a query for the rows of a tidy file, and whether it has blocks; None where the reader has to look."""
    plain = given.removesuffix(".gz")
    probe = engine.connection.cursor()  # what fails here leaves the store's transaction alone
    try:
        if plain.endswith(".parquet"):
            source = f"read_parquet({quoted(path)})"
            types = {name: type_ for name, type_, *_ in probe.execute(f"describe select * from {source}").fetchall()}
            n_row = probe.execute(f"select count(*) from {source}").fetchall()[0][0]
        else:
            delimiter = "\t" if plain.endswith((".tsv", ".tab")) else ","
            with (gzip.open if given.endswith(".gz") else open)(path, "rb") as stream:
                header = stream.readline(_HEAD).decode("ascii").rstrip("\r\n").split(delimiter)
            types = dict.fromkeys(header, "VARCHAR")
            if len(types) < len(header):
                return None
            columns = ", ".join(f"{quoted(name)}: 'VARCHAR'" for name in header)
            source = (f"read_csv({quoted(path)}, columns = {{{columns}}}, delim = '{delimiter}', quote = '', escape = '', header = false, skip = 1, "
                      "auto_detect = false, null_padding = false, ignore_errors = true)")
            n_row = inputs.digest(given, path, kind)[1] - 1
        wanted = {"item_id": names.item, "cluster_id": names.cluster, "block_id": names.block, "run_id": names.run}
        if names.item not in types or names.cluster not in types or (not names.is_given and types.keys() - set(wanted.values())):
            return None
        if any(types[name] not in ("VARCHAR", "BIGINT", "INTEGER", "SMALLINT", "UBIGINT", "UINTEGER") for name in wanted.values() if name in types):
            return None
        picked = {key: f'cast(given."{name}" as varchar)' if name in types else "cast(null as varchar)" for key, name in wanted.items()}
        select = f"select row_number() over () as place, {', '.join(f'{value} as {key}' for key, value in picked.items())} from {source} as given"
        needed = [key for key in ("item_id", "block_id", "run_id") if wanted[key] in types]
        is_odd = " or ".join([*(f"{key} is null or trim({key}) = ''" for key in needed), "run_id <> trim(run_id)", "trim(cluster_id) = ''",
                              *(f"contains(concat_ws(',', {', '.join(wanted)}), {letter})" for letter in ("'\"'", "chr(13)", "chr(0)"))])
        [(n_found, n_odd)] = probe.execute(f"select count(*), count(*) filter (where {is_odd}) from ({select})").fetchall()
    except (duckdb.Error, OSError, EOFError, ValueError, zlib.error):
        return None
    finally:
        probe.close()
    return (select, names.block in types) if n_found == n_row > 0 and not n_odd else None


# ---- conditions


@dataclass(slots=True)
class PartitionPlan:
    """The gold of a condition, read and checked, ready to be stored."""

    rows: Rows
    policies: list[str]  #: of its profiles, those that decide which runs are refused
    corpus: Corpus
    has_days: bool  #: the days of its stories are subsets
    windows: list[tuple[str, str, str]]  #: its blocks, where they are windows of days: block, first day, last day
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """How runs are read; that they refer to the gold is in the hash of its file, to the stories in that of the corpus."""
        stories = zip(*_stories_of(self.corpus).values(), strict=True) if self.windows else []
        return [*self.policies, *(f"left out: {name}" for name in sorted(self.corpus.excluded_files)), *map(str, self.windows), *(f"{story} {day}" for story, _, day in stories)]

    def discard(self, engine: Engine) -> None:
        engine.execute(f"drop table if exists {self.rows.table}")

    def write(self, engine: Engine, condition_no: int) -> None:
        """Store blocks, items, gold clusters and subsets."""
        source = f"(select place, coalesce(block_id, '{ONE_BLOCK}') as block_id, item_id, cluster_id from {self.rows.table})"
        engine.execute(f"""
            insert into base.block (condition_no, block_no, block_id, is_scored)
            select {condition_no}, row_number() over (order by block_id), block_id, 1 from (select distinct block_id from {source})""")
        lines = self.rows.n_line or {}
        story_no, stories = _stories(engine, engine.value("select corpus_no from registry.condition where condition_no = ?", [condition_no]))
        engine.insert("base.partition_document", {
            "condition_no": [condition_no] * len(lines), "block_id": list(lines), "n_line": list(lines.values())})
        if self.windows:
            engine.insert("base.partition_window", {"condition_no": [condition_no] * len(self.windows), **dict(zip(
                ("block_id", "first_day", "last_day"), map(list, zip(*self.windows, strict=True)), strict=True))})
        engine.execute(f"""
            create or replace temp table partition_named as
            select place, block_no, item_id, cluster_id
            from {source} join (select block_no, block_id from base.block where condition_no = {condition_no}) using (block_id)""")
        engine.execute(f"""
            insert into base.partition_item
            select {condition_no}, row_number() over (order by block_no, item_id), block_no, item_id, {story_no}
            from (select distinct block_no, item_id from partition_named) {stories}""")
        engine.execute(f"""
            insert into base.partition_gold_cluster
            select {condition_no}, row_number() over (order by block_no, cluster_id), block_no, cluster_id
            from (select distinct block_no, cluster_id from partition_named where cluster_id is not null)""")
        engine.execute(f"""
            create or replace temp table partition_numbered as
            select place, block_no, cluster_id, item_no
            from partition_named join (select item_no, block_no, item_id from base.partition_item where condition_no = {condition_no}) using (block_no, item_id)
            where cluster_id is not null""")
        _store_members(engine, "base.partition_gold", condition_no, f"base.partition_gold_cluster where condition_no = {condition_no}")
        self._write_subsets(engine, condition_no)
        self.discard(engine)

    def _write_subsets(self, engine: Engine, condition_no: int) -> None:
        """Store the subsets that the gold has items of: source files that a set lists, languages, sources, days."""
        corpus, sets_of = self.corpus, sets_of_files(self.corpus)
        segments: dict[tuple, int] = {}
        members = []
        for number, story in enumerate(corpus.stories, start=1):
            _, file_no, source, language, *_ = story
            sets = sets_of.get(corpus.file_names[file_no - 1], frozenset()) if file_no else frozenset()
            members.append((number, segments.setdefault((language, source, _day(story) if self.has_days else "", sets), len(segments) + 1)))
        write_segments_of_stories(engine, condition_no, members)
        gold = {number for [number] in engine.rows("""
            select distinct segment_no from base.partition_item join base.segment_story using (condition_no, story_no) where condition_no = ?""", [condition_no])}
        cells: dict[tuple[str, str], list[tuple[int, int]]] = {("all", "all"): [], **{("set", heading): [] for heading, _ in corpus.sets}}
        for (language, source, day, sets), number in segments.items():
            said = [("language", language), ("source", source), ("day", day)]
            for key in [*((kind, f"{kind}={value}") for kind, value in said if value), *(("set", heading) for heading in sorted(sets))]:
                cells.setdefault(key, []).append((ALL_BLOCKS, number))
        store_subsets(engine, condition_no, {key: rows for key, rows in cells.items() if key[0] in ("all", "set") or any(number in gold for _, number in rows)})


def _stories(engine: Engine, corpus_no: int) -> tuple[str, str]:
    """Return SQL for the number of the story that an item is, and the join that has it."""
    if not engine.value("select count(*) from base.story where corpus_no = ?", [corpus_no]):
        return "0", ""
    return "coalesce(story_no, 0)", f"left join (select story_id as item_id, story_no from base.story where corpus_no = {corpus_no}) using (item_id)"


def _check_stories(engine: Engine, inputs: Inputs, rows: Rows, stories: str, what: str, *, are_stories: bool) -> None:
    """Take out items of source files that the corpus leaves out; say so, and which items are no stories.

    Args:
        stories: a relation of the stories of the corpus with item_id and is_left_out; without a row items are of any kind.
        are_stories: an item that is no story is told; False where items are of another kind, or told as being in no window.
    """
    if not engine.value(f"select count(*) from {stories}"):
        return
    named = f"(select * from {rows.table} left join {stories} using (item_id))"
    for code, wanted, said, advice in (
            ("W931", "is_left_out is null", f"items of the {what} are no stories of the corpus; they count in all, and in no other subset", "Add them to the stories, or correct the ids."),
            ("W932", "is_left_out = 1", f"items of the {what} are in source files that the corpus leaves out; they do not count", "Remove them, or the file from the exclude list.")):
        n_item, n_all = engine.rows(f"select count(distinct item_id) filter (where {wanted}), count(distinct item_id) from {named}")[0]
        if n_item and (are_stories or code != "W931"):
            item, line, file_no = engine.rows(f"select item_id, line, file_no from {named} where {wanted} order by place limit 1")[0]
            inputs.add(code, rows.paths[file_no], f"{n_item} of {n_all} {said}", advice, line=line, value=item)
    engine.execute(f"delete from {rows.table} where item_id in (select item_id from {stories} where is_left_out = 1)")


def _windows_of_days(inputs: Inputs, spec: Mapping[str, object], where: str, days: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return (block, first day, last day) of the windows of a condition, the first from the first of ``days``, the last with the last of them."""
    lengths = []
    for key in ("window", "step"):
        said = spec.get(key, spec.get("window"))
        found = re.fullmatch(r"([1-9][0-9]{0,3}) days?", str(said))
        if found is None:
            inputs.add("E934", where, f"{key} is no number of days", f'Write {key} = "7 days".', value=said)
            return []
        lengths.append(int(found[1]))
    length, step = lengths
    if step > length:
        inputs.add("E934", where, f"a step of {step} days is longer than a window of {length}: items between would be in none", "Make it shorter, or the window longer.", value=spec["step"])
        return []
    windows = []
    begin, end = (date.fromisoformat(day) for day in (days[0], days[-1])) if days else (date.min, date.min)
    while days and (not windows or windows[-1][2] < end.isoformat()):
        last = date.fromordinal(min(begin.toordinal() + length - 1, date.max.toordinal()))
        windows.append((begin.isoformat() if length == 1 else f"{begin}..{last}", begin.isoformat(), last.isoformat()))
        begin += timedelta(days=step)
    return windows


def _into_windows(engine: Engine, rows: Rows, stories: str, windows: Sequence[tuple[str, str, str]]) -> None:
    """Put every row into each window that has the day of its story; a row that is in none goes."""
    days = [(block, (date.fromisoformat(first) + timedelta(days=place)).isoformat()) for block, first, last in windows
            for place in range((date.fromisoformat(last) - date.fromisoformat(first)).days + 1)]
    engine.insert_temporary("partition_window_day", {"window_id": [block for block, _ in days], "day": [day for _, day in days]})
    engine.execute(f"""
        create or replace temp table {rows.table} as
        select place, file_no, line, run_id, window_id as block_id, item_id, cluster_id from {rows.table} join {stories} using (item_id) join partition_window_day using (day)""")
    engine.execute("drop table partition_window_day")
    rows.has_blocks = True


def _refuse_blocks(inputs: Inputs, rows: Rows) -> bool:
    """Return whether rows name blocks, which is a problem where the blocks are windows."""
    if rows.has_blocks:
        inputs.add("E935", rows.paths[0], "the rows name blocks, and the blocks of the condition are windows of days", "Leave out the column of blocks, or window and step.")
    return rows.has_blocks


def _stories_of(corpus: Corpus) -> dict[str, list]:
    """Return the columns of the stories of a corpus that is not stored yet: id, whether it is left out, its day (empty where unknown)."""
    left_out = {number for number, name in enumerate(corpus.file_names, start=1) if name in corpus.excluded_files}
    return {"item_id": [story[0] for story in corpus.stories], "is_left_out": [int(story[1] in left_out) for story in corpus.stories],
            "day": [_day(story) for story in corpus.stories]}


def _day(story: tuple) -> str:
    return (story[STORY_COLUMNS.index("published_at")] or "")[:10]


def _stored_stories(corpus_no: int) -> str:
    """Return the same of a corpus that is stored."""
    return ("(select story_id as item_id, coalesce(is_excluded, 0) as is_left_out, coalesce(substr(published_at, 1, 10), '') as day "
            f"from base.story left join base.source_file using (corpus_no, source_file_no) where corpus_no = {corpus_no})")


def _store_members(engine: Engine, table: str, owner_no: int, clusters: str) -> int:
    """Number the clusters of ``partition_numbered`` and move it to a table, with the place of each cluster among those of its item; returns its rows.

    A step each for items and clusters: in one join an engine may pair all of both, because both have the block.
    """
    engine.execute(f"""
        create or replace temp table partition_member as
        select item_no, cluster_no, min(place) as first_place
        from partition_numbered join (select cluster_no, block_no, cluster_id from {clusters}) using (block_no, cluster_id) group by item_no, cluster_no""")
    n_member, n_item = engine.rows("select count(*), count(distinct item_no) from partition_member")[0]
    place = "1" if n_member == n_item else "row_number() over (partition by item_no order by first_place)"
    engine.execute(f"insert into {table} select {owner_no}, item_no, cluster_no, {place} from partition_member order by item_no, {place if place != '1' else 'cluster_no'}")
    for made in ("partition_member", "partition_numbered", "partition_named"):
        engine.execute(f"drop table {made}")
    return n_member


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> Plan:
    """Read the gold of a condition. E720: it names none."""
    spec, inputs = condition.spec, condition.inputs
    where = f"condition '{spec['id']}'"
    profiles = spec.get("profile") or [TASKS[TASK].default_profile]
    policies = _policies(engine, profiles)
    files = inputs.resolve(spec["gold"], "gold") if "gold" in spec else []
    if "gold" not in spec:
        inputs.add("E720", where, "a partition condition needs gold", 'Add gold = "...".')
    format_ = spec.get("gold_format") or recognised(files)
    rows = read_rows(engine, inputs, files, format_, "partition gold", {name: spec[name] for name in ("item", "cluster", "block") if name in spec})
    if files and not inputs.has_errors and not engine.value(f"select count(*) from {rows.table}"):
        inputs.add("E318", files[0][0], "no row below the header, expected at least one item in a cluster", "Complete the table.")
    _check_repeats(engine, inputs, rows, "", any("overlap=error" in policy for policy in policies))
    # types named: a corpus without stories has none to tell them by
    engine.execute("create or replace temp table partition_story (item_id varchar, is_left_out integer, day varchar)")
    engine.insert("partition_story", _stories_of(corpus))
    are_stories = bool(engine.value(f"select count(*) from {rows.table} semi join partition_story using (item_id)"))
    notes = [f"{where}: no item of the gold is a story of the corpus, so there are no subsets"] if corpus.stories and not are_stories else []
    _check_stories(engine, inputs, rows, "partition_story", "gold", are_stories=are_stories and "window" not in spec)
    days = [day for [day] in engine.rows(f"select distinct day from partition_story semi join {rows.table} using (item_id) where day <> '' order by day")]
    windows = []
    if "window" in spec or "step" in spec:
        windows = _windows_of_days(inputs, spec, where, days)
        named = _refuse_blocks(inputs, rows)
        timeless = engine.rows(f"select item_id, line, file_no from {rows.table} left join partition_story using (item_id) where coalesce(day, '') = '' order by place limit 1")
        if timeless:
            inputs.add("E936", rows.paths[timeless[0][2]], "the item is no story of which the day is known, so it is in no window", "Give stories a published_at, or leave out window and step.",
                       line=timeless[0][1], value=timeless[0][0])
        if windows and not named:
            _into_windows(engine, rows, "partition_story", windows)
    elif len(days) > MOST_DAYS:
        inputs.add("W933", files[0][0], f"the stories of the gold are of {len(days)} days, and more than {MOST_DAYS} are no subsets", 'For numbers over time say window = "7 days".')
    engine.execute("drop table partition_story")
    return PartitionPlan(rows, policies, corpus, has_days=not windows and len(days) <= MOST_DAYS, windows=windows, notes=notes)


def recognised(files: Sequence[tuple[str, Path]]) -> str:
    """Return the format of gold by the names of its files: never by their content."""
    ending = files[0][0].removesuffix(".gz").rpartition(".")[2] if files else ""
    return ending if ending in TASKS[TASK].formats else TASKS[TASK].official_format


def _policies(engine: Engine, profiles: Sequence[str]) -> list[str]:
    """Return which of the profiles refuse what, each as one text."""
    found = []
    for name in profiles:
        for row in engine.rows("select profile_id, missing_item, spurious_item, overlap, repeated_item from registry.profile where profile_id = ?", [name]):
            said = zip(("missing_item", "spurious_item", "overlap", "repeated_item"), row[1:], strict=True)
            words = [f"{key}={value}" for key, value in said if value == "error" or (key == "repeated_item" and value == "first")]
            found.append(" ".join([row[0], *words]))
    return found


def _check_repeats(engine: Engine, inputs: Inputs, rows: Rows, only: str, refuses_overlap: bool) -> None:
    """Report repeated rows, and items in several clusters where these are refused."""
    keys = "run_id, block_id, item_id"
    n_row, n_pair, n_item = engine.rows(f"""
        select coalesce(sum(n), 0), count(*), count(distinct (run_id, block_id, item_id)) from (
            select {keys}, cluster_id, count(*) as n from {rows.table} where cluster_id is not null {only} group by all)""")[0] \
        if engine.value(f"select count(*) = count(distinct (run_id, block_id, item_id)) from {rows.table} where cluster_id is not null {only}") is False \
        else (0, 0, 0)
    if n_row > n_pair:
        item, line, file_no = engine.rows(f"""
            select item_id, line, file_no from (
                select *, row_number() over (partition by {keys}, cluster_id order by place) as nth from {rows.table} where cluster_id is not null {only})
            where nth > 1 order by place limit 1""")[0]
        inputs.add("W921", rows.paths[file_no], f"the item is already in this cluster ({n_row - n_pair} such rows); it counts once", "Remove the row.", line=line, value=item)
    if refuses_overlap and n_pair > n_item:
        item, line, file_no = engine.rows(f"""
            select item_id, line, file_no from (
                select *, dense_rank() over (partition by {keys} order by cluster_id) as nth from {rows.table} where cluster_id is not null {only})
            where nth > 1 order by place limit 1""")[0]
        inputs.add("E922", rows.paths[file_no], f"an item is in several clusters ({n_pair - n_item} more than items), which a profile refuses (overlap = error)",
                   "Keep one cluster an item, or choose a profile with overlap = \"membership\".", line=line, value=item)


# ---- runs


@dataclass(slots=True)
class Answer:
    """A run that was read."""

    rows: Rows
    chosen: str  #: SQL: its rows among those of the files

    def write(self, target: StoredCondition, inputs: Inputs, policies: Sequence[str], run_no: int) -> int:
        """Store the clusters of the run, and say what does not fit the gold; returns how many memberships were read."""
        engine, condition = target.engine, target.condition_no
        _check_repeats(engine, inputs, self.rows, f"and {self.chosen}", any("overlap=error" in policy for policy in policies))
        source = f"(select place, file_no, line, coalesce(block_id, '{ONE_BLOCK}') as block_id, item_id, cluster_id from {self.rows.table} where {self.chosen})"
        n_block = engine.value(f"select coalesce(max(block_no), 0) from base.block where condition_no = {condition}")
        engine.execute(f"""
            insert into base.partition_extra_block
            select {run_no}, {n_block} + row_number() over (order by block_id), block_id from (select distinct block_id from {source})
            anti join (select block_id from base.block where condition_no = {condition}) using (block_id)""")
        engine.execute(f"""
            create or replace temp table partition_place as
            select block_no, block_id from base.block where condition_no = {condition}
            union all select block_no, block_id from base.partition_extra_block where run_no = {run_no}""")
        engine.execute(f"create or replace temp table partition_known as select item_no, block_no, item_id from base.partition_item where condition_no = {condition}")
        n_item = engine.value("select count(*) from partition_known")
        story_no, stories = _stories(engine, target.corpus_no)
        engine.execute(f"""
            create or replace temp table partition_named as
            select place, file_no, line, block_no, item_id, cluster_id, item_no from {source}
            join partition_place using (block_id) left join partition_known using (block_no, item_id)""")
        engine.execute(f"""
            insert into base.partition_extra_item
            select {run_no}, {n_item} + row_number() over (order by block_no, item_id), block_no, item_id, {story_no}
            from (select distinct block_no, item_id from partition_named where item_no is null) {stories}""")
        engine.execute(f"""
            insert into base.partition_cluster
            select {run_no}, row_number() over (order by block_no, cluster_id), block_no, cluster_id, case when cluster_id = ? then 1 else 0 end
            from (select distinct block_no, cluster_id from partition_named where cluster_id is not null)""", [target.policies.get("noise_label") or None])
        engine.execute(f"""
            create or replace temp table partition_numbered as
            select place, block_no, cluster_id, coalesce(named.item_no, extra.item_no) as item_no
            from partition_named as named
            left join (select item_no, block_no, item_id from base.partition_extra_item where run_no = {run_no}) as extra using (block_no, item_id)
            where cluster_id is not null""")
        self._check(target, inputs, run_no, policies)
        n_row = _store_members(engine, "base.partition_answer", run_no, f"base.partition_cluster where run_no = {run_no}")
        for table in ("partition_place", "partition_known"):
            engine.execute(f"drop table {table}")
        return n_row

    def _check(self, target: StoredCondition, inputs: Inputs, run_no: int, policies: Sequence[str]) -> None:
        """Report what does not fit the gold."""
        engine, condition = target.engine, target.condition_no
        path = self.rows.paths[0] if self.rows.paths else "clusters"
        if not engine.value("select count(*) from partition_numbered"):
            inputs.add("W930", path, "the run puts no item in a cluster", "Every item of the gold is missing.", line=1)
        golds = f"(select item_no from base.partition_gold where condition_no = {condition})"
        n_missing, missing = engine.rows(
            f"select count(*), min(item_id) from partition_known semi join {golds} using (item_no) anti join partition_numbered using (item_no)")[0]
        n_spurious = engine.value(f"select count(distinct item_no) from partition_numbered anti join {golds} using (item_no)")
        if n_missing and any("missing_item=error" in policy for policy in policies):
            inputs.add("E923", path, f"{n_missing} items of the gold are in no cluster of the run, which a profile refuses (missing_item = error)",
                       "Add them, or choose a profile that says how they count.", value=missing)
        if n_spurious and any("spurious_item=error" in policy for policy in policies):
            item, line, file_no = engine.rows(f"""
                select item_id, line, file_no from partition_named where cluster_id is not null
                and coalesce(item_no, 0) not in {golds} order by place limit 1""")[0]
            inputs.add("E924", self.rows.paths[file_no], f"{n_spurious} items of the run have no gold cluster, which a profile refuses (spurious_item = error)",
                       "Remove them, or choose a profile that says how they count.", line=line, value=item)
        lonely = engine.rows("select block_id from partition_place where block_no not in (select block_no from partition_named) order by block_no")
        extra = engine.rows(f"select block_id from base.partition_extra_block where run_no = {run_no} order by block_no")
        n_gold_block = engine.value(f"select count(*) from base.block where condition_no = {condition}")
        if extra and len(lonely) == n_gold_block and (not self.rows.has_blocks or lonely == [(ONE_BLOCK,)]):
            inputs.add("E929", path, "the run names blocks and the gold does not" if self.rows.has_blocks else "the gold names blocks and the run does not",
                       "Give both a column block_id, or none.", value=extra[0][0] if self.rows.has_blocks else lonely[0][0])
        elif lonely or extra:
            said = [f"{len(found)} {'block' if len(found) == 1 else 'blocks'} of {side} not in {other}, first {found[0][0]}" for found, side, other in
                    ((lonely, "the gold", "the run"), (extra, "the run", "the gold")) if found]
            inputs.add("W926", path, "; ".join(said), "Items of a block without an answer are missing, those of a block without gold are spurious.")
        if n_missing and n_spurious:
            look = "lower(nfc_normalize(trim(item_id)))"
            twin = engine.rows(f"""
                select extra.item_id, known.item_id, file_no, line
                from (select block_no, item_id, {look} as seen, file_no, line, place from partition_named where item_no is null) as extra
                join (select block_no, item_id, {look} as seen from partition_known anti join partition_numbered using (item_no)) as known using (block_no, seen)
                order by place limit 1""")
            if twin:
                inputs.add("W927", self.rows.paths[twin[0][2]], f"the id only looks like {twin[0][1]!r} of the gold, in capitals, blanks or composed letters",
                           "Ids are compared as they are written.", line=twin[0][3], value=twin[0][0])
        if not target.policies.get("noise_label"):
            noise = engine.rows(f"select cluster_id from base.partition_cluster where run_no = {run_no} and lower(cluster_id) in {_NOISE!r} order by cluster_no limit 1")
            if noise:
                inputs.add("W928", path, "a cluster is called like noise, and counts as one cluster", f'If it is, say noise_label = "{noise[0][0]}" in the condition.', value=noise[0][0])
        if self.rows.n_line is not None:
            documents = dict(engine.rows(f"select block_id, n_line from base.partition_document where condition_no = {condition}"))
            for name, n_line in self.rows.n_line.items():
                if documents.get(name, n_line) != n_line:
                    inputs.add("E925", path, f"document {name} has {n_line} lines, and {documents[name]} in the gold: mentions would shift", "Give both the same lines.", value=name)


@dataclass(frozen=True, slots=True)
class ClusterRuns:
    """The runs of one format: tidy, conll or jsonl."""

    format: str
    named_by: str = "run_id or id"

    def read(self, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None) -> Iterator[LoadedRun]:
        engine = target.engine
        policies = stored_policies(engine, target.condition_no)
        may_repeat = bool(policies) and all("repeated_item=first" in policy for policy in policies)
        rows = read_rows(engine, inputs, files, self.format, TASK, inputs.options, may_repeat=may_repeat)
        names = [name for [name] in engine.rows(f"select distinct run_id from {rows.table} order by run_id")] or [None]
        windows = engine.rows("select block_id, first_day, last_day from base.partition_window where condition_no = ? order by block_id", [target.condition_no])
        are_stories = not windows and bool(engine.value("select count(*) from base.partition_item where condition_no = ? and story_no > 0", [target.condition_no]))
        _check_stories(engine, inputs, rows, _stored_stories(target.corpus_no), "run", are_stories=are_stories)
        if windows:
            _place_in_windows(target, inputs, rows, windows)
        for name in names:
            called = run_id if name is None or (run_id is not None and len(names) == 1) else name
            answer = Answer(rows, "run_id is null" if name is None else f"run_id = {quoted(name)}")
            yield LoadedRun(called, partial(answer.write, target, inputs, policies))
        engine.execute(f"drop table if exists {rows.table}")


def _place_in_windows(target: StoredCondition, inputs: Inputs, rows: Rows, windows: Sequence[tuple[str, str, str]]) -> None:
    """Put the rows of runs into the windows of their condition; say which items are in none."""
    engine, stories = target.engine, _stored_stories(target.corpus_no)
    if _refuse_blocks(inputs, rows):
        return
    lost = f"from {rows.table} left join {stories} using (item_id) where coalesce(day, '') not between '{windows[0][1]}' and '{windows[-1][2]}'"
    n_item = engine.value(f"select count(distinct item_id) {lost}")
    if n_item:
        item, line, file_no = engine.rows(f"select item_id, line, file_no {lost} order by place limit 1")[0]
        inputs.add("W937", rows.paths[file_no], f"{n_item} items of the run are in no window: no stories, of no known day, or before or after all windows; they do not count",
                   "Give stories a published_at, or remove the rows.", line=line, value=item)
    _into_windows(engine, rows, stories, windows)


def stored_policies(engine: Engine, condition_no: int) -> list[str]:
    """Return which profiles of a stored condition refuse what."""
    names = [name for [name] in engine.rows("select profile_id from registry.condition_profile join registry.profile using (profile_no) "
                                            "where condition_no = ? order by profile_no", [condition_no])]
    return _policies(engine, names)


FORMATS: dict[str, RunFormat] = {name: ClusterRuns(name) for name in TASKS[TASK].formats}
FORMATS["frame"] = FORMATS["tidy"]
