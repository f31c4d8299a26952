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
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from functools import cached_property

from tdtsql.toml_file import toml_beside
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problem, Problems
from tdtsql.files.checks import execute, report as report_check, select
from tdtsql.files.fingerprint import fingerprint
from tdtsql.files.find import Inputs
from tdtsql.files.rows import Rows
from tdtsql.files.table import read_table
from tdtsql.files.staging import keep_rows
from tdtsql.load.forms import FORMS
from tdtsql.load.tags import BOUNDARY, RELEVANCE, SUBSET, read_tags
from tdtsql.load.trec import read_qrels
from tdtsql.load.plan import Source, relation
from tdtsql.load.owner import store_owner
from tdtsql.load.report import Report
from tdtsql.store.recording import rows_hashes

#: a grade from which a document is relevant, unless the corpus says otherwise
RELEVANT_GRADE = 1
#: what files say: relation -> its columns, of which a kind of file may lack some
_ROWS: dict[str, str] = toml_beside(__file__)
_CHECKS = [f"corpus/{code}" for code in "E801 E802 W806 W807 W860 W861 W875 W803 W805 E804 E872".split()]
_MADE = "set_file excluded_file tidy_story corpus_file said_story corpus_story corpus_judgment corpus_topic".split()


@dataclass
class Corpus:
    """A corpus that is in the store; the temporary table ``set_file`` has its sets of source files."""

    engine: Engine
    corpus_no: int
    content: str  #: hash of its files and settings
    is_listed: bool  #: False where only qrels say which documents there are

    @cached_property
    def topics(self) -> list[str]:
        return self.engine.column("select topic_id from base.topic where corpus_no = ? order by 1", [self.corpus_no])

    @cached_property
    def structure(self) -> str:
        """Hash of its stories and topics, which conditions refer to by number."""
        query = "select story_id || ' ' || source_file_no from base.story where corpus_no = ? order by story_no"
        return fingerprint(*self.engine.column(query, [self.corpus_no]), *self.topics)


class CorpusFiles:
    """What the files of a corpus say, in temporary tables: ``set_file``, ``corpus_file``, ``corpus_story``,
    ``corpus_judgment`` and ``corpus_topic`` (``sql/load/corpus``).
    """

    def __init__(
        self,
        engine: Engine,
        spec: dict,
        folder: Path,
        indexes: Sequence[Mapping[str, str]] = (),
        topics: Iterable[str] = (),
    ):
        """Read all files of a ``[corpus]`` section.

        Args:
            spec: the section of the bundle.
            folder: what its paths are relative to.
            indexes: the tables of indexes of conditions that use this corpus (`tdtsql.load.indexes.Indexes`).
            topics: those of indexes, which no other file need name.
        """
        self.engine, self.spec, self.inputs = engine, spec, Inputs(folder)
        self.is_listed = bool({"document_order", "stories", "root"} & spec.keys())
        self._paths: list[str] = []  #: the files whose rows relations have, by their numbers there
        self._rows: dict[str, list[str]] = defaultdict(list)  #: relation -> queries of its rows
        self._read_files(folder, indexes)
        engine.execute_all(
            f"create or replace temp view {name} as from {relation(columns, *self._rows[name])}"
            for name, columns in _ROWS.items()
        )
        parameters = {
            "topics": sorted(set(topics)),
            "has_topics": "topics" in spec,
            "root": len(self._paths),
            "paths": self._paths,
        }
        execute(engine, "corpus/sets")
        execute(engine, "corpus/stories", parameters)
        if self._rows:
            report_check(self.inputs, [*self._paths, spec.get("root", "")], engine, _CHECKS, parameters)
        engine.execute_all(f"drop view {name}" for name in _ROWS)

    def _add(self, name: str, table: str, columns: str, where: str = "") -> None:
        """Add rows of a table to a relation; their files are the next that are added to the paths."""
        self._rows[name].append(f"(select file + {len(self._paths)} as file, {columns} from {table} {where})")

    def _files(self, key: str, kind: str) -> list[tuple[str, Path]]:
        return self.inputs.resolve(self.spec[key], kind) if key in self.spec else []

    def _read_files(self, folder: Path, indexes: Sequence[Mapping[str, str]]) -> None:
        """Read each kind of file; the order is that in which they are recorded."""
        engine, inputs, spec = self.engine, self.inputs, self.spec
        for key, kind in (("exclude", "exclude list"), ("subsets", "subset file")):
            if not (files := self._files(key, kind)):
                continue
            tables = read_tags(engine, inputs, SUBSET, files, kind)
            of_set = f"'{kind}' as kind, line, place, title, heading"
            self._add("set_row", tables["source_set"], of_set)
            self._add("set_member", tables["source_set_file"], f"{of_set}, source_file", "where is_member")
            self._paths += [given for given, _ in files]
        self._read("auxiliary", "auxiliary index", "side_row", "source_file, source, language, date")
        if "root" in spec:
            self._read_boundaries(folder / spec["root"], indexes)
        span = "begin_recid, end_recid, begin_sec, end_sec, published_at"
        columns = "story_id, position, source_file, source, language, kind"
        self._read("stories", "stories", "story_row", columns, f", {span}")
        self._read("document_order", "document order", "document_row", "document")
        if is_topic_list(spec.get("topics", ".csv")):
            self._read("topics", "topic list", "topic_row", "topic_id, title, null as languages")
        else:
            self._read("topics", "topics", "topic_row", "topic_id, title, languages", ", is_complete")
        if files := self._files("topic_relevance", "topic relevance table"):
            table = read_tags(engine, inputs, RELEVANCE, files, "topic relevance table")["on_topic"]
            columns = "0 as source, line, place as line_order, topic_id, docno as story_id, level as label"
            self._add("judgment_row", table, f"1 as judgment_set, {columns}")
            self._paths += [given for given, _ in files]
        if files := self._files("qrels", "qrels"):
            rows = read_qrels(engine, inputs, files, spec.get("qrels_conflict", "error"))
            label = f"if(grade >= {int(spec.get('relevant_grade', RELEVANT_GRADE))}, 'yes', 'no') as label"
            columns = f"1 as source, true as is_qrel, line, pair_line as line_order, topic_id, story_id, {label}"
            table = keep_rows(inputs, rows, "qrels", "topic_id, story_id, grade")
            self._add("judgment_row", table, f"1 as judgment_set, {columns}")
            self._paths += rows.paths
        for judgment_set, key in ((1, "judgments"), (2, "judgments_2")):
            more = f", {judgment_set} as judgment_set, 2 as source, line as line_order"
            self._read(key, "judgments", "judgment_row", "topic_id, story_id, label", more)

    def _read(self, key: str, form: str, relation: str, staged: str, more: str = "") -> None:
        """Read the files under a key; ``more``: further columns than those that are staged."""
        if key in self.spec:
            rows = read_staged(self.engine, self.inputs, self.spec[key], form, staged)
            self._add(relation, rows.table, f"line, {staged}{more}")
            self._paths += rows.paths

    def _read_boundaries(self, root: Path, indexes: Sequence[Mapping[str, str]]) -> None:
        """Read the boundary tables of the source files of indexes, or else all of a folder."""
        inputs, given = self.inputs, self.spec["root"]
        named = _indexed_files(self.engine, indexes)
        if not named:  # no index says which
            named = [(name, extension, False) for name, extension in _all_tables(root)]
            if not named:
                said = "the folder has no boundary table, and no index lists source files"
                advice = f"Expected {given}/tables/NAME.bndEXTENSION or {given}/EXTENSION_bnd/NAME.EXTENSION_bnd."
                inputs.add("E800", given, said, advice)
        named = [row for row in named if not row[2] or _boundary_path(root, *row[:2])]
        order = [name for name, _, is_extra in named if not is_extra]
        if order == sorted(order) and all(name[:8].isdigit() for name, *_ in named):
            named.sort()  # names that begin with a date are in order of time
        files: dict[str, tuple[str, Path, bool]] = {}
        for name, ending, is_extra in named:
            path = _boundary_path(root, name, ending)
            if path is None:
                said = (
                    f"no boundary table of the source file '{name}.{ending}' that an index lists, neither here nor "
                    f"{given}/{ending}_bnd/{name}.{ending}_bnd"
                )
                advice = "Add the table, or take the file out of the index."
                inputs.add("E800", f"{given}/tables/{name}.bnd{ending}", said, advice)
                continue
            shown = f"{given}/{path.relative_to(root).as_posix()}"
            if inputs.may_read(shown, path, "boundary table"):
                files[shown] = name, path, is_extra
        sources: list[Source] = [(shown, path) for shown, (_, path, _) in files.items()]
        tables = read_tags(self.engine, inputs, BOUNDARY, sources, "boundary table")
        self._add("boundary_head", tables["boundary_set"], "file_id, source, language, collected_at")
        span = "begin_recid, end_recid, begin_sec, end_sec"
        self._add("boundary_story", tables["boundary"], f"line, place, docno, doctype, {span}")
        if files:
            names, _, are_extra = zip(*files.values(), strict=True)
            table = self.engine.insert_temporary(
                self.engine.unused_name("boundary_file"),
                {"file": range(len(files)), "source_file": names, "is_extra": are_extra},
            )
            self._add("boundary_file", table, "source_file, is_extra")
            inputs.tables.append(table)
        self._paths += files

    @property
    def structure(self) -> str:
        """Hash of the stories and topics."""
        stories = self.engine.column("select story_id || ' ' || source_file_no from corpus_story order by story_no")
        return fingerprint(*stories, *self.engine.column("select topic_id from corpus_topic order by topic_no"))

    def discard(self) -> None:
        """Drop the temporary tables, but ``set_file``."""
        self.engine.execute_all(f"drop table if exists {name}" for name in _MADE[1:])


def _indexed_files(engine: Engine, indexes: Sequence[Mapping[str, str]]) -> list[tuple[str, str, bool]]:
    """Return name, extension, and whether only training stories are in it, of each source file of indexes."""
    if not indexes:
        return []
    for name in ("file", "training"):
        queries = (
            f"select {number} * 1000000 + file as index_no, * from {tables[f'index_{name}']}"
            for number, tables in enumerate(indexes)
        )
        engine.execute(f"create or replace temp view indexed_{name} as {' union all '.join(queries)}")
    found = select(engine, "corpus/indexed_files", {})
    engine.execute_all(f"drop view indexed_{name}" for name in ("file", "training"))
    return [(row["source_file"], row["extension"], row["is_extra"]) for row in found]


def _all_tables(root: Path) -> list[tuple[str, str]]:
    """Return name and extension of the source files of all boundary tables of a folder, by name; of several tables of a
    file that of ``tkn``.
    """
    found: dict[str, str] = {}
    for path in [*root.glob("tables/*.bnd*"), *root.glob("*_bnd/*")]:
        match = re.fullmatch(r"(.+)\.(?:bnd(.+?)|(.+)_bnd)(?:\.gz)?", path.name)
        if match is not None and os.path.isfile(path):
            name, extension = match[1], match[2] or match[3]
            if name not in found or extension == "tkn":
                found[name] = extension
    return sorted(found.items())


def _boundary_path(root: Path, name: str, extension: str) -> Path | None:
    for path in (root / "tables" / f"{name}.bnd{extension}", root / f"{extension}_bnd" / f"{name}.{extension}_bnd"):
        for candidate in (path, path.with_name(path.name + ".gz")):
            if os.path.isfile(candidate):
                return candidate
    return None


def read_staged(engine: Engine, inputs: Inputs, patterns: str | list[str], form: str, staged: str) -> Rows:
    """Return the rows of files of a corpus or condition; they will be staged.

    Args:
        staged: the columns of the staging table after owner, path and line.
    """
    kind = FORMS[form].kind
    rows = read_table(engine, inputs, FORMS[form], inputs.resolve(patterns, kind))
    keep_rows(inputs, rows, kind, staged)
    return rows


def is_topic_list(name: str) -> bool:
    """Return whether a topics file is a plain list; tidy tables are named .csv, .tsv, .tab, .parquet, .jsonl or
    .ndjson.
    """
    return not name.removesuffix(".gz").endswith((".csv", ".tsv", ".tab", ".parquet", ".jsonl", ".ndjson"))


# ---- storing


def store_corpus(
    engine: Engine, spec: dict, corpus: CorpusFiles, condition_ids: Collection[str], report: Report
) -> tuple[Corpus, list[Problem]]:
    """Store the corpus unless it exists already.

    Args:
        condition_ids: the conditions that are about to be loaded for it. E816: there are others, which were loaded for
            other stories or topics.
    """
    corpus_id, problems = spec["id"], Problems(f"corpus '{spec['id']}'")
    content = corpus.inputs.fingerprint(corpus.structure, sorted(spec.items()))
    of_corpus = """select condition_id from registry.condition join registry.corpus using (corpus_no)
        where corpus_id = ? and judgment_set = 1 order by 1"""
    others = [name for name in engine.column(of_corpus, [corpus_id]) if name not in condition_ids]

    def write(corpus_no: int) -> None:
        execute(engine, "corpus/corpus", {"corpus": corpus_no, "id": corpus_id, "content": content})

    def look(corpus_no: int) -> tuple[str, list[str], str]:
        """Return its size, what changes with any story, source file or topic that conditions refer to by number, and a
        hash of the stories that runs refer to by number.
        """
        [size] = select(engine, "corpus/size", {"corpus": corpus_no})
        referred = dict.fromkeys(("base.source_file", "base.story", "base.topic"), f"corpus_no = {corpus_no}")
        return size["said"], rows_hashes(engine, referred) if others else [], size["stories"]

    owner = f"corpus:{corpus_id}"
    corpus_no, replaced = store_owner(engine, report, corpus.inputs, owner, content, write, look)
    corpus.discard()
    if replaced:
        (was, before, stories), (now, after, those) = replaced
        report.has_other_stories = stories != those
        report.replaced[owner] = f"corpus {corpus_id} is replaced (was {was}; now {now})"
        if before != after:
            said = f"condition {others[0]} was loaded for other stories or topics, and is not in this bundle"
            advice = "Name it in the bundle too, give the corpus another id, or drop it first: tdtsql corpus drop "
            problems.add("E816", said, f"{advice}{corpus_id}.", value=others[0])
    return Corpus(engine, corpus_no, content, corpus.is_listed), problems.found


def stored_corpus(engine: Engine, corpus_no: int) -> Corpus:
    """Return a corpus of the store, for conditions that are loaded for it later."""
    [(owner, content)] = engine.rows(
        "select 'corpus:' || corpus_id, source_sha256 from registry.corpus where corpus_no = ?", [corpus_no]
    )
    execute(engine, "corpus/stored_sets", {"owner": owner})
    kinds = set(engine.column("select distinct kind from registry.input_file where owner = ?", [owner]))
    is_listed = not kinds or bool(kinds & {"document order", "tidy stories", "boundary table"})
    return Corpus(engine, corpus_no, content, is_listed)
