"""Two clusterings in, B-CUBED rows out: a store in memory with only what the views read."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import duckdb
import pytest

from tdtsql.metric.catalog import catalog, closure, sql_root

POLICIES = ("exclude", "drop", "zero", "singleton")
DEFAULT = ("exclude", "exclude")
VIEWS = ("score", "topic", "extended_score", "extended_topic")

#: (story, topic)
Membership = tuple[str, str]


@dataclass
class Answer:
    """One case: what is true, what the system said, how many stories there are beside."""

    reference: set[Membership]
    response: set[Membership]
    n_other_story: int = 0
    numbers: dict[str, int] = field(default_factory=dict)  #: topic -> block_no, made while loading


def load(cases: Mapping[str, Answer], policies: Iterable[tuple[str, str]]) -> duckdb.DuckDBPyConnection:
    """Return a connection with one condition and one run per case, all profiles on each, and the views."""
    con = duckdb.connect(config={"threads": 1})
    for schema in ("registry", "base", "metric"):
        con.execute(f"create schema {schema}")
    for path in sorted((sql_root() / "schema").glob("[1-4]_*.sql")):
        con.execute(path.read_text(encoding="utf-8"))
    profiles = list(policies)
    for number, (unassigned, unjudged) in enumerate(profiles, start=1):
        con.execute(
            "insert into registry.profile (profile_no, profile_id, source, judged_no, training, b3_unassigned, b3_unjudged,"
            " p_target, c_miss, c_fa, fa_topics, topic_cost) values (?, ?, 'test', 'scored', 'excluded', ?, ?,"
            " 0.02, 1, 0.1, 'all', 'cost_of_means')",
            [number, f"{unassigned}/{unjudged}", unassigned, unjudged],
        )
    rows: dict[str, list[tuple]] = {}

    def add(table: str, *values: object) -> None:
        rows.setdefault(table, []).append(values)

    for number, (name, case) in enumerate(cases.items(), start=1):
        topics = sorted({topic for _, topic in case.reference | case.response})
        stories = sorted({story for story, _ in case.reference | case.response})
        case.numbers = {topic: index for index, topic in enumerate(topics, start=1)}
        story_no = {story: index for index, story in enumerate(stories, start=1)}
        n_story = len(stories) + case.n_other_story
        add("registry.condition", number, name, number, "tracking", 1, number, "majority", "yes", 0, 0, "")
        add("registry.run", number, name, number, "tidy", len(case.response), "")
        add("base.subset", number, 0, "all", "all")
        add("base.segment", number, 1, n_story)
        for profile_no in range(1, len(profiles) + 1):
            add("registry.condition_profile", number, profile_no)
        for topic, block_no in case.numbers.items():
            add("base.block", number, block_no, topic, block_no, None, 1)
            add("base.test_segment", number, block_no, 1)
        for story in range(1, n_story + 1):
            add("base.segment_story", number, story, 1)
        for story, topic in sorted(case.reference):
            add("base.judgment", number, 1, case.numbers[topic], story_no[story], "yes")
        for story, topic in sorted(case.response):
            add("base.decision", number, case.numbers[topic], story_no[story], True, 1.0)
    columns = {
        "registry.condition": "(condition_no, condition_id, corpus_no, task, judgment_set, base_condition_no, mapping,"
        " on_topic, has_key, is_required, content_sha256)",
        "registry.run": "(run_no, run_id, condition_no, format, n_row, content_sha256)",
    }
    for table, values in rows.items():
        for part in itertools.batched(values, 5000) if hasattr(itertools, "batched") else [values]:
            marks = ", ".join("(" + ", ".join("?" * len(values[0])) + ")" for _ in part)
            con.execute(f"insert into {table} {columns.get(table, '')} values {marks}", [v for row in part for v in row])
    wanted = [f"metric.bcubed_{view}__v1" for view in VIEWS] + [f"metric.detection_{v}__v1" for v in ("pooled", "topic_weighted")]
    relations = catalog()
    for relation in closure(relations, [name for name in wanted if name in relations]):
        con.execute(f"create view {relation} as {relations[relation].body}")
    return con


def fetch(con: duckdb.DuckDBPyConnection, relation: str) -> list[dict]:
    cursor = con.execute(f"select * from {relation}")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


@pytest.fixture(scope="session")
def partition_scores():
    """Score cases: name -> {'exclude/exclude' -> {'story' -> row, 'topic' -> row}}; plain or extended."""

    def score(cases: Mapping[str, Answer], policies: Iterable[tuple[str, str]] = (DEFAULT,), view: str = "score"):
        policies = list(policies)
        with load(cases, policies) as con:
            names = list(cases)
            found: dict = {}
            for row in fetch(con, f"metric.bcubed_{view}__v1"):
                profile = "/".join(policies[row["profile_no"] - 1])
                found.setdefault(names[row["run_no"] - 1], {}).setdefault(profile, {})[row["weighting"]] = row
            return found

    return score


@pytest.fixture(scope="session")
def partition_rows():
    """Score one case and return the rows of any view of the metric layer."""

    def rows(case: Answer, view: str, policy: tuple[str, str] = DEFAULT) -> list[dict]:
        with load({"case": case}, [policy]) as con:
            return fetch(con, f"metric.{view}__v1")

    return rows
