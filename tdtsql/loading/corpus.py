"""A corpus into the store: source files, stories, topics, judgments.

Of TREC's files the documents in their order are the stories of the corpus; the qrels are its
judgments (relevant from ``relevant_grade`` on).

Code   Meaning
E800   a folder without boundary tables and without an index that lists source files
E801   a boundary table whose fileid is not the name of the file
E802   a second story of one docno in the corpus
W803   a judgment on a story outside the loaded files
E804   contradictory judgments of a story for one topic, in two files
W805   a judgment on a topic that the topics file does not have
W806   a source file, in a list of subsets or exclusions, that no index or stories file has
W807   source files that are not in the order of time
E816   a condition of the corpus that is not in the bundle, and was loaded for other stories or topics
W860   the document order lists a story that the corpus does not have
W861   stories that the document order does not list
E872   nothing in common between two inputs, such as judgments and stories
W875   a kind of story other than those known: only NEWS counts
"""

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from functools import cached_property

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problem, counted, none_of, verb
from tdtsql.files.fingerprint import fingerprint
from tdtsql.files.find import Inputs
from tdtsql.files.lines import path_of
from tdtsql.files.rows import Rows, read_lines
from tdtsql.files.table import read_table
from tdtsql.intake.staging import forget, keep_rows
from tdtsql.load.lists import DOCUMENT_ORDER, TOPIC_LIST, read_auxiliary
from tdtsql.load.tags import BOUNDARY, DOCTYPES, RELEVANCE, SUBSET, read_tags
from tdtsql.load.tidy import TIDY
from tdtsql.load.trec import read_qrels
from tdtsql.load.plan import by_column, drop_tables, make_table
from tdtsql.loading.report import Report
from tdtsql.reader.index import IndexFile
from tdtsql.store import registry
from tdtsql.store.results import rows_hash

#: a grade from which a document is relevant, unless the corpus says otherwise
RELEVANT_GRADE = 1


@dataclass(slots=True)
class CorpusFiles:
    """What the files of a corpus say: S stories in chronological order, F source files, T topics."""

    inputs: Inputs
    #: F source files, chronological: name, source, language, date
    files: list[tuple[str, str | None, str | None, str | None]] = field(default_factory=list)
    excluded_files: set[str] = field(default_factory=set)
    stories: list[tuple] = field(default_factory=list)  #: S tuples in the column order of STORY_COLUMNS
    story_no: dict[str, int] = field(default_factory=dict)  #: docno -> number from 1
    topics: dict[str, tuple] = field(default_factory=dict)  #: topic id -> title, languages, is_complete
    #: set -> table of its judgments, see `_read_judgments`
    judgments: dict[int, str] = field(default_factory=dict)
    sets: list[tuple[str, list[str]]] = field(default_factory=list)  #: (heading, source files)
    is_listed: bool = True  #: False where only qrels say which documents there are


@dataclass
class Corpus:
    """A corpus that is in the store."""

    engine: Engine
    corpus_no: int
    content: str  #: hash of its files and settings
    sets: list[tuple[str, list[str]]]  #: subsets: (heading, source files)
    is_listed: bool

    @cached_property
    def topics(self) -> list[str]:
        return self.engine.column("select topic_id from base.topic where corpus_no = ? order by 1", [self.corpus_no])

    @cached_property
    def structure(self) -> str:
        """Hash of its stories and topics, which conditions refer to by number."""
        query = "select story_id || ' ' || source_file_no from base.story where corpus_no = ? order by story_no"
        return fingerprint(*self.engine.column(query, [self.corpus_no]), *self.topics)


#: title, languages and is_complete of a topic that no file describes
_NO_TOPIC = (None, None, None)
STORY_COLUMNS = (
    "story_id",
    "source_file_no",
    "source",
    "language",
    "kind",
    "is_news",
    "begin_recid",
    "end_recid",
    "begin_sec",
    "end_sec",
    "published_at",
)


def read_corpus(
    engine: Engine,
    spec: dict,
    folder: Path,
    index_files: Sequence[Sequence[IndexFile]],
    training_files: Iterable[IndexFile],
    topics: Iterable[str] = (),
) -> CorpusFiles:
    """Read all files of a ``[corpus]`` section.

    Args:
        engine: it reads judgments itself where their file is clean.
        spec: the section of the bundle.
        folder: what its paths are relative to.
        index_files: the source files of each index that uses this corpus, in index order.
        training_files: source files that only training stories are in.
        topics: those of indexes, which no other file need name.
    """
    corpus = CorpusFiles(Inputs(folder), is_listed=bool({"document_order", "stories", "root"} & spec.keys()))
    named = [_read_sets(engine, corpus, spec, key) for key in ("exclude", "subsets")]
    side: dict[str, tuple] = {}  #: source file -> source, language, date
    if "auxiliary" in spec:
        rows = read_auxiliary(engine, corpus.inputs, corpus.inputs.resolve(spec["auxiliary"], "auxiliary index"))
        table = keep_rows(corpus.inputs, rows, "auxiliary index", "source_file, source, language, date")
        query = f"select source_file, source, language, date from {table} order by file, line"
        side = {name: tuple(more) for name, *more in engine.rows(query)}
    if "root" in spec:
        _read_boundaries(engine, corpus, folder / spec["root"], spec["root"], index_files, training_files, side)
    if "stories" in spec:
        _read_tidy_stories(engine, corpus, spec["stories"])
    _check_named_files(corpus, named)
    read_trec_stories(engine, corpus, spec)
    if "topics" in spec and is_topic_list(spec["topics"]):
        read_trec_topics(engine, corpus, spec["topics"])
    elif "topics" in spec:
        rows = read_tidy_rows(engine, corpus.inputs, spec["topics"], "topics", "topic_id, title, languages")
        query = f"select topic_id, title, languages, is_complete from {rows.table} order by file, line"
        corpus.topics |= {topic: tuple(more) for topic, *more in engine.rows(query)}
    _read_judgments(engine, corpus, spec)
    for topic in topics:
        corpus.topics.setdefault(topic, _NO_TOPIC)
    return corpus


def _read_sets(engine: Engine, corpus: CorpusFiles, spec: dict, key: str) -> list[tuple]:
    """Read the sets of the subsets or the exclude list of a corpus; return kind of file, path, line and name of the
    source files in them.
    """
    kind = "exclude list" if key == "exclude" else "subset file"
    files = corpus.inputs.resolve(spec[key], kind) if key in spec else []
    tables = read_tags(engine, corpus.inputs, SUBSET, files, kind)
    sets = engine.rows(f"select file, line, title, heading from {tables['source_set']} order by file, place")
    members = engine.rows(f"""
        select file, line, title, heading, source_file from {tables["source_set_file"]}
        where is_member order by file, place""")
    if key == "exclude":  # the first set of each file
        first = {file: (line, heading) for file, line, _, heading in reversed(sets)}
        corpus.excluded_files = {
            name for file, line, _, heading, name in members if line == first[file][0] or heading == first[file][1]
        }
        members = [row for row in members if row[-1] in corpus.excluded_files]
    else:
        for file, _, *names in sets:
            corpus.sets.append(
                (names[1] or names[0], [row[-1] for row in members if row[0] == file and [*row[2:4]] == names])
            )
    return [(kind, files[file][0], line, name) for file, line, _, _, name in members]


def _check_named_files(corpus: CorpusFiles, named: Iterable[Iterable[tuple]]) -> None:
    """Warn of source files in an exclude list or a subset that the corpus does not have: a mistyped one excludes
    nothing.
    """
    known = {name for name, *_ in corpus.files}
    for kind, path, line, name in chain(*named):
        if name not in known:
            said = f"the {kind} names a source file that no index or stories file has"
            corpus.inputs.add("W806", path, said, "It has no effect.", line, name)


def _read_boundaries(
    engine: Engine, corpus: CorpusFiles, root: Path, given: str, index_files, training_files, side: dict[str, tuple]
) -> None:
    index_files = list(index_files)
    if not any(index_files) and not training_files:  # no index says which: all
        index_files = [_all_tables(root)]
        if not index_files[0]:
            corpus.inputs.add(
                "E800",
                given,
                "the folder has no boundary table, and no index lists source files",
                f"Expected {given}/tables/NAME.bndEXTENSION or {given}/EXTENSION_bnd/NAME.EXTENSION_bnd.",
            )
    order = _chronological(index_files)
    extension: dict[str, str] = {}
    for entries in index_files:
        for entry in entries:
            extension.setdefault(entry.name, entry.extension)
    known = set(order)
    extra = []
    for entry in training_files:
        if entry.name not in known and _boundary_path(root, entry.name, entry.extension):
            known.add(entry.name)
            extra.append(entry.name)
            extension[entry.name] = entry.extension
    order = sorted(extra) + order
    if order == [*sorted(extra), *sorted(set(order) - set(extra))] and all(name[:8].isdigit() for name in order):
        order = sorted(order)  # names that begin with a date are in order of time
    n_before, files = len(corpus.files), dict[str, tuple[str, Path]]()
    for name in order:
        path = _boundary_path(root, name, extension[name])
        if path is None:
            corpus.inputs.add(
                "E800",
                f"{given}/tables/{name}.bnd{extension[name]}",
                f"no boundary table of the source file '{name}.{extension[name]}' that an index lists, neither here "
                f"nor "
                f"{given}/{extension[name]}_bnd/{name}.{extension[name]}_bnd",
                "Add the table, or take the file out of the index.",
            )
            continue
        shown = f"{given}/{path.relative_to(root).as_posix()}"
        if corpus.inputs.may_read(shown, path, "boundary table"):
            files[shown] = name, path
    tables = read_tags(
        engine, corpus.inputs, BOUNDARY, [(shown, path) for shown, (_, path) in files.items()], "boundary table"
    )
    heads = {
        file: head
        for file, *head in engine.rows(
            f"select file, file_id, source, language, collected_at from {tables['boundary_set']}"
        )
    }
    number = {file: len(corpus.files) + file + 1 for file in range(len(files))}
    for file, (shown, (name, _)) in enumerate(files.items()):
        file_id, *head = heads.get(file, [None] * 4)
        if file_id is not None and file_id != name:
            said = "the fileid is not the name of the file"
            corpus.inputs.add("E801", shown, said, "Rename the file, or correct its fileid.", value=file_id)
        source, language, date = (own or other for own, other in zip(head, side.get(name, [None] * 3), strict=True))
        corpus.files.append((name, source, language, date))
    names = list(files)
    for file, line, docno, doctype, *span in engine.rows(f"""
            select file, line, docno, doctype, begin_recid, end_recid, begin_sec, end_sec
            from {tables["boundary"]} order by file, place"""):
        if docno in corpus.story_no:
            first = corpus.files[corpus.stories[corpus.story_no[docno] - 1][1] - 1][0]
            said = f"a second story of that docno in the corpus, the first is in {first}"
            corpus.inputs.add("E802", names[file], said, "Give each story its own docno.", line, docno)
            continue
        _, source, language, date = corpus.files[number[file] - 1]
        corpus.stories.append((docno, number[file], source, language, doctype, int(doctype == "NEWS"), *span, date))
        corpus.story_no[docno] = len(corpus.stories)
    _check_order(corpus, given, [file for file in corpus.files[n_before:] if file[0] not in extra])


def _check_order(corpus: CorpusFiles, given: str, files: Sequence[tuple]) -> None:
    """Warn of source files that come after later ones (W807)."""
    latest, late = ("", ""), []
    for name, _, _, date in files:
        if date is not None:
            if date < latest[0]:
                late.append(f"{name} of {date} is after {latest[1]} of {latest[0]}")
            latest = max(latest, (date, name))
    if late:
        said = f"{counted(len(late), 'source file')} {verb(len(late), 'are')} not in the order of time: {late[0]}"
        advice = "Correct the index: which stories are new, and which are tested, depends on the order."
        corpus.inputs.add("W807", given, said, advice)


def _all_tables(root: Path) -> list[IndexFile]:
    """Return the source files of all boundary tables of a folder, by name; of several tables of a file that of
    ``tkn``.
    """
    found = {}
    for path in [*root.glob("tables/*.bnd*"), *root.glob("*_bnd/*")]:
        match = re.fullmatch(r"(.+)\.(?:bnd(.+?)|(.+)_bnd)(?:\.gz)?", path.name)
        if match is not None and os.path.isfile(path):
            name, extension = match[1], match[2] or match[3]
            if name not in found or extension == "tkn":
                found[name] = IndexFile(1, path.name, name, extension, 1)
    return [found[name] for name in sorted(found)]


def _boundary_path(root: Path, name: str, extension: str) -> Path | None:
    for path in (root / "tables" / f"{name}.bnd{extension}", root / f"{extension}_bnd" / f"{name}.{extension}_bnd"):
        for candidate in (path, path.with_name(path.name + ".gz")):
            if os.path.isfile(candidate):
                return candidate
    return None


def _chronological(indexes: list[Sequence[IndexFile]]) -> list[str]:
    """Return the files of all indexes in one order: that of the indexes where they agree, by name elsewhere."""
    names = {entry.name for entries in indexes for entry in entries}
    by_name = sorted(names)
    position = {name: number for number, name in enumerate(by_name)}
    if all(position[a.name] <= position[b.name] for entries in indexes for a, b in pairwise(entries)):
        return by_name
    order: dict[str, None] = {}
    for entries in sorted(indexes, key=len, reverse=True):
        order |= dict.fromkeys(entry.name for entry in entries)
    return list(order)


def read_tidy_rows(engine: Engine, inputs: Inputs, patterns: str | list[str], form: str, staged: str) -> Rows:
    """Return the rows of the tidy files of a corpus or condition; they will be staged.

    Args:
        staged: the columns of the staging table after owner, path and line.
    """
    rows = read_table(engine, inputs, TIDY[form], inputs.resolve(patterns, f"tidy {form}"))
    keep_rows(inputs, rows, f"tidy {form}", staged)
    return rows


def _read_tidy_stories(engine: Engine, corpus: CorpusFiles, name: str) -> None:
    staged = "story_id, position, source_file, source, language, kind"
    rows = read_tidy_rows(engine, corpus.inputs, name, "stories", staged)
    known = ", ".join(f"'{kind}'" for kind in DOCTYPES)
    for part in rows.parts:
        for file, problems in part.files.items():
            for kind, count in engine.rows(
                f"select kind, count(*) from {rows.table} where file = {file} and kind not in ({known}) "
                "group by kind order by min(line)"
            ):
                corpus.inputs.add(
                    "W875",
                    problems.path,
                    f"{count:,} {'story has' if count == 1 else 'stories have'} an unknown kind, expected one of "
                    f"{', '.join(sorted(DOCTYPES))}; only NEWS counts",
                    "Write NEWS, or leave the column out.",
                    value=kind,
                )
    file_no: dict[tuple[int, str], int] = {}
    for file, story, source_file, source, language, kind, *span, published in engine.rows(f"""
            select file, story_id, source_file, source, language, kind, begin_recid, end_recid, begin_sec, end_sec,
                published_at
            from {rows.table} order by file, position, line"""):
        if story in corpus.story_no:
            continue  # it was reported
        number = file_no.get((file, source_file), 0) if source_file else 0
        if source_file and not number:
            corpus.files.append((source_file, source, language, published))
            number = file_no[file, source_file] = len(corpus.files)
        corpus.stories.append(
            (story, number, source, language, kind or "NEWS", int((kind or "NEWS") == "NEWS"), *span, published)
        )
        corpus.story_no[story] = len(corpus.stories)


def _read_judgments(engine: Engine, corpus: CorpusFiles, spec: dict) -> None:
    """Read the judgments into a table for each set: place, topic_id, story_id, label, path, line, and story_no and
    language (NULL: the corpus has no such story).
    """
    inputs, listed = corpus.inputs, set(corpus.topics) if "topics" in spec else None
    files = inputs.resolve(spec["topic_relevance"], "topic relevance table") if "topic_relevance" in spec else []
    relevance = read_tags(engine, inputs, RELEVANCE, files, "topic relevance table")["on_topic"]
    qrels = read_trec_judgments(engine, corpus, spec)
    stories = [(*story, corpus.stories[story[1] - 1][3]) for story in corpus.story_no.items()]
    make_table(engine, "story_read", ("story_id varchar", "story_no integer", "language varchar"), stories)
    others = f"""
        select 0 as source, file, place as line_order, {path_of([given for given, _ in files])} as path, line, topic_id,
            docno as story_id, level as label
        from {relevance} union all {qrels}"""
    for judgment_set, key in ((1, "judgments"), (2, "judgments_2")):
        found = [f"select * from ({others}) where {judgment_set} = 1"]
        if key in spec:
            tidy = read_tidy_rows(engine, inputs, spec[key], "judgments", "topic_id, story_id, label")
            found.append(
                f"select 2, file, line, {path_of(tidy.paths)}, line, topic_id, story_id, label from {tidy.table}"
            )
        given = " union all ".join(found)
        corpus.judgments[judgment_set] = table = engine.make_temporary(
            f"judgment_read_{judgment_set}",
            f"""
            select numbered.* exclude (source, file, line_order), story_no, language
            from (select row_number() over (order by source, file, line_order) as place, * from ({given})) as numbered
            left join story_read using (story_id)""",
        )
        _check_judgments(engine, corpus, table, listed, is_first=judgment_set == 1)
    drop_tables(engine, "story_read")


def _check_judgments(
    engine: Engine, corpus: CorpusFiles, table: str, listed: Set[str] | None, *, is_first: bool
) -> None:
    """Keep each judgment of a set once; judgments on other stories are warnings, contradictions of two files errors."""
    inputs = corpus.inputs
    for path, line, story in engine.rows(
        f"select path, line, story_id from {table} where story_no is null order by place"
    ):
        said = "a judgment on a story outside the loaded files"
        inputs.add("W803", path, said, "It has no effect.", line, story)
    if corpus.stories and not engine.rows(f"select 1 from {table} where story_no is not null limit 1"):
        for path, n_row, story in engine.rows(
            f"select path, count(*), arg_min(story_id, place) from {table} group by path order by min(place)"
        ):
            message = f"{none_of(n_row, 'judgments')} on a story of the corpus"
            inputs.say_unmatched("W803", path, message, story, next(iter(corpus.story_no)))
    if engine.value(f"select count(distinct path) from {table}") > 1:  # the reader checks those within one file
        for topic, story, label, path, line, *first in engine.rows(f"""
                select topic_id, story_id, given.label, given.path, given.line, first.label, first.path, first.line
                from {table} as given join (
                    select topic_id, story_id, arg_min(label, place) as label, arg_min(path, place) as path,
                        arg_min(line, place) as line
                    from {table} group by topic_id, story_id) as first using (topic_id, story_id)
                where story_no is not null and given.label <> first.label and given.path <> first.path
                order by place"""):
            said = f"story judged {label} for topic {topic}, but {first[0]} in {first[1]}:{first[2]}"
            inputs.add("E804", path, said, "Keep one of the two.", line, story)
        engine.execute(
            f"delete from {table} where place not in (select min(place) from {table} group by topic_id, story_id)"
        )
    place = "arg_min(path, place), arg_min(line, place)"
    topics = engine.rows(f"select topic_id, {place} from {table} group by topic_id order by min(place)")
    if is_first:
        _warn_of_topics(corpus, listed, {topic: (path, line) for topic, path, line in topics})
    for topic, *_ in topics:
        corpus.topics.setdefault(topic, _NO_TOPIC)


def _warn_of_topics(corpus: CorpusFiles, listed: Set[str] | None, first: Mapping[str, tuple[str, int]]) -> None:
    """Warn of judged topics that a topics file does not have; ``first``: topic -> path and line of its first
    judgment.
    """
    if listed and first and not listed & first.keys():
        path, _ = next(iter(first.values()))
        message = f"{none_of(len(first), 'judged topics')} in the topics file"
        corpus.inputs.say_unmatched("W805", path, message, next(iter(first)), min(listed))
        return
    said = "a judgment on a topic that the topics file does not have"
    advice = "The topic is evaluated. To exclude it, use topic_pattern."
    for topic, (path, line) in first.items():
        if listed is not None and topic not in listed:
            corpus.inputs.add("W805", path, said, advice, line, topic)


# ---- files of TREC


def read_trec_stories(engine: Engine, corpus: CorpusFiles, spec: dict) -> None:
    """Put the documents of the order file into the corpus, or the corpus's stories into that order."""
    files = corpus.inputs.resolve(spec["document_order"], "document order") if "document_order" in spec else []
    table = read_lines(engine, corpus.inputs, DOCUMENT_ORDER, files).keep(corpus.inputs)
    for file, (given, _) in enumerate(files):
        order = engine.column(f"select document from {table} where file = ? order by line", [file])
        if not corpus.stories:
            corpus.stories = [_document(name) for name in order]
        else:
            unknown = [name for name in order if name not in corpus.story_no]
            for name in unknown[:1000]:
                corpus.inputs.add(
                    "W860",
                    given,
                    "the document order names a story that the corpus does not have",
                    "It has no effect.",
                    value=name,
                )
            place = {name: number for number, name in enumerate(order)}
            left_out = [story[0] for story in corpus.stories if story[0] not in place]
            if left_out:
                corpus.inputs.add(
                    "W861",
                    given,
                    f"{len(left_out):,} of {counted(len(corpus.stories), 'story')} {verb(len(left_out), 'are')} "
                    "not in the document order",
                    "They come last, in their own order.",
                    value=left_out[0],
                )
            corpus.stories.sort(key=lambda story: place.get(story[0], len(place)))
        corpus.story_no = {story[0]: number for number, story in enumerate(corpus.stories, start=1)}


def read_trec_topics(engine: Engine, corpus: CorpusFiles, given: str) -> None:
    """Put the topics of a topic list into the corpus."""
    rows = read_lines(engine, corpus.inputs, TOPIC_LIST, corpus.inputs.resolve(given, "topic list"))
    table = keep_rows(corpus.inputs, rows, "topic list", "topic_id, title, null")
    for topic, title in engine.rows(f"select topic_id, title from {table} order by file, line"):
        corpus.topics[topic] = (title, None, None)


def is_topic_list(name: str) -> bool:
    """Return whether a topics file is a plain list; tidy tables are named .csv, .tsv, .tab or .parquet."""
    return not name.removesuffix(".gz").endswith((".csv", ".tsv", ".tab", ".parquet"))


def read_trec_judgments(engine: Engine, corpus: CorpusFiles, spec: dict) -> str:
    """Return a query of the judgments of the qrels: source, file, line_order, path, line, topic_id, story_id, label.

    Without any list of documents, those of the qrels are the documents.
    """
    grade, files = int(spec.get("relevant_grade", RELEVANT_GRADE)), []
    if "qrels" in spec:
        files = corpus.inputs.resolve(spec["qrels"], "qrels")
    rows = read_qrels(engine, corpus.inputs, files, spec.get("qrels_conflict", "error"))
    table, path = keep_rows(corpus.inputs, rows, "qrels", "topic_id, story_id, grade"), path_of(rows.paths)
    if not corpus.stories:
        listed = engine.column(f"select story_id from {table} group by story_id order by min((file, pair_line))")
        corpus.stories = [_document(name) for name in listed]
        corpus.story_no = {name: number for number, name in enumerate(listed, start=1)}
    return f"""
        select 1, file, pair_line, {path}, line, topic_id, story_id, if(grade >= {grade}, 'yes', 'no')
        from {table}"""


def _document(name: str) -> tuple:
    # in the order of STORY_COLUMNS: no source file, no source or language, a news story
    return (name, 0, None, None, "NEWS", 1, None, None, None, None, None)


# ---- storing


def store_corpus(
    engine: Engine, spec: dict, corpus: CorpusFiles, condition_ids: Collection[str], report: Report
) -> tuple[Corpus, list[Problem]]:
    """Store the corpus unless it exists already.

    Args:
        condition_ids: the conditions that are about to be loaded for it. E816: there are others, which were loaded for
            other stories or topics.
    """
    corpus_id = spec["id"]
    listed = [f"{story[0]} {story[1]}" for story in corpus.stories]
    structure = fingerprint(*listed, *sorted(corpus.topics))
    content = corpus.inputs.fingerprint(structure, sorted(spec.items()))
    owner = f"corpus:{corpus_id}"
    row = engine.rows("select corpus_no, source_sha256 from registry.corpus where corpus_id = ?", [corpus_id])
    if row and row[0][1] == content:
        report.kept.append(owner)
        forget(engine, corpus.inputs)
        _drop_judgments(engine, corpus)
        return Corpus(engine, row[0][0], content, corpus.sets, corpus.is_listed), []
    corpus_no = row[0][0] if row else registry.next_number(engine, "registry.corpus", "corpus_no")
    others = sorted(
        set(
            engine.column(
                "select condition_id from registry.condition where corpus_no = ? and judgment_set = 1", [corpus_no]
            )
        )
        - set(condition_ids)
    )
    before = _numbered(engine, corpus_no) if others else []
    was = _size(engine, corpus_no)
    registry.drop_owned(engine, "corpus_no", corpus_no)
    engine.execute("delete from registry.corpus where corpus_no = ?", [corpus_no])
    engine.insert(
        "registry.corpus",
        {
            "corpus_no": [corpus_no],
            "corpus_id": [corpus_id],
            "n_story": [len(corpus.stories)],
            "content_sha256": [""],  # set after its rows are stored
            "source_sha256": [content],
        },
    )
    write_corpus(engine, corpus_no, corpus)
    if row:
        report.replaced[owner] = f"corpus {corpus_id} is replaced (was {was}; now {_size(engine, corpus_no)})"
    problems = []
    if others and _numbered(engine, corpus_no) != before:
        problems.append(
            Problem(
                "E816",
                f"corpus '{corpus_id}'",
                None,
                None,
                f"condition {others[0]} was loaded for other stories or topics, and is not in this bundle",
                others[0],
                f"Name it in the bundle too, give the corpus another id, or drop it first: tdtsql corpus drop "
                f"{corpus_id}.",
            )
        )
    report.record(engine, owner, corpus.inputs)
    return Corpus(engine, corpus_no, content, corpus.sets, corpus.is_listed), problems


def _drop_judgments(engine: Engine, corpus: CorpusFiles) -> None:
    for table in corpus.judgments.values():
        engine.execute(f"drop table if exists {table}")  # parsed ones are dropped when they are staged


def stored_corpus(engine: Engine, corpus_no: int) -> Corpus:
    """Return a corpus of the store, for conditions that are loaded for it later."""
    [(owner, content)] = engine.rows(
        "select 'corpus:' || corpus_id, source_sha256 from registry.corpus where corpus_no = ?", [corpus_no]
    )
    sets = engine.rows(
        "select coalesce(nullif(heading, ''), title) as name, list(source_file order by input_file_no, line) "
        "from staging.subset_file join registry.input_file using (owner, path) "
        "where owner = ? and kind = 'subset file' group by name order by min(input_file_no), min(line)",
        [owner],
    )
    kinds = set(engine.column("select distinct kind from registry.input_file where owner = ?", [owner]))
    is_listed = not kinds or bool(kinds & {"document order", "tidy stories", "boundary table"})
    return Corpus(engine, corpus_no, content, sets, is_listed)


def _size(engine: Engine, corpus_no: int) -> str:
    """Return how many stories, topics and judgments a corpus has."""
    [(n_story, n_topic)] = engine.rows(
        "select (select count(*) from base.story where corpus_no = $corpus), "
        "(select count(*) from base.topic where corpus_no = $corpus)",
        {"corpus": corpus_no},
    )
    labels = engine.rows(
        "select judgment_set, label, count(*) from base.judgment where corpus_no = ? group by all order by 1, 2 desc",
        [corpus_no],
    )
    judged = [f"{count:,} judged {label}{' in judgments_2' if second > 1 else ''}" for second, label, count in labels]
    return ", ".join([counted(n_story, "story"), counted(n_topic, "topic"), *judged])


def _numbered(engine: Engine, corpus_no: int) -> list[tuple[int, str]]:
    """Return what changes with any story, source file or topic that conditions refer to by number."""
    return [
        rows_hash(engine, table, f"corpus_no = {corpus_no}")
        for table in ("base.source_file", "base.story", "base.topic")
    ]


def write_corpus(engine: Engine, corpus_no: int, corpus: CorpusFiles) -> None:
    """Store a corpus under its number; what was there must have been cleared."""
    files = [(number, *row, int(row[0] in corpus.excluded_files)) for number, row in enumerate(corpus.files, start=1)]
    columns = ("source_file_no", "source_file", "source", "language", "collected_at", "is_excluded")
    engine.insert("base.source_file", {"corpus_no": corpus_no, **by_column(files, *columns)})
    if corpus.stories:
        numbers = list(range(1, len(corpus.stories) + 1))
        stories = by_column(corpus.stories, *STORY_COLUMNS)
        engine.insert("base.story", {"corpus_no": corpus_no, "story_no": numbers, **stories})
    topics = [(number, topic, *corpus.topics[topic]) for number, topic in enumerate(sorted(corpus.topics), start=1)]
    named = by_column(topics, "topic_no", "topic_id", "title", "languages", "is_complete")
    engine.insert("base.topic", {"corpus_no": corpus_no, **named})
    for judgment_set, table in corpus.judgments.items():
        engine.execute(f"""
            insert into base.judgment (corpus_no, judgment_set, topic_no, story_no, label)
            select {corpus_no}, {judgment_set}, topic_no, story_no, label
            from {table} join base.topic as topic on topic.corpus_no = {corpus_no} and topic.topic_id = {table}.topic_id
            where story_no is not null order by place""")
    # annotated languages are those that the topics file names, or else those of the stories judged yes
    engine.execute(f"""
        update base.topic as topic set is_multilingual = cast(n_language > 1 as integer)
        from (
            select topic_no, case when any_value(languages) <> ''
                then len(list_distinct(regexp_extract_all(any_value(languages), '[^, ]+')))
                else count(distinct story.language) end as n_language, count(story.language) as n_spoken
            from base.topic left join base.judgment as judgment
                using (corpus_no, topic_no)
            left join base.story as story on story.corpus_no = topic.corpus_no and story.story_no = judgment.story_no
                and judgment.judgment_set = 1 and judgment.label = 'yes' and story.language <> ''
            where topic.corpus_no = {corpus_no} group by topic_no
            having any_value(languages) <> '' or n_spoken > 0) as spoken
        where topic.corpus_no = {corpus_no} and topic.topic_no = spoken.topic_no""")
