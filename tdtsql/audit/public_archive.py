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

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import catalog, computed, published
from tdtsql.scoring.recompute import Divergence, same
from tdtsql.scoring.scope import Scope
from tdtsql.scoring.score import insert_statements
from tdtsql.store.contents import NOTHING, contents_of_runs, owner_hash
from tdtsql.store.definitions import LOCKED, TRACED
from tdtsql.store.ledger import replay, result_fingerprint
from tdtsql.task import TASKS

TABLES = (
    "registry.corpus",
    "registry.condition",
    "registry.condition_profile",
    "registry.excluded_topic",
    "registry.run",
    "registry.run_fact",
    "registry.withdrawal",
    "registry.input_file",
    "registry.profile",
    "registry.made_with",
    "registry.current_input",
    "registry.own_metric",
    *LOCKED,
    *TRACED,
    "base.subset",
    "base.subset_cell",
    "base.block",
    "base.item_measure",
    "base.item_score",
    "ledger.computation",
    "ledger.result_score",
    "ledger.result_block",
    "ledger.entry",
)

#: SQL of the rows (``stored``) of a table that are in the archive, where these are not all
ROWS = {"base.item_score": "stored.run_no not in (select run_no from base.item_score where epoch <> 1)"}

#: views whose rows are stored in full, as numbers of topics; the other views are recomputed from them
_COUNTS = {
    "metric.detection_count__v1": ("n_target", "n_nontarget", "n_hit", "n_false_alarm", "n_miss", "n_correct_rejection")
}


def recompute(engine: Engine) -> tuple[list[Divergence], tuple[str, ...]]:
    """Return numbers of a public archive that its recomputation does not reproduce, and sentences on the limits of the
    check.

    Args:
        engine: a store in memory with the tables of the archive; its views of counts are replaced.
    """
    n_run, divergences = _runs(engine)
    n_hash, n_computation, found = _hashes(engine)
    divergences += found
    again, found = _from_counts(engine)
    divergences += found
    n_value = engine.value(
        "select (select count(*) from ledger.result_score) + (select count(*) from ledger.result_block)"
    )
    left = sorted(
        set(
            engine.column(
                "select distinct metric from ledger.result_score union select distinct metric from ledger.result_block"
            )
        )
        - again.keys()
    )
    n_again = sum(again.values())
    reach = [
        "Every byte, and that the results follow from the tables.",
        f"Names, profiles, input files and computations are those of its ledger, and the hashes of {n_run} runs are "
        f"those of what was loaded.",
        f"The numbers of {n_hash} of {n_computation} computations have the hash that the ledger says; the others were "
        f"hashed with curves or names that are not here.",
        f"{n_again:,} of {n_value:,} scores were recomputed from the counts of topics, bitwise identical.",
        "Not checked, for the decisions and texts are not here: the counts themselves"
        + (f", and {', '.join(left[:12])}{f' and {len(left) - 12} more' if len(left) > 12 else ''}." if left else "."),
    ]
    return divergences, tuple(reach)


def _runs(engine: Engine) -> tuple[int, list[Divergence]]:
    """Hold the hash of each run, and the scores of its items, against what the ledger says was loaded of it."""
    loaded = replay(engine).tables
    rows = engine.rows(
        """select condition_id, run_id, run.content_sha256, run_no from registry.run as run join registry.condition
        using (condition_no) order by all"""
    )
    found, scores = [], contents_of_runs(engine, [number for *_, number in rows], list(ROWS))
    stored = engine.column("""
        select distinct run_no from ledger.result_block join ledger.computation using (computation_no)
        where metric in (select measure from base.item_measure)""")
    for condition, run, kept, number in rows:
        of_run = loaded.get(f"run:{condition}/{run}", {})
        again = owner_hash("run_no", run, of_run)
        if again != kept:
            found.append(Divergence(f"{condition}/{run}", "every profile", "hash of the run", kept[:8], again[:8]))
        for table in ROWS:
            then, now = (of.get(table, NOTHING) for of in (of_run, scores[number]))
            if now != then and (now != NOTHING or number not in stored):
                found.append(Divergence(f"{condition}/{run}", "every profile", table, then[1][:8], now[1][:8]))
    return len(rows), found


def _hashes(engine: Engine) -> tuple[int, int, list[Divergence]]:
    """Hold the numbers of each computation against their hash, where all that was hashed is here."""
    rows = engine.rows("""
        select computation_no, condition_id || '/' || run_id, profile_id, task, n_value, result_sha256
        from ledger.computation join registry.run using (run_no) join registry.condition using (condition_no)
            join registry.profile using (profile_no) order by all""")
    checked = [row for row in rows if not TASKS[row[3]].is_detection and not _publishes_names(row[3])]
    found = []
    for number, run, profile, _, n_value, kept in checked:
        now = result_fingerprint(engine, number)
        if now != (n_value, kept):
            found.append(Divergence(run, profile, "the hash over all its numbers", kept[:8], now[1][:8]))
    return len(checked), len(rows), found


def _publishes_names(task: str) -> bool:
    return any(
        column.unit == "text"
        for view in published(task)
        for column in view.header.columns
        if column.name in {metric.metric for metric in view.header.metrics}
    )


def _from_counts(engine: Engine) -> tuple[dict[str, int], list[Divergence]]:
    """Compute again what follows from the counts of topics; returns how many numbers of each metric were, and those
    that differ.
    """
    engine.execute("create temp table keeping as select computation_no, run_no, profile_no from ledger.computation")
    numbers = [
        engine.column(f"select {kind}_no from registry.{kind} order by 1") for kind in ("condition", "run", "profile")
    ]
    scope = Scope(engine, *numbers)  # the text of a stored view holds all that it reads
    for name, metrics in _COUNTS.items():
        columns = ", ".join(
            f"cast(max(case when metric = '{metric}' then value end) as bigint) as {metric}" for metric in metrics
        )
        # the other columns of the view follow from the counts; a run with scores only has no hits
        engine.execute(f"""
            create table base.given as
            select *, n_target + n_nontarget as n_trial, case when n_hit is null then 0 else n_target + n_nontarget
                end as n_decided, case when n_hit is null then 0 else 1 end as is_decided
            from (
                select run_no, profile_no, subset_no, block_no, {columns} from ledger.result_block
                    join ledger.computation using (computation_no)
                where metric in ({", ".join(f"'{metric}'" for metric in metrics)}) group by all)""")
        scope.replace(name, "select * from base.given")
    for kind in ("score", "block"):
        engine.execute(f"create temp table again_{kind} as select * from ledger.result_{kind} limit 0")
    tasks = engine.column(
        """select distinct task from registry.condition where task in (select task from registry.task where
        is_detection = 1) order by 1"""
    )
    done: set[str] = set(_COUNTS)
    for task in tasks:
        known = frozenset(computed(task))
        views = [name for name in computed(task) if name not in done and _follows(name, known)]
        scope.build(views)
        done |= set(views)
        for view in published(task):
            if view.name in views:
                for statement in insert_statements(view, scope.relation(view.name), "again"):
                    engine.execute(statement)
    scope.close()
    again: dict[str, int] = {}
    found = []
    for kind, keys in (
        ("score", "subset_no, metric, weighting, version"),
        ("block", "subset_no, block_no, metric, version"),
    ):
        n = ", kept.n, again.n" if kind == "score" else ", 0, 0"
        for row in engine.rows(f"""
                select kept.metric, condition_id || '/' || run_id, profile_id, kept.subset_no, kept.value,
                    again.value{n}
                from ledger.result_{kind} as kept join again_{kind} as again using (computation_no, {keys})
                join ledger.computation using (computation_no) join registry.run using (run_no)
                    join registry.condition using (condition_no)
                join registry.profile using (profile_no) order by computation_no, {keys}"""):
            again[row[0]] = again.get(row[0], 0) + 1
            if not same(row[4], row[5], exact=True) or row[6] != row[7]:
                found.append(
                    Divergence(
                        row[1], row[2], f"{row[0]}, subset {row[3]}, from the counts of its topics", row[4], row[5]
                    )
                )
    return again, found


def _follows(name: str, known: frozenset[str]) -> bool:
    """Return whether a view can be computed from the counts of topics and the tables that are here."""
    if name in _COUNTS or name in TABLES:
        return True
    relation = catalog().get(name)
    return relation is not None and name in known and all(_follows(source, known) for source in relation.header.inputs)
