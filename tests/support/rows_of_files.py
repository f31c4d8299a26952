"""Rows of delimited files, as the loaders read them: columns and lines, and what is wrong with the file."""

import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier
from tdtsql.files.find import Inputs
from tdtsql.files.frame import opened_frame
from tdtsql.files.table import read_table
from tdtsql.load.clusters import read_clusters as load_clusters
from tdtsql.files.checks import execute
from tdtsql.load.hierarchy import read_hierarchy_xml
from tdtsql.load.indexes import read_indexes
from tdtsql.load.items import LOGS, ItemColumns, read_samples
from tdtsql.load.indexes import read_index_lists
from tdtsql.load.outputs import read_link_keys, read_outputs
from tdtsql.load.tags import BOUNDARY, RELEVANCE, SUBSET
from tdtsql.load.tags import read_tags as load_tags
from tdtsql.load.trec import read_qrels, read_runs
from tdtsql.load.forms import FORMS, TIDY
from tdtsql.load.ts_files import read_track
from tdtsql.load.ts_topics import read_events
from tdtsql.load.trial_layouts import LABELS, Options
from tdtsql.load.trials import layout_of, read_trials

_ENGINES: list[Engine] = []


def _engine():
    if not _ENGINES:
        _ENGINES.append(Engine(":memory:"))
    return _ENGINES[0]


def read_hierarchy(data, problems):
    """Return system, root, the names of vertices, (vertex, story) of lists, and (source, target) of edges."""
    engine = _engine()
    system = read_hierarchy_xml(engine, data, problems)
    return (
        system,
        engine.value("select value_2 from xml_element where element = 'htd' and belongs"),
        engine.column("select name from xml_vertex order by vertex"),
        engine.rows("select name, story_id from xml_listed order by place"),
        engine.rows("select source, target from xml_edge order by place"),
    )


def read_topics(data, problems):
    """Return the events of a topics file with the true values of each."""
    engine = _engine()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "topics"
        path.write_bytes(data)
        inputs = Inputs(Path(folder))
        read_events(engine, inputs, [(problems.path, path)])
        problems.found += inputs.problems
    values = "list((attribute, time, coalesce(number, latitude), longitude) order by own.rowid) as values"
    return engine.rows(
        f'select event_id, any_value(title), any_value(start), any_value("end"), any_value(kind), {values} '
        "from read_events left join read_true_values as own using (line, event_id) group by line, event_id "
        "order by line"
    )


def read_rows(read, data, problems):
    """Return the rows of a file of these bytes; ``read`` takes engine, inputs and files."""
    engine = _engine()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{''.join(Path(problems.path).suffixes[-2:])}"
        path.write_bytes(data)
        inputs = Inputs(Path(folder))
        rows = read(engine, inputs, [(problems.path, path)])
        problems.found += inputs.problems
        return found_rows(engine, rows)


#: columns of the tables of indexes
_OF_INDEX = {
    "training": "line, docno, source_file, begin, end_ as end",
    "file": "line, path, source_file as name, extension, begin",
}


def _index(engine, indexes):
    """Return what an index file says."""
    [head] = engine.records("from header") or [{}]
    found = SimpleNamespace(**{name: head.get(name) for name in ("pointer_type", "topic_id", "nt_variant")})
    for name, columns in _OF_INDEX.items():
        table = indexes.tables.get(f"index_{name}")
        rows = engine.records(f"select {columns} from {table} order by line") if table else []
        setattr(found, name.replace("file", "files"), [SimpleNamespace(**row) for row in rows])
    table = indexes.tables.get("index_story")
    found.story_ids = engine.column(f"select story_id from {table} order by line, number") if table else []
    return found


def read_index(data, problems, task):
    """Return what an index file says; an empty index where it has no lines."""
    engine = _engine()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index"
        path.write_bytes(data)
        inputs = Inputs(Path(folder))
        found = _index(engine, read_indexes(engine, inputs, task, [(problems.path, path)]))
        problems.found += inputs.problems
        return found


def read_tags(of, data, problems):
    """Return name of a table -> the rows of a file of tags, each as a dictionary without the places of its tags."""
    engine, tables = _engine(), {}

    def read(engine, inputs, files):
        for name, table in load_tags(engine, inputs, of, files, "tags").items():
            tables[name] = engine.records(
                f"select * exclude (file, place, at_column) from {table} order by file, place"
            )
        return SimpleNamespace(parts=[], form=SimpleNamespace(fields={}), table="tag")

    engine.execute("create or replace temp table tag (file integer, line bigint)")
    read_rows(read, data, problems)
    return tables


def found_rows(engine, rows):
    """Return columns and lines of rows; only the columns that the file has."""
    rows, head = rows if isinstance(rows, tuple) else (rows, None)
    if isinstance(rows, str):
        names, relation = ["item_id", "cluster_id", "block_id", "run_id"], rows
    elif rows is None:
        names, relation = [], "(select 0 as file, 0 as line limit 0)"
    else:
        there = {name for part in rows.parts for name in part.cells}
        names, relation = [name for name in rows.form.fields if name in there], rows.table
    listed = ", ".join(map(sql_identifier, names)) or "null"
    table = engine.rows(f"select line, {listed} from {relation} order by file, line")
    columns = {name: [row[place] for row in table] for place, name in enumerate(names, 1)}
    if head is None and engine.value("select count(*) from duckdb_tables() where table_name = 'header'"):
        head = next((SimpleNamespace(**row) for row in engine.records("from header")), None)
    engine.execute("drop view if exists partition_row")
    for name in engine.column("select table_name from duckdb_tables() where temporary"):
        engine.execute(f"drop table {name}")
    return SimpleNamespace(columns=columns, lines=[row[0] for row in table], head=head)


def read_clusters(data, problems, format_="tidy", **more):
    """Return the rows of a file of clusters, with the columns that it has."""

    def read(engine, inputs, files):
        load_clusters(engine, inputs, files, format_, "partition", {}, **more)
        return "partition_row"

    return read_rows(read, data, problems)


def read_tidy(data, problems, form, *, delimiter=","):
    """Return the rows of a CSV (``delimiter`` ``,``) or TSV (tab) file of a form."""
    path, problems.path = problems.path, "t.tsv" if delimiter == "\t" else problems.path
    found = read_rows(lambda engine, inputs, files: read_table(engine, inputs, TIDY[form], files), data, problems)
    problems.path = path
    return found


def check_columns(form, columns, problems):
    """Return the rows of columns given in Python; problems name rows, from 1, as lines."""
    engine, inputs = _engine(), Inputs(Path())
    with opened_frame(engine, columns, as_text=True, name=problems.path) as frame:
        rows = read_table(engine, inputs, TIDY[form], [(problems.path, frame)])
        problems.found += inputs.problems
        return found_rows(engine, rows)


def read_output(task):
    """Return a reader of the output of systems for a task."""
    return lambda data, problems: read_rows(
        lambda engine, inputs, files: read_outputs(engine, inputs, task, files), data, problems
    )


def read_track_rows(kind, data, problems, program=None):
    """Return the rows of a file of the Temporal Summarization track, as the program of a year reads it."""
    return read_rows(lambda engine, inputs, files: read_track(engine, inputs, kind, files, program), data, problems)


def trials_of(inputs, files, options, format_=None, has_pairs=None):
    """Return the trials of files, or of columns, as the loader reads them: columns, attributes and lines."""
    engine = _engine()
    layout = layout_of(files, options, format_, has_pairs=has_pairs)
    trials = read_trials(engine, inputs, files, layout, "trials")
    trials.view()
    names = [*trials.ids, *(name for name in ("score", "decision", "run_id") if trials.has(name))]
    columns = {name: engine.column(f"select {_NAMES.get(name, name)} from trial_row") for name in names}
    if trials.has("label"):
        columns["label"] = engine.column("select is_target from trial_row")
    values = []
    if trials.attributes:
        own = {"is_usual": trials.layout.is_usual}
        execute(engine, "verification/groups", own, "key_group")
        values = engine.column(
            "select attributes from trial_row as said join key_group as own on own.label = said.label "
            "and own.attribute_values = said.attribute_values order by file, line"
        )
    attributes = {name: [row[at] or None for row in values] for at, name in enumerate(trials.attributes)}
    lines = engine.column("select line from trial_row")
    for name in engine.column("select table_name from duckdb_tables() where temporary"):
        engine.execute(f"drop table {name}")
    return SimpleNamespace(columns=columns, attributes=attributes, lines=lines, layout=layout)


_NAMES = {"decision": "is_yes"}


def key_of_columns(columns, problems):
    """Return the trials of a key that is given as columns in Python."""
    inputs = Inputs(Path())
    with opened_frame(_engine(), columns, name=problems.path) as frame:
        found = trials_of(inputs, [(problems.path, frame)], Options())
    problems.found += inputs.problems
    return found


def read_key(format_, is_key, data, problems, has_pairs=None, **spec):
    """Return the trials of a key or a score file (None: of a format that its lines show)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{''.join(Path(problems.path).suffixes[-2:])}"
        path.write_bytes(data)
        inputs = Inputs(Path(folder))
        found = trials_of(inputs, [(problems.path, path)], Options.of(spec, is_key=is_key), format_, has_pairs)
        problems.found += inputs.problems
        return found


def read_items(format_, data, problems):
    """Return the samples of a file of scores of items, or of the log of a program."""

    def read(engine, inputs, files):
        columns = ItemColumns(attributes=("doc.x",) if format_ in LOGS else None)
        found = read_samples(engine, inputs, files, format_, columns, "items")
        return found.rows

    path, problems.path = problems.path, "samples_t.jsonl" if format_ == "lm_eval" else problems.path
    found = read_rows(read, data, problems)
    problems.path = path
    return found


#: kind of file -> its reader
KINDS = {
    **{f"items_{name}": partial(read_items, name) for name in ("tidy", "trec_eval", *LOGS)},
    **{f"key_{name}": partial(read_key, name, True) for name in LABELS},
    **{f"scores_{name}": partial(read_key, name, False) for name in LABELS},
    **{f"tidy_{form}": lambda data, problems, form=form: _tidy(form, data, problems) for form in TIDY},
    "trec_run": lambda data, problems: read_rows(read_runs, data, problems),
    "qrels": lambda data, problems, **more: read_rows(lambda *given: read_qrels(*given, **more), data, problems),
    "tracking_output": read_output("tracking"),
    "new_event_output": read_output("new_event"),
    "link_output": read_output("link"),
    "index_link": lambda data, problems: read_rows(_link_index, data, problems),
    "boundary": partial(read_tags, BOUNDARY),
    "relevance": partial(read_tags, RELEVANCE),
    "subset": partial(read_tags, SUBSET),
    "auxiliary": lambda data, problems: read_rows(partial(_list, FORMS["auxiliary index"]), data, problems),
    "control": lambda data, problems: read_rows(partial(read_index_lists, kind="control file"), data, problems),
    "index_list": lambda data, problems: read_rows(read_index_lists, data, problems),
    "document_order": lambda data, problems: read_rows(partial(_list, FORMS["document order"]), data, problems),
    "topic_list": lambda data, problems: read_rows(partial(_list, FORMS["topic list"]), data, problems),
    "link_key": lambda data, problems: read_rows(read_link_keys, data, problems),
}


def _link_index(engine, inputs, files):
    indexes = read_indexes(engine, inputs, "link", files)
    return indexes.pairs, _index(engine, indexes)


def _list(form, engine, inputs, files):
    return read_table(engine, inputs, form, files)


def _tidy(form, data, problems):
    return read_rows(lambda engine, inputs, files: read_table(engine, inputs, TIDY[form], files), data, problems)


def problems_of(kind, files):
    """Return what is wrong with files of a kind (name, path) that are read together; official kinds."""
    engine, inputs, (what, _, end) = _engine(), Inputs(Path()), kind.partition("_")
    tags = {"boundary": BOUNDARY, "relevance": RELEVANCE, "subset": SUBSET}
    if kind.endswith("_output"):
        read_outputs(engine, inputs, kind.removesuffix("_output"), files)
    elif kind in tags:
        load_tags(engine, inputs, tags[kind], files, "tags")
    elif kind == "index_list":
        read_index_lists(engine, inputs, files)
    elif what == "index":
        read_indexes(engine, inputs, end, files)
    else:
        {"auxiliary": partial(_list, FORMS["auxiliary index"]), "link_key": read_link_keys}[kind](engine, inputs, files)
    for name in engine.column("select table_name from duckdb_tables() where temporary"):
        engine.execute(f"drop table {name}")
    return inputs.problems
