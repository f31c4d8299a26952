"""Profiles of one condition that are alike in all that a view of the decisions reads share its rows; any value that it
reads sets them apart.
"""

import re

import pytest

import tdtsql
from tdtsql.definitions.catalogue import catalog, closure
from tdtsql.definitions.table import tables
from tdtsql.scoring import scope

BUNDLE = """
[corpus]
id = "k"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"

{profiles}

[[condition]]
id = "track"
task = "tracking"
profile = [{wanted}]

[[run]]
id = "scores"
condition = "track"
files = ["scores.csv"]
format = "tidy"

[[run]]
id = "decided"
condition = "track"
files = ["decided.csv"]
format = "tidy"
"""
#: T1 has two targets, T2 one that is not answered, T3 none: its false alarms are free where only topics with targets
#: count
FILES = {
    "stories.csv": "story_id,position\n" + "".join(f"S{number},{number}\n" for number in range(1, 9)),
    "topics.csv": "topic_id\nT1\nT2\nT3\n",
    "judgments.csv": "topic_id,story_id,label\nT1,S1,yes\nT1,S2,yes\nT1,S3,no\nT1,S4,brief\nT2,S5,yes\nT3,S1,no\n",
    "scores.csv": "topic_id,story_id,score\nT1,S1,2\nT1,S2,0.5\nT1,S3,1.5\nT1,S4,0.7\nT1,S5,0.5\nT2,S1,1.2\nT2,S6,-1\n"
    "T3,S7,3\nT3,S8,0.6\n",
    "decided.csv": "topic_id,story_id,decision,score\nT1,S1,yes,2\nT1,S3,yes,1.5\nT1,S2,no,1\nT2,S5,no,0.25\nT2,S6,"
    "yes,0.5\nT3,S7,yes,1.25\n",
}
#: what a profile changes -> whether its cells of the curve are those of tdt2004
PROFILES = {
    "dear": ("c_fa = 0.5", True),
    "rare": ("p_target = 0.5", True),
    "excluded": ('judged_no = "excluded"', False),
    "few": ('fa_topics = "with_target"', False),
    "program": ('det_rule = "program"', False),
    "never": ('det_omitted = "never"', False),
    "each": ('topic_cost_minimum = "mean_of_costs"', False),
    "at": ("decide_at = 1", False),
}


def rows(folder, names):
    """Evaluate the runs under these profiles, and return what is reported: {profile: rows}."""
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    profiles = "\n".join(
        f'[profile.{name}]\nbase = "tdt2004"\n{PROFILES[name][0]}\n' for name in names if name in PROFILES
    )
    (folder / "bundle.toml").write_text(
        BUNDLE.format(profiles=profiles, wanted=", ".join(f'"{name}"' for name in names))
    )
    with tdtsql.connect(folder / "store.duckdb") as store:
        store.evaluate(folder / "bundle.toml")
        found = {name: [] for name in names}
        for relation, columns in {
            "score": "run_id, subset, metric, weighting, value, n",
            "block_score": "run_id, block_id, metric, value",
            "det_point": "run_id, weighting, threshold, p_miss, p_fa, p_miss_se, p_fa_se, c_det_norm, n_block",
        }.items():
            for profile_id, *values in store.sql(
                f"select profile_id, '{relation}', {columns} from report.{relation} order by all"
            ).fetchall():
                found[profile_id].append(values)
    return found


@pytest.mark.full
def test_numbers_of_profiles_that_share_are_those_of_each_alone(tmp_path):
    names = ["tdt2004", *PROFILES]
    together = rows(tmp_path / "together", names)
    assert {name: len(found) for name, found in together.items() if len(found) < 100} == {}
    for name in names:
        assert together[name] == rows(tmp_path / name, [name])[name]


def test_views_of_decisions_read_costs_for_the_bayes_threshold_alone():
    relations = {view for name in scope.DECISION_SCANS for view in closure(catalog(), [name])}
    assert {view for view in relations if re.search(r"\b(?:p_target|c_miss|c_fa)\b", catalog()[view].body)} == {
        "base.bayes_threshold__v1"
    }


@pytest.mark.parametrize("name", scope.DECISION_SCANS)
def test_views_that_are_shared_have_a_profile_in_their_grain(name):
    assert catalog()[name].header.grain[:2] == ("run_no", "profile_no")
    assert not catalog()[name].header.is_large


@pytest.mark.parametrize("name", scope.DECISION_SCANS)
def test_of_a_profile_only_its_values_and_fitted_thresholds_are_read(name):
    read = {
        table for view in closure(catalog(), [name]) for table in catalog()[view].header.inputs if table in tables()
    }
    assert {table for table in read if "profile_no" in tables()[table].columns} <= {
        "registry.profile",
        "registry.condition_profile",
        "base.carried_threshold",
    }
