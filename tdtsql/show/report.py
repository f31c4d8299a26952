"""The HTML report of a store: one self-contained file, all of it or nothing.

It is a list of sections (``pages: report`` in the header of a saved query), each in parts: one for each condition and
profile, and for what a reader chooses. Leaderboards, comparisons and warnings are plain HTML and need no JavaScript;
the other parts are packed (gzip in base64). The content security policy forbids every request.
"""

import base64
import gzip
import hashlib
import json
import math
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from itertools import count, zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
from markupsafe import Markup

from tdtsql.compare.settings import Method
from tdtsql.definitions.catalogue import Relation, catalog, closure, published, reading
from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.errors import BrokenDefinition, InvalidComparison, counted, first_few
from tdtsql.output_file import check_page, write_whole
from tdtsql.store.sets import own_relations
from tdtsql.progress import Progress, silent
from tdtsql.scoring.distribution import store_missing_distributions
from tdtsql.show.page import Grid, Part, context_of, head, text_of
from tdtsql.show.rendering import asset, render
from tdtsql.show.section import SavedQuery, computed, page_of
from tdtsql.store.copy import blinded, pseudonyms, rename
from tdtsql.store.opening import foreign
from tdtsql.store.registry import check_name
from tdtsql.version import __version__

#: decisions of a run above which its score distributions are fitted on request only (``tdtsql score --distributions``),
#: and of a condition above which curves of subsets are drawn on request only (``tdtsql plot det --subset``)
LARGEST_FITTED = 3_000_000
#: views that many sections read: each is read once. Planning a query over views of views takes longer than running it
_READ_ONCE = (
    "report.score report.block_score report.det_point report.leaderboard report.condition report.comparison "
    "report.interval ledger.current_computation base.trial_count__v1 base.decision_rule__v1 "
    "metric.cost_topic_ratio__v1"
).split()


def write_report(
    engine: Engine, path: Path, *, runs: Sequence[str] = (), title: str | None = None, **chosen: Any
) -> int:
    """Write the HTML report of a store to ``path`` and return its size in bytes; ``chosen`` as for `report`.

    Args:
        runs: those of one team; the others have pseudonyms.

    Raises:
        InvalidComparison: nothing to report, or the folder does not exist.
        UnknownName: no such run.
    """
    check_page(path)  # before the work, not after it
    for run in runs:
        check_name(engine, "run_id", run)
    with blinded(engine, named=runs) if runs else nullcontext(engine) as store:
        return write_whole(path, report(store, title=title or title_of(engine), **chosen).encode())


def write_team_reports(engine: Engine, folder: Path, *, title: str | None = None, **chosen: Any) -> list[Path]:
    """Write an HTML report for every run into a folder, which is created if it does not exist: with the run, and the
    others under pseudonyms; ``chosen`` as for `report`.

    Raises:
        InvalidComparison: nothing to report, or the folder cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidComparison(f"{folder}: cannot be made: {error.strerror}. Name another folder.") from None
    written = []
    with blinded(engine) as copy:
        for run, pseudonym in pseudonyms(engine).items():
            path = folder / f"{quote(run, safe=' ()+,-.=@_')}.html"  # a name may have what a file's name may not
            rename(copy, {pseudonym: run})
            page = report(copy, title=f"{title or title_of(engine)}: {run}", **chosen)
            rename(copy, {run: pseudonym})
            write_whole(path, page.encode())
            written.append(path)
    return sorted(written)


def title_of(engine: Engine) -> str:
    """Return the headline of the report of a store: the bundles of its corpora; of one without a bundle the corpus."""
    bundles = engine.column(
        """select coalesce(max_by(json_extract_string(detail, '$.bundle'), entry_no), corpus_id) from registry.corpus
        left join ledger.entry on kind = 'load' and subject = 'corpus:' || corpus_id
        group by corpus_no, corpus_id order by corpus_no"""
    )
    return f"Evaluation report: {first_few(list(dict.fromkeys(bundles))) or Path(name_of(engine)).stem}"


def name_of(engine: Engine) -> str:
    """Return the name of the store's file."""
    return Path(engine.path).name if engine.path != ":memory:" else "in memory"


def report(
    engine: Engine,
    *,
    title: str | None = None,
    method: Method | None = None,
    sections: Sequence[Path] = (),
    progress: Progress = silent,
    draws: int | None = None,
) -> str:
    """Return the report of a store as HTML; the same store gives the same text.

    Args:
        title: None: the name of the bundle.
        method: of the comparisons.
        sections: folders with a user's own sections.
        progress: called with (done, total, name of the step).
        draws: of the intervals; 0: none; None: those of the method, and none of many scored trials.

    Raises:
        InvalidComparison: the store has no number that is up to date.
    """
    facts = [("tdtsql", __version__), ("DuckDB", engine.version), ("store", name_of(engine))]
    facts += [("not verified", message) for message in foreign(engine)]
    queries = page_of(engine, "report", sections)
    if not engine.value("select count(*) from report.score"):
        raise InvalidComparison(
            "the store has no number that is up to date, so there is nothing to report. `tdtsql score` computes "
            "what is missing."
        )
    method = replace(method or Method(), n_resample=draws or None)
    limits = {"most_trials": None} if draws else {}
    with _reading_once(engine):
        read = computed(engine, queries, {}, method=method, intervals=draws != 0, largest=LARGEST_FITTED, **limits)
        # fits are for the page alone: who makes a report changes nothing in the store, and not the head of its ledger
        with nullcontext() if engine.read_only else engine.transaction(keep=False):
            if not engine.read_only:
                store_missing_distributions(engine, largest=LARGEST_FITTED, is_recorded=False)
            return _page(engine, list(zip(queries, read, strict=True)), title or title_of(engine), facts, progress)


@contextmanager
def _reading_once(engine: Engine) -> Iterator[None]:
    """Let queries read each of the views that several of them read once, on a store that does not change; views that
    read them do so, too.
    """
    made: dict[str, str] = {}
    relations = {} if foreign(engine) else catalog()
    above = {name for name, of in relations.items() if {*closure(relations, [name])} & {*_READ_ONCE}}

    def rewritten(sql: str) -> str:
        names = [name for name in {*_READ_ONCE, *above} if name in sql]
        for name in names:
            if name not in made:
                body = rewritten(relations[name].body) if name in relations else f"select * from {name}"
                kind = "table" if name in _READ_ONCE else "view"
                made[name] = f"temp.main.{engine.unused_name('read_once')}"
                engine.connection.execute(f"create temp {kind} {made[name].rpartition('.')[2]} as {body}")
        return reading(sql, made) if names else sql

    engine.rewrite = rewritten
    try:
        yield
    finally:
        engine.rewrite = str
        for name, table in reversed(made.items()):
            engine.execute(f"drop {'table' if name in _READ_ONCE else 'view'} if exists {table}")


def _page(
    engine: Engine,
    queries: Sequence[tuple[SavedQuery, SavedQuery]],
    title: str,
    facts: list[tuple[str, str]],
    progress: Progress,
) -> str:
    boards = engine.records(
        "select condition_id as condition, profile_id as profile, condition.task, plan from registry.condition_profile "
        "join registry.condition as condition using (condition_no) join registry.profile using (profile_no) "
        "join report.condition as facts using (condition_id) where exists (select 1 from registry.run where "
        "run.condition_no = condition.condition_no) order by condition_no, profile_no"
    )
    context, sections = context_of(engine), []
    for done, (query, read) in enumerate(queries):  # the page has the SQL that any store takes
        progress(done, len(queries), f"reporting {query.title.lower()}")
        try:
            found = engine.query(read.body, query.values({}))
        except duckdb.ProgrammingError as error:
            raise BrokenDefinition(f"{query.path}: {first_line(error)}. Correct its SELECT.") from None
        if parts := context.parts(query, [name for name, *_ in found.description], found.fetchall()):
            sections.append(_section(query, parts, context.topic))
    progress(len(queries), len(queries), "writing the page")
    tasks = list(dict.fromkeys(board["task"] for board in boards))
    sources, relations = _sources(tasks, own_relations(engine))
    data = {
        "boards": boards,
        "facts": facts,
        "metrics": dict(engine.rows("select metric, min(title) from registry.metric group by metric order by metric")),
        "sources": sources,
        "relations": relations,
        "sections": {section["name"]: section["data"] for section in sections if not section["layout"]},
        "topic": context.topic,
        "labels": context.labels,
    }
    script = asset("common.js") + "\n" + asset("report.js")
    return str(
        render(
            "report.html",
            title=title,
            headline=_headline(engine, boards),
            sections=sections,
            boards=boards,
            facts=facts,
            script=Markup(script),
            style=Markup(asset("page.css")),
            digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
            data=Markup(packed(data)),
        )
    )


def _headline(store: Engine, boards: Sequence[Mapping[str, Any]]) -> str:
    conditions = {board["condition"] for board in boards}
    tasks = sorted({board["task"].replace("_", " ") for board in boards})
    own = store.column("select distinct metric from registry.metric where starts_with(metric, 'own:') order by 1")
    more = f"; user-defined metrics: {', '.join(own)}" if own else ""
    runs = counted(store.value("select count(*) from registry.run"), "run")
    return f"{runs} under {counted(len(conditions), 'condition')}: {', '.join(tasks)}{more}"


def _section(query: SavedQuery, parts: Sequence[Part], topic: str) -> dict[str, Any]:
    layout = query.show.options.get("layout", "")
    return {
        "name": query.name,
        "title": query.title.replace("Topics", f"{topic.capitalize()}s") if topic != "topic" else query.title,
        "text": text_of(query),
        "layout": layout,
        "parts": parts,
        "sql": query.body.strip(),
        "data": {
            "by": [head(name, topic) for name in query.show.by],
            "parts": [
                {"place": part.place, "choice": part.choice}
                | ({"grid": _packed(part.grid)} if part.grid else {"svg": str(part.svg)})
                for part in parts
            ],
        },
    }


def _packed(grid: Grid) -> Grid:
    """Return a table by columns, which compress to half of what rows do, with its signatures as numbers of their parts,
    which many have in common.
    """
    parts: dict[str, int] = defaultdict(count().__next__)
    split = [[parts[part] for part in text.split("|")] for text in grid["signatures"]]
    signatures = {"parts": list(parts), "columns": list(zip_longest(*split, fillvalue=-1))}
    return grid | {"rows": list(zip(*grid["rows"], strict=True)), "signatures": signatures}


def _sources(tasks: Sequence[str], own: Mapping[str, Relation]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return task -> metric -> its views, and the contract and SQL of these views and of everything below them."""
    sources: dict[str, dict[str, list[str]]] = {}
    for task in tasks:
        found: dict[str, list[str]] = {}
        for relation in [*published(task), *own.values()]:
            for entry in relation.header.metrics:
                found.setdefault(entry.metric, []).append(relation.name)
        sources[task] = found
    relations = {**catalog(), **own}
    used = {name for found in sources.values() for names in found.values() for name in names}
    return sources, {
        name: {
            "title": relations[name].header.title,
            "formula": textwrap.dedent(" " * 10 + relations[name].header.fields.get("formula", "")),
            "source": relations[name].header.fields["source"],
            "sql": relations[name].body,
            "reads": list(relations[name].header.inputs),
        }
        for name in closure(relations, [name for name in used if name in relations])
    }


def packed(data: Any) -> str:
    """Return data as the script of a page unpacks it: JSON, gzip, base64."""
    try:
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str)
    except ValueError:
        return packed(_finite(data))
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")


def _finite(data: Any) -> Any:
    """Return ``data`` as JSON has it: infinities as texts, NaN as None."""
    if isinstance(data, float) and not math.isfinite(data):
        return None if math.isnan(data) else str(data)
    if isinstance(data, Mapping):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return data
