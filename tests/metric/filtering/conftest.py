"""Views over given contingencies: no files, no loading, only the SQL under test.

`contingencies` takes a table of counts A B C D per topic, puts it where the
count view would be, and gives the rows of any view above it.
"""

from functools import partial

import pytest

from insert_rows import insert_rows
from trial_model import empty_store, fetch

COUNT, TRIALS = "metric.detection_count__v1", "base.trial_count__v1"
#: views whose rows a test gives: their columns
TABLES = {
    COUNT: "run_no profile_no subset_no block_no n_target n_nontarget n_hit n_false_alarm n_miss n_correct_rejection "
    "n_trial n_decided is_decided".split(),
    TRIALS: "condition_no profile_no block_no segment_no n_target n_nontarget".split(),
}
#: columns of the profile that these views read; a test changes what it needs
PROFILE = {
    "p_target": 0.02,
    "c_miss": 1.0,
    "c_fa": 0.1,
    "fa_topics": "with_target",
    "topic_cost": "mean_of_costs",
    "f_beta": 0.5,
    "t11su_beta": 0.5,
    "t11su_min": -0.5,
    "empty_topic": "undefined",
    "empty_retrieved": "undefined",
    "missing_topic": "empty",
}


class Views:
    """One run of one condition under one profile, topics numbered from 1."""

    def __init__(self, topics, profile, answered):
        self.topics, self.connection = list(topics), empty_store()
        add = partial(insert_rows, self.connection.execute)
        here, of_run = {"condition_no": 1}, {"run_no": 1, "profile_no": 1, "subset_no": 0}
        condition = {"condition_id": "c", "corpus_no": 1, "task": "filtering", "base_condition_no": 1}
        add("registry.corpus", [{"corpus_no": 1, "corpus_id": "c"}])
        add("registry.condition", [here | condition])
        add("registry.profile", [{"profile_no": 1, "profile_id": "p", **PROFILE, **profile}])
        add("registry.condition_profile", [here | {"profile_no": 1}])
        add("registry.run", [here | {"run_no": 1, "run_id": "r", "format": "trec"}])
        add("base.subset", [here])
        add("base.block", [here | {"block_no": n, "block_id": name} for n, (name, _) in enumerate(self.topics, 1)])
        for name, columns in TABLES.items():
            self.connection.execute(f"create table {name} ({', '.join(f'{column} bigint' for column in columns)})")
        counts = [
            {"block_no": n, "n_target": a + c, "n_nontarget": b + d, "n_hit": a, "n_false_alarm": b, "n_miss": c}
            | {"n_correct_rejection": d, "n_trial": a + b + c + d, "n_decided": a + b + c + d, "is_decided": 1}
            for n, (_, (a, b, c, d)) in enumerate(self.topics, 1)
        ]
        add(COUNT, [of_run | row for row in counts])
        of_segment = here | {"profile_no": 1, "segment_no": 1}
        add(TRIALS, [of_segment | {name: row[name] for name in TABLES[TRIALS] if name in row} for row in counts])
        decision = {"run_no": 1, "trial_no": 1, "segment_no": 1, "is_yes": True, "score": 1.0}
        said = [n for n, (name, _) in enumerate(self.topics, 1) if answered is None or name in answered]
        add("base.decision", [decision | {"block_no": n} for n in said])

    def rows(self, view):
        """Return the rows of a view as dictionaries, sorted."""
        return fetch(self.connection, view.removeprefix("metric.").removesuffix("__v1"))

    def topic_rows(self, view):
        """Return the rows of a view by topic id."""
        return {self.topics[row["block_no"] - 1][0]: row for row in self.rows(view)}


@pytest.fixture
def contingencies():
    """Give a function: topics {id: (A, B, C, D)} and what differs in the profile -> Views."""
    made = []

    def make(topics, *, answered=None, **profile):
        made.append(Views(topics.items(), profile, answered))
        return made[-1]

    yield make
    for views in made:
        views.connection.close()
