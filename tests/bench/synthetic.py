"""A loaded store without files: tracking runs written straight into the base tables.

For measuring what comes after loading. Scores and topics are hashes of their
keys, so a store of any size is made inside the engine and is the same each time.
"""

import time
from collections.abc import Iterable
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import catalog, closure
from tdtsql.store.contents import contents_of, owner_hash
from tdtsql.store.derived import build_labelled_story
from tdtsql.store.profiles import load_profiles
from tdtsql.definitions.create import create_tables
from tdtsql.scoring.scope import Scope

#: counts and costs alone, without curves
COUNTS = ("metric.detection_pooled__v1", "metric.detection_topic_weighted__v1")


def empty_store(path: Path | str, n_topic: int, n_story: int, memory_limit: str | None = None) -> Engine:
    """Return a store with one tracking condition, one run without decisions, all stories tested for all topics."""
    engine = Engine(str(path), memory_limit=memory_limit)
    create_tables(engine)
    load_profiles(engine, {}, "shipped")
    write_condition(engine, n_topic, n_story)
    return engine


def write_condition(engine: Engine, n_topic: int, n_story: int) -> None:
    """Write a tracking condition with one run without decisions, all stories tested for all topics."""
    for statement in (
        f"insert into registry.corpus (corpus_no, corpus_id, n_story, content_sha256) values (1, 'bench', {n_story}, "
        "'')",
        "insert into registry.condition (condition_no, condition_id, corpus_no, task, judgment_set, "
        "base_condition_no, mapping, on_topic,"
        " has_key, is_required, content_sha256) values (1, 'bench', 1, 'tracking', 1, 1, 'majority', 'yes', 0, 0, '')",
        "insert into registry.condition_profile select 1, profile_no from registry.profile where profile_id = "
        "'tdt2004'",
        "insert into registry.run (run_no, run_id, condition_no, format, n_row, content_sha256) values (1, 'bench', "
        "1, 'tidy', 0, '')",
        "insert into base.subset values (1, 0, 'all', 'all')",
        "insert into base.curve_request values (1, 0, 0)",
        f"insert into base.segment values (1, 1, {n_story})",
        f"insert into base.segment_story select 1, story, 1 from range(1, {n_story + 1}) as t(story)",
        "insert into base.block (condition_no, block_no, block_id, topic_no, is_scored)"
        f" select 1, topic, 't' || topic, topic, 1 from range(1, {n_topic + 1}) as t(topic)",
        f"insert into base.test_segment select 1, topic, 1 from range(1, {n_topic + 1}) as t(topic)",
    ):
        engine.execute(statement)


def record_contents(engine: Engine, *numbers: str) -> None:
    """Register the content hashes of owners with number 1, named by their columns (corpus_no, condition_no, run_no)."""
    for number in numbers:
        kind = number.removesuffix("_no")
        contents = contents_of(engine, f"{kind}:bench", (number, 1))
        content = owner_hash(number, "bench", contents)
        engine.execute(f"update registry.{kind} set content_sha256 = ? where {number} = 1", [content])


def write_export(folder: Path, n_topic: int, n_story: int, n_target: int = 70, digits: int = 15) -> None:
    """Write the folder of such a store as ``tdtsql export`` does, its decisions straight into their file."""
    import tdtsql
    from tdtsql.store.export import export

    with tdtsql.connect(":memory:") as store:
        write_condition(store.engine, n_topic, n_story)
        step = max(1, n_story // n_target)
        store.engine.execute(f"""
            insert into base.judgment select 1, 1, topic, 1 + target * {step}, 'yes'
            from range(1, {n_topic + 1}) as t(topic), range({min(n_target, n_story)}) as s(target)""")
        build_labelled_story(store.engine, [1])
        record_contents(store.engine, "corpus_no", "condition_no")
        store.engine.execute(f"update registry.run set n_row = {n_topic * n_story}")
        export(store.engine, folder)
        path = folder / "base" / "decision" / "condition=bench" / "run=bench" / "part.parquet"
        store.engine.execute(f"""
            copy (
                select cast(1 as integer) as run_no, cast(topic as integer) as block_no,
                    cast(story as integer) as trial_no, cast(1 as integer) as segment_no,
                    score > 0.99 as is_yes, round(score, {digits}) as score
                from (
                    select topic, story, hash(story, topic) / 18446744073709551616.0
                        + case when (story - 1) % {step} = 0 and (story - 1) // {step} < {n_target} then 0.5 else 0
                            end as score
                    from range(1, {n_topic + 1}) as t(topic), range(1, {n_story + 1}) as s(story)
                )
            ) to '{path}' (format parquet, compression zstd, row_group_size 1000000)""")


def timed(engine: Engine, names: Iterable[str], parts: dict[str, float] | None = None) -> float:
    """Return the seconds that computing views (and all they read) takes; ``parts`` receives those of each."""
    profiles = [row[0] for row in engine.rows("select profile_no from registry.condition_profile")]
    scope = Scope(engine, [1], [1], profiles)
    total = 0.0
    try:
        for name in closure(catalog(), names):
            start = time.perf_counter()
            scope.build([name])
            seconds = time.perf_counter() - start
            total += seconds
            if parts is not None:
                parts[name] = seconds
    finally:
        scope.close()
    return total
