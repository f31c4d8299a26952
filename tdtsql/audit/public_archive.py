"""Public archives: what may be passed on where a corpus and what systems said of it may not, and how far that can be
verified.

In it are names, counts, numbers, signatures and hashes: the tables of TABLES. Scores of items are numbers where an item
has one sample. Not in it are stories, judgments, decisions, samples of several epochs, curves (their thresholds are
scores of the system), names that a run gave (best vertices), fitted score distributions, and the offending texts of
warnings.

Verified of it: every byte; that results follow from the tables; names, profiles, files and computations against the
ledger, which is that of the whole archive; the hash of each run; the hash over all numbers of tasks without curves and
names; and every number that follows from the counts of the topics, computed again by the definitions themselves.
"""

from collections.abc import Iterator

from tdtsql.definitions.catalogue import catalog, computed, published, read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import first_few
from tdtsql.scoring.recompute import Divergence
from tdtsql.scoring.scope import Scope
from tdtsql.scoring.score import insert_statements
from tdtsql.store.contents import NOTHING, contents_of, owner_hash
from tdtsql.store.opening import LOCKED, TRACED
from tdtsql.store.recording import recorded_contents, result_fingerprints
from tdtsql.task import TASKS

TABLES = (
    *"""registry.corpus registry.condition registry.condition_profile registry.excluded_topic registry.run
    registry.run_fact registry.withdrawal registry.input_file registry.profile registry.made_with registry.current_input
    registry.own_metric""".split(),
    *LOCKED,
    *TRACED,
    *"""base.subset base.subset_cell base.block base.item_measure base.item_score ledger.computation ledger.result_score
    ledger.result_block ledger.entry""".split(),
)

#: tables of which not all rows are in the archive (archive/parts)
ROWS = ("base.item_score",)

#: the view whose rows are numbers of topics; other views are computed again from them
_COUNTS = "metric.detection_count__v1"


def recompute(engine: Engine) -> tuple[list[Divergence], list[str]]:
    """Return numbers of a public archive that its recomputation does not reproduce, and sentences on the limits of the
    check.

    Args:
        engine: a store in memory with the tables of the archive.
    """
    divergences = [*_other_runs(engine)]
    computations = engine.records(read_statement("verify/current"))
    hashed = [row for row in computations if _is_all_here(row["task"])]
    now = result_fingerprints(engine, [row["computation_no"] for row in hashed]) if hashed else {}
    for row in hashed:
        again, kept = now[row["computation_no"]], (row["n_value"], row["result_sha256"])
        if again != kept:
            what = "the hash over all its numbers"
            divergences.append(Divergence(row["run"], row["profile"], what, kept[1][:8], again[1][:8]))
    _compute_from_counts(engine)
    [scores] = engine.records(read_statement("archive/public/again"))
    n_run = engine.value("select count(*) from registry.run")
    return divergences + [Divergence(**one) for one in scores["divergences"]], [
        "Every byte, and that the results follow from the tables.",
        f"Names, profiles, input files and computations are those of its ledger, and the hashes of {n_run} runs are "
        f"those of what was loaded.",
        f"The numbers of {len(hashed)} of {len(computations)} computations have the hash that the ledger says; the "
        f"others were hashed with curves or names that are not here.",
        f"{scores['n_again']:,} of {scores['n']:,} scores were recomputed from the counts of topics, bitwise "
        "identical.",
        "Not checked, for the decisions and texts are not here: the counts themselves"
        + (f", and {first_few(scores['missing'], 12)}." if scores["missing"] else "."),
    ]


def _other_runs(engine: Engine) -> Iterator[Divergence]:
    """Yield runs whose hash, or scores of items, are not those that the ledger says were loaded."""
    rows = engine.rows(
        """select condition_id || '/' || run_id, run_id, run.content_sha256, run_no, run_no in (
            select run_no from ledger.result_block join ledger.computation using (computation_no)
            where metric in (select measure from base.item_measure))
        from registry.run as run join registry.condition using (condition_no) order by condition_id, run_id"""
    )
    owners = [f"run:{row[0]}" for row in rows]
    loaded, scores = recorded_contents(engine, owners), contents_of(engine, dict.fromkeys(owners, ROWS))
    for name, run, kept, _, has_scores in rows:
        of_run = loaded.get(f"run:{name}", {})
        again = owner_hash("run_no", run, of_run)
        if again != kept:
            yield Divergence(name, "every profile", "hash of the run", kept[:8], again[:8])
        for table in ROWS:
            then, now = (of.get(table, NOTHING) for of in (of_run, scores[f"run:{name}"]))
            if now != then and (now != NOTHING or not has_scores):
                yield Divergence(name, "every profile", table, then[1][:8], now[1][:8])


def _is_all_here(task: str) -> bool:
    """Return whether a public archive has all that the hash of a computation covers: no curves, and no names."""
    return not TASKS[task].is_detection and not any(
        column.unit == "text"
        for view in published(task)
        for column in view.header.columns
        if column.name in {metric.metric for metric in view.header.metrics}
    )


def _compute_from_counts(engine: Engine) -> None:
    """Compute again, into tables again_score and again_block, what follows from the counts of topics."""
    engine.make_temporary("keeping", "select computation_no, run_no, profile_no from ledger.computation")
    for kind in ("score", "block"):
        engine.make_temporary(f"again_{kind}", f"from ledger.result_{kind} limit 0")
    numbers = [
        engine.column(f"select {kind}_no from registry.{kind} order by 1") for kind in ("condition", "run", "profile")
    ]
    tasks = engine.column("select distinct task from registry.condition order by 1")
    tasks = [task for task in tasks if TASKS[task].is_detection]
    done = {_COUNTS}
    with Scope(engine, *numbers) as scope:
        engine.execute(f"create table base.given as {read_statement('archive/public/count')}")
        scope.replace(_COUNTS, "from base.given")
        for task in tasks:
            known = frozenset(computed(task))
            views = [name for name in computed(task) if name not in done and _follows(name, known)]
            scope.build(views)
            done |= set(views)
            for view in published(task):
                if view.name in views:
                    for statement in insert_statements(view, scope.relation(view.name), "again"):
                        engine.execute(statement)


def _follows(name: str, known: frozenset[str]) -> bool:
    """Return whether a view can be computed from the counts of topics and the tables that are here."""
    if name == _COUNTS or name in TABLES:
        return True
    relation = catalog().get(name)
    return relation is not None and name in known and all(_follows(source, known) for source in relation.header.inputs)
