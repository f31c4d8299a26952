"""Files of clusters: which item is in which cluster.

    item_id,cluster_id[,block_id][,run_id]          CSV, TSV, Parquet, data frames, JSON lines
    {"id": "a", "cluster": "7"[, "block": ...]}     JSON lines

and the columns of CoNLL. Ids are text as it is written: ``007`` is not ``7``, ``NULL`` and ``nan`` are names. An empty
cluster says that the item is listed and in no cluster. Where the columns are named by the user, other columns may be
there; several that together name the item are joined by ``/``.

    #begin document (NAME); part 000
    NAME 0 0 word (1
    NAME 0 1 word 1)|(2)
    #end document

The last column of CoNLL says which mentions begin and end in the line: ``(3)`` one line, ``(3`` opens, ``3)`` closes,
the latest open mention of a number first; ``-`` or ``_`` nothing. A mention is its first and last line, counted from 0
in the document without empty lines. Work across documents writes two columns, a mention and ``(cluster)``: there a line
is an item, called by its first column. ``sql/load/conll`` makes rows of the lines, and checks them.

Code   Meaning
E929   blocks on one side only
W916   a mention in two clusters of the gold, where every profile keeps the first

Source: S. Pradhan et al., CoNLL-2012 shared task, section 4.3 (data format); the file checks of the CoNLL scorer 8.01.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier
from tdtsql.files.checks import drop_made, execute, report_all
from tdtsql.files.find import Inputs
from tdtsql.files.json_lines import is_json_lines
from tdtsql.files.kinds import ID, WRITTEN
from tdtsql.files.lines import Source, lines, open_texts
from tdtsql.files.rows import Form, cell_part, finish, scan
from tdtsql.files.table import read_table
from tdtsql.files.text import first_lines


class Names(NamedTuple):
    """What the columns of a table, or the fields of JSON objects, are called."""

    item: tuple[str, ...] = ("item_id",)
    cluster: str = "cluster_id"
    block: str = "block_id"
    run: str = "run_id"
    has_others: bool = False


_TIDY, _JSON = Names(), Names(("id",), "cluster", "block", "run_id", True)


@dataclass(slots=True)
class Clusters:
    """M memberships of some files, in the view ``partition_row``: file, line, place (their order on a line), run_id
    (NULL where files name no runs), block_id, item_id and cluster_id (NULL: in no cluster).
    """

    engine: Engine
    paths: list[str]  #: names of the files, by their numbers
    table: str  #: that the view reads; without the columns that no file has
    has_blocks: bool = False
    has_runs: bool = False

    @property
    def relation(self) -> str:
        """The rows as the view has them; without blocks all are in the block ``all``."""
        run = "run_id" if self.has_runs else "cast(null as varchar) as run_id"
        block = "block_id" if self.has_blocks else "'all' as block_id"
        return f"(select file, line, place, {run}, {block}, item_id, cluster_id from {self.table})"

    def show(self) -> None:
        """Let the view have these rows."""
        self.engine.execute(f"create or replace temp view partition_row as from {self.relation}")

    def replace(self, table: str) -> None:
        """Let the rows be those of another table, which name blocks."""
        self.engine.execute("drop view partition_row")
        self.engine.execute(f"drop table {self.table}")
        self.engine.execute(f"alter table {table} rename to {self.table}")
        self.has_blocks = True
        self.show()


def read_clusters(
    engine: Engine,
    inputs: Inputs,
    files: Sequence[Source],
    format_: str,
    kind: str,
    options: Mapping[str, object],
    *,
    may_repeat: bool = False,
    is_gold: bool = False,
) -> Clusters:
    """Return the memberships of files in one format; every problem goes to ``inputs``. The table ``partition_document``
    has the number of lines of documents whose items are spans of lines.

    Args:
        kind: what the files are registered as.
        options: names of columns: item, cluster, block.
        may_repeat: a mention of CoNLL may be in several clusters. In gold the first one keeps it, with a warning; the
            CoNLL scorer prints a warning and keeps it in all. Of a run all memberships are returned, in their order.
        is_gold: the files are the gold.
    """
    names = _names_of(options, files if format_ == "jsonl" else ())
    fields = {**dict.fromkeys((*names.item, names.cluster, names.block), WRITTEN), names.run: ID}
    form = Form(
        "partition",
        fields,
        optional=(names.cluster,),
        absent=(names.block, names.run),
        separator=",",
        has_others=names.has_others,
        naming="Correct the name, or name the columns in the bundle (item, cluster).",
    )
    paths = [given for given, _ in files]
    engine.make_rows("partition_document", ("block_id varchar", "n_line bigint"))
    if format_ == "conll":
        texts = open_texts(inputs, files, kind)
        own = {"may_repeat": may_repeat, "is_gold": is_gold}
        engine.execute(f"create or replace temp view conll_text as from {lines(engine, texts)}")
        execute(engine, "conll/rows", own)
        report_all(engine, "conll", {text.file: text.problems for text in texts}, own)
        cells = {name: name for name in ("item_id", "cluster_id", "block_id")}
        parts = []
        for text in texts:
            relation = f"(select * exclude (file) from conll_item where file = {text.file})"
            parts.append(cell_part(text.file, text.problems, relation, cells, text))
        execute(engine, "partition/partition_document", {}, "partition_document")
        rows = finish(inputs, scan(engine, form, parts), kind)
        drop_made(engine, "conll/rows")
    else:
        rows = read_table(
            engine, inputs, form, files, kind, is_json=lambda given, _: format_ == "jsonl" or is_json_lines(given)
        )
    with_blocks = [names.block in part.cells for part in rows.parts]
    if len(set(with_blocks)) > 1:
        odd, other = (
            min(file for part, has in zip(rows.parts, with_blocks, strict=True) if has == wanted for file in part.files)
            for wanted in (False, True)
        )
        said = f"the file names no blocks, {paths[other]} does"
        inputs.add("E929", paths[odd], said, "Give both a column block_id, or none.")
    has_runs = not is_gold and any(names.run in part.cells for part in rows.parts)
    clusters = Clusters(engine, paths, engine.unused_name("partition_read"), any(with_blocks), has_runs)
    columns = [f"{_item(names.item)} as item_id", f"{sql_identifier(names.cluster)} as cluster_id"]
    columns += [f"{sql_identifier(names.block)} as block_id"] * clusters.has_blocks
    columns += [f"{sql_identifier(names.run)} as run_id"] * has_runs
    engine.execute(
        f"create temp table {clusters.table} as select file, line, rowid as place, {', '.join(columns)} "
        f"from {rows.table}"
    )
    inputs.tables.append(clusters.table)
    engine.execute(f"drop table {rows.table}")  # its texts take more memory than the ids
    clusters.show()
    return clusters


def _names_of(options: Mapping[str, object], json_files: Sequence[Source]) -> Names:
    """Return the names that a bundle gives (item, cluster, block), and the usual ones for the others: those of tidy
    tables, or of JSON lines whose first object has others.
    """
    item = options.get("item")
    items = (item,) if isinstance(item, str) else tuple(item or ())  # type: ignore[arg-type]
    named = {key: str(options[key]) for key in ("cluster", "block") if key in options}
    usual = _TIDY
    if json_files:
        usual = _JSON
        try:
            first = json.loads(next(iter(first_lines(json_files[0][1], 1)), ""))  # type: ignore[arg-type]
        except (ValueError, RecursionError):
            first = None
        if not (items or named) and isinstance(first, dict) and {"item_id", "cluster_id"} <= first.keys():
            usual = _TIDY._replace(has_others=True)
    is_named = bool(items or named)
    return usual._replace(item=items or usual.item, has_others=usual.has_others or is_named, **named)


def _item(columns: Sequence[str]) -> str:
    """Return SQL of an item that columns name together."""
    if len(columns) == 1:
        return sql_identifier(columns[0])
    parts = [f"replace(replace({sql_identifier(one)}, '\\', '\\\\'), '/', '\\/')" for one in columns]
    return " || '/' || ".join(parts)
