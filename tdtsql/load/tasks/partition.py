"""Partitions into the base tables: the gold clusters of a condition, then the clusters of its runs.

Rows stay in the engine from the file (`tdtsql.load.clusters`) to the tables; ``sql/load/partition`` numbers and checks
them. Items, clusters and blocks are numbered by their names, so that the same rows get the same numbers in any order
and format.

Code   Meaning
E318   a table without rows that needs some
E870   no id of a run, or of another input, occurs in its reference
W870   no item of the run occurs in the gold, and all profiles of the condition are defined in the bundle
W921   a duplicate item in a cluster: counted once
E922   an item in several clusters, under overlap = error of a profile
W922   items in several clusters under another policy
E923   a gold item without a cluster of the run, under missing_item = error of a profile
W923   gold items without a cluster of the run, under another policy
E924   an item of the run without gold, under spurious_item = error of a profile
W924   items of the run without gold, under another policy
E925   a document whose lines differ from the gold
W926   a block on one side only
W927   ids that differ only in spelling
W928   a cluster with a typical name of noise, and no noise_label
E929   blocks on one side only
W930   a run without a cluster
W931   items that are not stories of the corpus
W932   items of excluded source files of the corpus
W933   stories of too many days for subsets by day
E934   windows of days that are not valid: words, or a step longer than a window
E935   windows of days, although the rows have blocks
E936   windows of days, and an item of the gold without a day
W971   an id in scientific notation
W937   windows of days, and items of a run outside all windows
E938   languages of a condition: its gold determines what is scored
"""

import re
from collections.abc import Callable, Sequence
from functools import partial

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute, report, select
from tdtsql.files.find import Inputs
from tdtsql.load.clusters import Clusters, read_clusters
from tdtsql.load.plan import (
    Checks,
    ConditionSpec,
    RunSpec,
    Source,
    StoredCondition,
    drop_tables,
    files_of_runs,
    has_columns,
)
from tdtsql.load.condition import Condition, needed_files
from tdtsql.load.corpus import Corpus
from tdtsql.load.tasks import recognised_format
from tdtsql.load.topics import story_spec
from tdtsql.store.profiles import shipped_profiles
from tdtsql.tasks.declaration import RunFormat

TASK = "partition"
#: maximum days of stories that become subsets; for more of them use windows
MOST_DAYS = 366
_STEPS = (
    *("partition/gold", "partition/members", "partition/gold_members"),
    *("topics/stories", "partition/tested", "topics/segment", "partition/subsets", "condition/subsets"),
)


def _leave_out(checks: Checks, clusters: Clusters, side: str, *, are_stories: bool) -> None:
    """Remove items of excluded source files; report them, and the items that are not stories.

    Args:
        side: gold or run.
        are_stories: report an item that is not a story; False where items are of another kind, or in no window.
    """
    if checks.engine.value("select count(*) from partition_story"):
        checks.report(*["W931"] * are_stories, "W932", side=side)
        left_out = "item_id in (select item_id from partition_story where is_left_out)"
        checks.engine.execute(f"delete from {clusters.table} where {left_out}")


def _put_into_windows(checks: Checks, clusters: Clusters) -> None:
    """Put every row into each window that has the day of its story; others are removed."""
    checks.make("partition_in_window")
    clusters.replace("partition_in_window")


# ---- conditions


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the gold of a condition. E720: it names none."""
    spec, inputs = condition.spec, condition.inputs
    where = f"condition '{spec['id']}'"
    policies = _policies(engine, condition.profiles)
    files = needed_files(condition, "gold")
    if "languages" in spec:
        inputs.add(
            "E938",
            where,
            "languages does nothing here: the gold says which items count",
            'Remove it; a language is a subset (score --subset "language=ENGLISH").',
            value=", ".join(spec["languages"]),
        )
    format_ = spec.get("gold_format") or recognised_format(condition.task, files)
    may_repeat = _keeps_first(policies)
    clusters = read_clusters(engine, inputs, files, format_, f"{TASK} gold", spec, may_repeat=may_repeat, is_gold=True)
    own = {"policies": " ".join(policies), "has_blocks": clusters.has_blocks, "condition": None}
    checks = Checks(engine, inputs, TASK, clusters.paths or ["clusters"], own)
    if files and not inputs.has_errors and not engine.rows("select 1 from partition_row limit 1"):
        said = "no row below the header, expected at least one item in a cluster"
        inputs.add("E318", files[0][0], said, "Complete the table.")
    execute(engine, f"{TASK}/repeated")
    checks.report("W921", "W922", "W927-clusters", "W927-blocks")
    drop_tables(engine, "partition_repeated")
    plan = story_spec(engine, condition, corpus)
    execute(engine, f"{TASK}/stories", plan.parameters, "partition_story")
    n_story, n_gold = engine.rows("""
        select (select count(*) from partition_story),
            (select count(*) from partition_row semi join partition_story using (item_id))""")[0]
    if n_story and not n_gold:
        plan.notes = [f"{where}: no item of the gold is a story of the corpus, so there are no subsets"]
    _leave_out(checks, clusters, "gold", are_stories=n_gold > 0 and "window" not in spec)
    n_day = engine.value(
        "select count(distinct day) from partition_story semi join partition_row using (item_id) where day <> ''"
    )
    engine.make_rows("partition_window", ("block_id varchar", "first_day varchar", "last_day varchar"))
    windows: list[tuple] = []
    if "window" in spec or "step" in spec:
        own = {key: str(days) for key in ("window", "step") if (days := spec.get(key, spec.get("window"))) is not None}
        if not report(inputs, [where], engine, f"{TASK}/E934", own):
            execute(engine, f"{TASK}/windows_of_days", own, "partition_window")
        windows = engine.rows("from partition_window order by first_day")
        is_refused = checks.report("E935")
        checks.report("E936")
        if windows and not is_refused:
            _put_into_windows(checks, clusters)
    elif n_day > MOST_DAYS:
        said = f"the stories of the gold are of {n_day} days, and more than {MOST_DAYS} are no subsets"
        inputs.add("W933", files[0][0], said, 'For numbers over time say window = "7 days".')
    plan.names = [*policies, *_names(engine, corpus.corpus_no, windows)]
    plan.parameters["has_days"] = not windows and n_day <= MOST_DAYS
    plan.tables["partition_row"] = clusters.relation
    engine.execute("drop view partition_row")
    plan.keep(engine, "partition_document", "partition_window")
    plan.steps = _STEPS
    return plan


def _names(engine: Engine, corpus_no: int, windows: Sequence[tuple]) -> list[str]:
    """Return how runs are read; that they refer to the gold is in the hash of its file, to the stories in that of the
    corpus.
    """
    left_out = "select source_file from base.source_file where corpus_no = ? and is_excluded = 1 order by source_file"
    names = [f"left out: {name}" for name in engine.column(left_out, [corpus_no])]
    days = "select item_id || ' ' || day from partition_story order by item_id"
    return [*names, *map(str, windows), *(engine.column(days) if windows else ())]


def _keeps_first(policies: Sequence[str]) -> bool:
    """Return whether every profile assigns a repeated item to its first cluster."""
    return bool(policies) and all("repeated_item=first" in policy for policy in policies)


def _policies(engine: Engine, profiles: Sequence[str]) -> list[str]:
    """Return which of the profiles refuse what, each as one text."""
    return [row["policy"] for row in select(engine, f"{TASK}/policies", {"profiles": list(profiles)})]


# ---- runs

_RUN = """run repeated W921 W922 tally W930 W923 spurious twins W924 E870 W927 W971 E929 W926 W927-clusters
    W927-blocks W928 E925 members run_members""".split()


def _read_runs(
    format_: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> RunSpec:
    """Return the runs of files in one format: tidy, conll or jsonl."""
    engine, condition_no = target.engine, target.condition_no
    profiles = engine.column(
        "select profile_id from registry.condition_profile join registry.profile using (profile_no) "
        "where condition_no = ? order by profile_no",
        [condition_no],
    )
    policies = _policies(engine, profiles)
    clusters = read_clusters(engine, inputs, files, format_, TASK, inputs.options, may_repeat=_keeps_first(policies))
    parameters = {
        "condition": condition_no,
        "has_blocks": clusters.has_blocks,
        "noise_label": target.policies.get("noise_label") or "",
        # coreference scorers print 0 for a run without any gold item: profiles of a bundle can say so
        "disjoint": "E870" if shipped_profiles().keys() & profiles else "W870",
        "policies": " ".join(policies),
    }
    checks = Checks(engine, inputs, TASK, clusters.paths or ["clusters"], parameters)
    checks.make("partition_window")
    inputs.tables += ["partition_window", "partition_document"]
    windows = engine.value("select count(*) from partition_window")
    of_stories = "select count(*) from base.partition_item where condition_no = ? and story_no > 0"
    execute(engine, f"{TASK}/stories", {"corpus": target.corpus_no}, "partition_story")
    _leave_out(checks, clusters, "run", are_stories=not windows and bool(engine.value(of_stories, [condition_no])))
    if windows and not checks.report("E935"):
        checks.report("E870-windows", "W937")
        _put_into_windows(checks, clusters)
    by_name = files_of_runs(engine, clusters.paths, "partition_row", "run_id")
    runs: dict[str | None, list[str]] = {name: by_name[name] for name in sorted(filter(None, by_name))}
    return RunSpec(
        steps=[f"{TASK}/{name}" for name in _RUN],
        inputs=inputs,
        paths=clusters.paths,
        parameters={**parameters, "has_blocks": clusters.has_blocks},
        tables={"partition_row": clusters.relation},
        runs=runs or {None: list(clusters.paths)},
        rows=clusters.relation,
    )


#: format -> whether a first line is of it
_RECOGNISED: dict[str, Callable[[str], bool]] = {
    "tidy": has_columns("item_id", "cluster_id"),
    "conll": lambda first: first.startswith("#"),
    "jsonl": lambda first: re.match(r"\s*[{\[]\s*([\"{\[]|$)", first) is not None,
}

FORMATS = {name: RunFormat(partial(_read_runs, name), "run_id", recognises) for name, recognises in _RECOGNISED.items()}
