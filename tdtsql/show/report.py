"""The HTML report of a store: one self-contained file, all of it or nothing.

It is a list of sections (``pages: report`` in the header of a saved query), each in parts: one for each condition and
profile, and for what a reader chooses. Leaderboards, comparisons and warnings are plain HTML and need no JavaScript;
the other parts are packed (gzip in base64). The content security policy forbids every request.
"""

import base64
import gzip
import hashlib
import json
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
from markupsafe import Markup

from tdtsql.audit.published import check_published
from tdtsql.compare.settings import TABLE, Method
from tdtsql.definitions.catalogue import catalog, closure, published, read_statement, reading
from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.errors import BrokenDefinition, InvalidComparison, Names, WrongCall, listed
from tdtsql.output_file import check_page, write_whole
from tdtsql.store.sets import own_relations
from tdtsql.progress import Progress, silent
from tdtsql.scoring.score import refresh
from tdtsql.scoring.distribution import store_missing_distributions
from tdtsql.show.page import Grid, Part, context_of, head, text_of
from tdtsql.show.rendering import asset, render
from tdtsql.show.section import SavedQuery, computed, page_of
from tdtsql.store.copy import blinded, pseudonyms, rename
from tdtsql.store.opening import foreign
from tdtsql.store.registry import check_names
from tdtsql.version import __version__

#: decisions of a run above which its score distributions are fitted on request only (``tdtsql score --distributions``),
#: and of a condition above which curves of subsets are drawn on request only (``tdtsql plot det --subset``)
LARGEST_FITTED = 3_000_000
#: views that many sections read: each is read once. Planning a query over views of views takes longer than running it
READ_ONCE = (
    "report.score report.block_score report.det_point report.leaderboard report.condition report.comparison "
    "report.interval ledger.current_computation base.trial_count__v1 base.decision_rule__v1 "
    "metric.cost_topic_ratio__v1"
).split()

_NAME = re.compile(r"\b\w+\.\w+")


def write_report(
    engine: Engine,
    path: str | Path,
    *,
    title: str | None = None,
    run: Names = None,
    resamples: int | None = None,
    permutations: int = 100_000,
    seed: int = 20040,
    blind: bool = False,
    each: bool = False,
    sections: Names = None,
    progress: Progress = silent,
) -> int:
    """Write the HTML report to ``path``; return its size in bytes.

    Args:
        run: a report for one team: its runs, the others under pseudonyms.
        resamples: of the intervals of leaderboards; 0: none; None: 10,000 of topics, 1,000 of scored trials, and
            none where trials times runs exceed 500,000.
        permutations, seed: of the comparisons.
        blind: show pseudonyms of runs, without teams.
        each: a report for each run into the folder ``path``; return their number.
        sections: folders with further saved queries, whose header says ``pages: report N``.

    Raises:
        InvalidComparison: nothing to report, or the folder does not exist.
        UnknownName: no such run.
    """
    refresh(engine, progress)
    check_published(engine)
    runs, path = listed(run), Path(path)
    if bool(blind) + bool(each) + bool(runs) > 1:
        raise WrongCall("--blind writes a report without names, --each one per run: choose one of them, or --run.")
    if each:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidComparison(f"{path}: cannot be made: {error.strerror}. Name another folder.") from None
    else:
        check_page(path)  # before the work, not after it
    check_names(engine, run_id=runs)
    chosen: dict[str, Any] = {"sections": [Path(folder) for folder in listed(sections)], "draws": resamples}
    chosen |= {"method": Method(n_permutation=permutations, seed=seed), "progress": progress}
    with blinded(engine, named=runs) if runs or blind or each else nullcontext(engine) as store:
        title = title or _about(store if blind else engine)[0]
        if not each:
            return write_whole(path, report(store, title=title, **chosen).encode())
        names = pseudonyms(engine)
        for name, pseudonym in names.items():
            file = path / f"{quote(name, safe=' ()+,-.=@_')}.html"  # a name may have what a file's name may not
            rename(store, {pseudonym: name})
            page = report(store, title=f"{title}: {name}", **chosen)
            rename(store, {name: pseudonym})
            write_whole(file, page.encode())
        return len(names)


def _about(engine: Engine) -> tuple[str, str]:
    """Return the title of the report of a store, and what is in it."""
    [(title, headline)] = engine.rows(read_statement("show/headline"))
    return title or f"Evaluation report: {Path(name_of(engine)).stem}", headline


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
    queries = page_of(engine, "report", sections)
    if not engine.value("select count(*) from report.score"):
        raise InvalidComparison(
            "the store has no number that is up to date, so there is nothing to report. `tdtsql score` computes "
            "what is missing."
        )
    method = replace(method or Method(), n_resample=draws or None)
    limits: dict[str, Any] = {"most_trials": None} if draws else {}
    of_method = f"seed = {method.seed} and n_permutation in (0, {method.n_permutation})"
    results = {name: f"(select * from {name} where {of_method})" for name in (TABLE, engine.own_results)}
    with read_once(engine, results):
        read = computed(engine, queries, {}, method=method, intervals=draws != 0, largest=LARGEST_FITTED, **limits)
        # fits are for the page alone: who makes a report changes nothing in the store, and not the head of its ledger
        with nullcontext() if engine.read_only else engine.transaction(keep=False):
            if not engine.read_only:
                store_missing_distributions(engine, largest=LARGEST_FITTED, is_recorded=False)
            return _page(engine, list(zip(queries, read, strict=True)), title, progress)


@contextmanager
def read_once(engine: Engine, results: Mapping[str, str]) -> Iterator[None]:
    """Let queries read views, and views that read them, from tables that are made at their first use, of a store that
    does not change.

    Args:
        results: relation -> what is read instead of it.
    """
    made, sources = list[str](), dict(results)
    relations = {} if foreign(engine) else catalog()
    known = {*READ_ONCE, *sources, *(name for name in relations if {*closure(relations, [name])} & {*READ_ONCE})}

    def rewritten(sql: str) -> str:
        names = known.intersection(_NAME.findall(sql))
        for name in names:
            if name in sources:
                continue
            body = rewritten(relations[name].body) if name in relations else f"select * from {name}"
            sources[name] = f"(\n{body}\n)"
            if name in READ_ONCE:
                sources[name] = f"temp.{engine.unused_name('read_once')}"
                made.append(sources[name])
                engine.connection.execute(f"create temp table {sources[name]} as {body}")
        return reading(sql, sources) if names else sql

    engine.rewrite = rewritten
    try:
        yield
    finally:
        engine.rewrite = str
        engine.execute_all(f"drop table if exists {table}" for table in made)


def _page(
    engine: Engine,
    queries: Sequence[tuple[SavedQuery, SavedQuery]],
    title: str | None,
    progress: Progress,
) -> str:
    facts = [("tdtsql", __version__), ("DuckDB", engine.version), ("store", name_of(engine))]
    facts += [("not verified", message) for message in foreign(engine)]
    boards = engine.records(
        "select condition_id as condition, profile_id as profile, condition.task, plan from registry.condition_profile "
        "join registry.condition as condition using (condition_no) join registry.profile using (profile_no) "
        "join report.condition as facts using (condition_id) where exists (select 1 from registry.run where "
        "run.condition_no = condition.condition_no) order by condition_no, profile_no"
    )
    about, headline = _about(engine)
    context, sections = context_of(engine), []
    for done, (query, read) in enumerate(queries):  # the page has the SQL that any store takes
        progress(done, len(queries), f"reporting {query.title.lower()}")
        try:
            parts, _ = context.parts(engine, read, {})
        except duckdb.ProgrammingError as error:
            raise BrokenDefinition(f"{query.path}: {first_line(error)}. Correct its SELECT.") from None
        if parts:
            sections.append(_section(query, parts, context.topic))
    progress(len(queries), len(queries), "writing the page")
    tasks = list(dict.fromkeys(board["task"] for board in boards))
    data = {
        "boards": boards,
        "facts": facts,
        "metrics": dict(engine.rows("select metric, min(title) from registry.metric group by metric order by metric")),
        "relations": _sources(engine, tasks),
        "sections": {section["name"]: section["data"] for section in sections if not section["layout"]},
        "topic": context.topic,
        "labels": context.labels,
    }
    script = asset("common.js") + "\n" + asset("report.js")
    return str(
        render(
            "report.html",
            title=title or about,
            headline=headline,
            sections=sections,
            boards=boards,
            facts=facts,
            script=Markup(script),
            style=Markup(asset("page.css")),
            digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
            data=Markup(packed(data)),
        )
    )


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
    """Return a table, and the parts of its signatures, by columns, which compress to half of what rows do."""
    rows, signatures = grid["rows"], [text.split("|") for text in grid["signatures"]]
    return grid | {"rows": list(zip(*rows, strict=True)), "signatures": list(zip_longest(*signatures))}


def _sources(engine: Engine, tasks: Sequence[str]) -> dict[str, Any]:
    """Return the contract and SQL of the views that publish metrics of these tasks, and of everything below them."""
    own = own_relations(engine)
    relations, used = {**catalog(), **own}, defaultdict[str, list[str]](list)
    for task in tasks:
        for relation in [*published(task), *own.values()]:
            used[relation.name].append(task)
    return {
        name: {
            "title": relations[name].header.title,
            "formula": textwrap.dedent(" " * 10 + relations[name].header.fields.get("formula", "")),
            "source": relations[name].header.fields["source"],
            "sql": relations[name].body,
            "reads": list(relations[name].header.inputs),
            "publishes": [f"{task} {entry.metric}" for task in used[name] for entry in relations[name].header.metrics],
        }
        for name in closure(relations, [*used])
    }


def packed(data: Any) -> str:
    """Return data as the script of a page unpacks it: JSON, gzip, base64."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")
