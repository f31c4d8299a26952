"""Extended B-CUBED of a run that takes over 10^8 pairs of stories: not made until somebody asks, and then kept.

10,050 stories, all in one reference topic; the system puts each in topic ``all`` and in four of 60 others by chance.
Two stories share the reference topic, and s = 1 + what they share of the 60:

    precision of e = mean over all f of min(1, s(e, f)) / s(e, f)        recall = 1
"""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import tdtsql
from bundle_file import write_bundle, write_csv
from tdtsql.cli.main import cli

N_STORY, N_TOPIC = 10_050, 60


def others() -> list[list[int]]:
    """Return the four topics of each story beside ``all``."""
    chance = random.Random(60)
    return [sorted(chance.sample(range(N_TOPIC), 4)) for _ in range(N_STORY)]


@pytest.fixture(scope="module")
def db(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    stories = [f"S{number:05}" for number in range(N_STORY)]
    write_csv(
        folder / "stories.csv",
        ["story_id", "position"],
        [(story, place) for place, story in enumerate(stories, start=1)],
    )
    write_csv(folder / "topics.csv", ["topic_id"], [["all"], *[[f"t{topic:02}"] for topic in range(N_TOPIC)]])
    write_csv(folder / "judgments.csv", ["topic_id", "story_id", "label"], [("all", story, "yes") for story in stories])
    said = [
        (topic, story)
        for story, topics in zip(stories, others(), strict=True)
        for topic in ("all", *(f"t{topic:02}" for topic in topics))
    ]
    write_csv(
        folder / "run.csv",
        ["topic_id", "story_id", "decision", "score"],
        [(topic, story, "yes", 1) for topic, story in sorted(said)],
    )
    bundle = write_bundle(
        folder,
        corpus={"id": "large", "stories": "stories.csv", "topics": "topics.csv", "judgments": "judgments.csv"},
        conditions=[{"id": "c", "task": "tracking", "profile": ["tdt2004"]}],
        runs=[{"id": "R", "condition": "c", "files": ["run.csv"], "format": "tidy"}],
    )
    tdtsql.evaluate(bundle, db=folder / "large.duckdb").close()
    return folder / "large.duckdb"


def values(db: Path) -> dict[str, float | None]:
    with tdtsql.connect(db) as store:
        return dict(store.sql("select metric, value from report.score where weighting = 'story'").fetchall())


def ran(*arguments: object):
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.full
def test_not_made_unasked_with_the_reason_then_made_and_kept(db):
    before = values(db)
    assert [before[f"b3_ext_{name}"] for name in ("precision", "recall", "f1")] == [None, None, None]
    assert before["p_miss"] == 0.0
    with tdtsql.connect(db) as store:
        rows = store.sql(
            "select weighting, n_precision, n_recall, null_reason from metric.bcubed_extended_score__v1 order by "
            "weighting"
        ).fetchall()
        assert rows == [("story", 0, 0, "too many pairs"), ("topic", 0, 0, "too many pairs")]

    asked = json.loads(
        ran("score", "--metric", "b3_ext_precision", "--weighting", "story", "--db", db, "--format", "json").output
    )

    has = np.zeros((N_STORY, N_TOPIC), dtype=np.float32)
    for story, topics in enumerate(others()):
        has[story, topics] = 1
    worth = [(1 / (1 + (part @ has.T).astype(np.float64))).mean() for part in np.array_split(has, 100)]
    expected = float(np.average(worth, weights=[len(part) for part in np.array_split(has, 100)]))
    assert [row["value"] for row in asked] == [pytest.approx(expected, abs=1e-12)]
    after = values(db)
    assert (after["b3_ext_precision"], after["b3_ext_recall"]) == (asked[0]["value"], 1.0)
    assert {name: value for name, value in after.items() if not name.startswith("b3_ext_")} == {
        name: value for name, value in before.items() if not name.startswith("b3_ext_")
    }

    # computed once more it is the same number: what was asked for is asked for again
    ran("ledger", "verify", "--db", db)
