"""Link detection: the pairs of stories to decide on, the key, and the decisions of systems.

A pair has one decision; it may count in several blocks, so decisions are stored
under block 0 and the number of the pair. Ids match as written, or else by the
docno after the colon (indexes write FILE:DOCNO, systems may write DOCNO).

Code   Meaning
E850   the key has no label for a pair of the index
E851   the key has a pair that no index has
E852   a pair of a story that the corpus does not have
W852   a docno with the name of another source file
E853   neither index, nor key, nor trials
W854   pairs out of the plan's order
E855   a decision on a pair that is not a trial
E856   a pair without a decision
W857   output in an order other than the index
E858   a pair with two decisions
E859   the deferral period is not the condition's
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import none_of
from tdtsql.files.find import Inputs
from tdtsql.intake.file_rows import FileRows
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.load.decision_files import tidy_format
from tdtsql.load.decisions import Decisions, Unknown, decided_runs
from tdtsql.load.outputs import FINITE_SCORE, check_deferral, read_link_keys, read_outputs
from tdtsql.files.lines import path_of
from tdtsql.files.rows import Rows
from tdtsql.load.plan import (
    ConditionSpec,
    Source,
    Staged,
    StoredCondition,
    WrittenSpec,
    drop_tables,
    make_table,
)
from tdtsql.loading.story_trials import Block, store_subsets, topic_blocks, write_blocks
from tdtsql.reader.field import source_name, split_story_id
from tdtsql.tasks.declaration import RunFormat

#: the docno of an id in SQL
DOCNO = "regexp_extract({}, '[^:]*$')"
#: the source file of an id in SQL, as `source_name` has it; empty without one
_SOURCE = r"regexp_replace(regexp_extract({}, '^(?:.*/)?([^/]*):[^:]*$', 1), '\.(?:mt)?(?:tkn|as.)$', '')"
#: a pair in messages
_BOTH = "id_1 || ' ' || id_2"
_PAIR = ("place bigint", "id_1 varchar", "id_2 varchar")


@dataclass(slots=True)
class LinkTrials:
    """The pairs of a condition, and their labels in its key: rows of files in temporary tables."""

    rows: FileRows  #: of the index, with numbers, or else of the key
    key: FileRows | None  #: the rows of the key, with numbers
    answers: str = ""  #: a relation of the rows of the key with the numbers of their pairs, trial_no

    @property
    def pairs(self) -> str:
        """A relation of the pairs, each once, numbered in the order of the rows: trial_no, place, id_1, id_2."""
        if len(self.rows.paths) == 1:  # its reader reported repeated pairs
            return f"(select place + 1 as trial_no, place, id_1, id_2 from {self.rows.table})"
        return f"""(
            select row_number() over (order by place) as trial_no, *
            from (select min(place) as place, id_1, id_2 from {self.rows.table} group by id_1, id_2))"""

    def discard(self, engine: Engine) -> None:
        drop_tables(engine, *{rows.table for rows in (self.rows, self.key) if rows is not None})


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Return the pairs of a condition and their labels in the key."""
    trials = read_link_trials(engine, condition, corpus)
    return WrittenSpec(
        [],  # the hashes of the files say what runs refer to
        lambda engine, condition_no: _write_condition(engine, condition_no, condition, corpus, trials),
        trials.discard,
    )


def read_link_trials(engine: Engine, condition: Condition, corpus: Corpus) -> LinkTrials:
    """Read the key of a condition and match it with the pairs of its indexes."""
    inputs = condition.inputs
    index, key = _index_rows(engine, condition), _key_rows(engine, condition)
    if index is None and key is None:
        index = FileRows(engine.unused_name("link_index"))
        make_table(engine, index.table, _PAIR)
    trials = LinkTrials(index or key, key)  # type: ignore[arg-type]  # one of them is not None
    n_pair = trials.rows.n_row
    if key is not None:
        trials.answers = f"(select *, place + 1 as trial_no from {key.table})"
        if not _is_aligned(engine, trials.rows, key):
            trials.answers = key.table
            exact, (trial_no, second) = _joins(trials.pairs, "id_1", "id_2", "pair.trial_no")
            engine.execute(f"""
                create or replace temp table {key.table} as
                select line.*, coalesce(pair.trial_no, {trial_no}) as trial_no
                from {key.table} as line {exact} {second}""")
            _warn_of_other_files(
                engine,
                inputs,
                key,
                trials.pairs,
                lambda written: corpus.source_file(written, written.rsplit(":", 1)[-1]),
            )
        unknown = f"select place, {_BOTH} as pair from {trials.answers} where trial_no is null"
        said, advice = (
            "the key answers a pair that the index does not have",
            "Add the pair to the index, or drop it from",
        )
        key.say(engine, inputs, "E851", unknown, said, f"{advice} the key.")
        n_unknown, pair = engine.rows(f"select count(*), arg_min(pair, place) from ({unknown})")[0]
        if n_pair and 0 < n_unknown == key.n_row:
            example = engine.value(f"select {_BOTH} from {trials.pairs} where trial_no = 1")
            message = f"{none_of(key.n_row, 'pairs of the key')} among the pairs to decide on"
            inputs.say_unmatched("E851", key.paths[0], message, pair, example)
        if index is not None and not inputs.has_errors:
            unlabelled = f"select place, {_BOTH} from {trials.pairs} anti join {trials.answers} using (trial_no)"
            said, advice = (
                "the key has no answer for this pair",
                "Add the pair to the key (OTHER if it is not to be scored).",
            )
            trials.rows.say(engine, inputs, "E850", unlabelled, said, advice)
    if not n_pair and not inputs.has_errors:
        inputs.add(
            "E853",
            str(condition.spec.get("id")),
            "a link condition needs pairs of stories",
            "Give the condition an index, trials or a key.",
        )
    return trials


def _is_aligned(engine: Engine, rows: FileRows, key: FileRows) -> bool:
    """Return whether a key has the pairs of one file row for row, or is that file itself."""
    return len(rows.paths) == 1 and (
        rows is key
        or rows.n_row == key.n_row
        and not engine.rows(
            f"select 1 from {rows.table} as pair positional join {key.table} as key "
            "where pair.place <> key.place or pair.id_1 <> key.id_1 or pair.id_2 <> key.id_2 limit 1"
        )
    )


def _index_rows(engine: Engine, condition: Condition) -> FileRows | None:
    """Return the pairs of index files and tidy trials, if the condition has such files."""
    listed = [rows for rows in (condition.index_pairs, condition.trials) if rows is not None]
    return _placed(engine, listed, "story_id_1 as id_1, story_id_2 as id_2") if listed else None


def _key_rows(engine: Engine, condition: Condition) -> FileRows | None:
    """Return the rows of the key of a condition, if it has one."""
    if "key" not in condition.spec:
        return None
    inputs = condition.inputs
    rows = read_link_keys(engine, inputs, inputs.resolve(condition.spec["key"], "link key"))
    staged = f"select {path_of(rows.paths)}, line, id_1, id_2, answer, block from {rows.keep(inputs)}"
    inputs.staged.append(("staging.link_key", staged))
    return _placed(engine, [rows], "id_1, id_2, answer, block")


def _placed(engine: Engine, listed: Sequence[Rows], columns: str) -> FileRows:
    """Return the rows of several tables with their numbers, from 0."""
    rows = FileRows(engine.unused_name("link_row"))
    parts = [f"select {number} as part, file, line, {columns} from {one.table}" for number, one in enumerate(listed)]
    engine.execute(f"""
        create temp table {rows.table} as
        select row_number() over (order by part, file, line) - 1 as place, * exclude (part, file)
        from ({" union all ".join(parts)})""")
    for one in listed:
        for file, found in engine.rows(
            f"select file, list(line order by line) from {one.table} group by file order by file"
        ):
            rows.add(one.paths[file], found, len(found))
    return rows


def _joins(pairs: str, id_1: str, id_2: str, exact_no: str) -> tuple[str, tuple[str, str]]:
    """Return how rows, called ``line``, find the numbers of their pairs: as written, or else (trial_no and joins) by
    the docnos after the colons.

    Args:
        exact_no: SQL of the number by the first of these.
    """
    docnos = [DOCNO.format(name) for name in ("id_1", "id_2", f"line.{id_1}", f"line.{id_2}")]
    exact = f"left join {pairs} as pair on pair.id_1 = line.{id_1} and pair.id_2 = line.{id_2}"
    named = f"""
        left join (select {docnos[0]} as docno_1, {docnos[1]} as docno_2, min(trial_no) as trial_no
            from {pairs} group by docno_1, docno_2 having count(*) = 1) as named
        on {exact_no} is null and named.docno_1 = {docnos[2]} and named.docno_2 = {docnos[3]}"""
    return exact, ("named.trial_no", named)


def _warn_of_other_files(
    engine: Engine,
    inputs: Inputs,
    rows: FileRows,
    pairs: str,
    sources: Callable[[str], str | None],
    ids: Sequence[str] = ("id_1", "id_2"),
    where: str = "true",
) -> None:
    """Report the stories of rows of a key or an output that are found by their docnos but have other source files.

    Args:
        sources: the corpus's source file of a story's id; an id with it is correct, and the index is not.
    """
    files = [(_SOURCE.format(f"line.{name}"), _SOURCE.format(f"pair.id_{n}"), name, n) for n, name in enumerate(ids, 1)]
    found = " union all ".join(
        f"select place, {n} as side, line.{name} as story, pair.id_{n} as wanted from {rows.table} as line "
        f"join (select trial_no, id_{n} from {pairs}) as pair using (trial_no) where {where} and line.{name} <> "
        f"pair.id_{n} and {own} <> '' and {other} <> '' and {own} <> {other}"
        for own, other, name, n in files
    )
    for place, _, story, wanted in engine.rows(f"from ({found}) order by place, side"):
        source = sources(wanted)
        if source is None or split_story_id(story)[0] != source_name(source):
            _warn_of_another_file(inputs, *rows.at(place), story, source or split_story_id(wanted)[0])


def _warn_of_another_file(inputs: Inputs, path: str, line: int, story: str, source: str) -> None:
    message = f"the story is in source file {source}, not in that before the colon"
    inputs.add("W852", path, message, "Its docno counts.", line, story)


def _write_condition(
    engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, trials: LinkTrials
) -> None:
    """Store the pairs, the blocks, the key and the subsets of a link condition."""
    if _write_pairs(engine, condition_no, condition, corpus, trials):
        names = [] if trials.key is None else engine.rows(f"select distinct block from {trials.key.table} order by 1")
        named = [Block(name, name if name in corpus.topic_no else None) for [name] in names]
        blocks = topic_blocks(condition, corpus) if trials.key is None else named
        write_blocks(engine, condition_no, blocks, corpus)
        if trials.key is not None:
            engine.execute(f"""
                insert into base.link_answer (condition_no, block_no, trial_no, answer)
                select {condition_no}, block.block_no, key.trial_no, lower(key.answer)
                from {trials.answers} as key
                join base.block as block on block.condition_no = {condition_no} and block.block_id = key.block
                order by key.trial_no, key.place""")
        cells = f"link_segment cross join (select block_no from base.block where condition_no = {condition_no})"
        store_subsets(
            engine,
            condition_no,
            f"""
            select 'crossing' as kind, 'crossing=' || if(low = high, 'same', 'cross') as subset, block_no, segment_no
            from {cells} where low <> ''
            union all
            select 'language', 'language=' || low || if(low = high, '', ':' || high), block_no, segment_no
            from {cells} where low <> ''""",
        )
    own = {rows.table for rows in (trials.rows, trials.key) if rows is not None}
    drop_tables(engine, "link_story", "link_place", "link_segment", *own)


def _write_pairs(engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, trials: LinkTrials) -> bool:
    """Store the pairs and their segments (in ``link_segment``, with the two languages of their stories); return whether
    there was no error.
    """
    inputs, rows = condition.inputs, trials.rows
    stories = f"""(
        select story.story_id, story.story_no, story.language, file.source_file
        from registry.condition as owner join base.story as story on story.corpus_no = owner.corpus_no
        left join base.source_file as file
            on file.corpus_no = story.corpus_no and file.source_file_no = story.source_file_no
        where owner.condition_no = {condition_no})"""
    engine.execute(f"""
        create or replace temp table link_story as
        select id, coalesce(written.story_no, named.story_no) as story_no,
            coalesce(written.language, named.language, '') as language,
            case when written.story_no is null then named.source_file end as other_file
        from (select distinct id from (select id_1 as id from {rows.table} union all select id_2 from {rows.table}))
        left join {stories} as written on written.story_id = id
        left join {stories} as named on named.story_id = {DOCNO.format("id")}""")
    engine.execute(f"""
        create or replace temp table link_place as
        select pair.*, first.story_no as story_no_1, second.story_no as story_no_2,
            if(first.language = '' or second.language = '', '', least(first.language, second.language)) as low,
            if(first.language = '' or second.language = '', '', greatest(first.language, second.language)) as high
        from {trials.pairs} as pair join link_story as first on first.id = pair.id_1
        join link_story as second on second.id = pair.id_2""")
    engine.execute("""
        create or replace temp table link_segment as
        select row_number() over (order by min(trial_no)) as segment_no, low, high, count(*) as n_trial
        from link_place group by low, high""")
    if corpus.story_no and rows.n_row:
        _check_stories(engine, condition, corpus, rows)
    if inputs.has_errors:
        return False
    engine.execute(f"""
        insert into base.link_pair (condition_no, trial_no, id_1, id_2, story_no_1, story_no_2, segment_no)
        select {condition_no}, trial_no, id_1, id_2, story_no_1, story_no_2, segment_no
        from link_place join link_segment using (low, high) order by trial_no""")
    engine.execute(f"""
        insert into base.segment (condition_no, segment_no, n_trial)
        select {condition_no}, segment_no, n_trial from link_segment order by segment_no""")
    return True


def _check_stories(engine: Engine, condition: Condition, corpus: Corpus, rows: FileRows) -> None:
    """Report pairs of stories that the corpus does not have, of other source files, and out of order."""
    inputs = condition.inputs
    other = _SOURCE.format("id")
    odd = engine.rows(
        f"select id, other_file from link_story where story_no is null or {other} <> '' and other_file <> ''"
    )
    odd = [(story, file) for story, file in odd if file is None or split_story_id(story)[0] != source_name(file)]
    if odd:
        make_table(engine, "link_odd", ("id varchar", "other_file varchar"), odd)
        for place, _, story, file in engine.rows("""
                select place, side, id, other_file from (
                    select place, unnest([1, 2]) as side, unnest([id_1, id_2]) as id from link_place)
                join link_odd using (id) order by place, side"""):
            path, line = rows.at(place)
            if file is not None:
                _warn_of_another_file(inputs, path, line, story, file)
                continue
            advice = "Correct the id, or add the story's source file."
            inputs.add("E852", path, "a pair of a story that the corpus does not have", advice, line, story)
        drop_tables(engine, "link_odd")
    if not engine.rows("select 1 from link_story where story_no is not null limit 1"):
        [(n_pair, story)] = engine.rows("select count(*), arg_min(id_1, place) from link_place")
        message = f"{none_of(n_pair, 'pairs')} of stories of the corpus"
        inputs.say_unmatched("E852", rows.paths[0], message, story, next(iter(corpus.story_no)))
    if inputs.has_errors or not condition.indexes:
        return
    # in order of time: second (newest) story, then first; the older story first
    found = engine.rows("""
        select count(*) filter (is_earlier), min(place) filter (is_earlier), count(*) filter (is_newer),
            min(place) filter (is_newer)
        from (
            select place, story_no_2 < story_no_1 as is_newer, story_no_2 < lag(story_no_2) over listed
                or story_no_2 = lag(story_no_2) over listed and story_no_1 < lag(story_no_1) over listed as is_earlier
            from link_place window listed as (order by place))""")[0]
    for n_wrong, place, message in (
        (*found[:2], "pairs come before an older pair; the plan orders them by the second story, then the first"),
        (*found[2:], "pairs name the newer story first; the plan puts the older one first"),
    ):
        if n_wrong:
            path, line = rows.at(place)
            pair = engine.value("select id_1 || ' ' || id_2 from link_place where place = ?", [place])
            inputs.add("W854", path, f"{n_wrong} {message}", "They are scored.", line, pair)


# ---- runs


def read_official(target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None) -> Staged:
    """Return the run of official output files."""
    rows, heads = read_outputs(target.engine, inputs, "link", files)
    paths = [given for given, _ in files]
    for file, head in heads.items():
        check_deferral(target.deferral, inputs, paths[file], head, "E859")
    relation = f"""
        select file, line, cast(null as varchar) as run_id, story_id_1, story_id_2, is_yes, {FINITE_SCORE} as score
        from {rows.table}"""
    systems = [head.system for head in heads.values()]
    return decided_runs(_decisions(target), target, inputs, paths, rows.table, relation, {None: paths}, systems, run_id)


def _decisions(target: StoredCondition) -> Decisions:
    """Return how rows of pairs get their numbers."""
    said = "a decision on a pair that is not to be decided"
    unknown = {
        "pairs": Unknown("E855", said, "Drop the line."),
        "turned pairs": Unknown("E855", f"{said} in this order", "Write the stories in the order of the index."),
    }
    checks = [f"decision/{code}" for code in ("E858", "W852", "E856", "W857")]
    return Decisions("pairs", unknown, checks=checks)


FORMATS = {"tdt": RunFormat(read_official), "tidy": tidy_format("link", _decisions)}
