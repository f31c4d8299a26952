"""Views over given contingencies: no files, no loading, only the SQL under test.

`contingencies` takes a table of counts A B C D per topic, puts it where the
count view would be, and gives the rows of any view above it.
"""

import pytest

from insert_rows import insert_rows
from trial_model import empty_store
from tdtsql.definitions.catalogue import catalog, closure

COUNT = "metric.detection_count__v1"
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
        self.topics = list(topics)
        self.connection = empty_store()
        here = {"condition_no": 1}
        self._insert("registry.corpus", corpus_no=1, corpus_id="c")
        self._insert("registry.condition", **here, condition_id="c", corpus_no=1, task="filtering", base_condition_no=1)
        self._insert("registry.profile", profile_no=1, profile_id="p", **{**PROFILE, **profile})
        self._insert("registry.condition_profile", **here, profile_no=1)
        self._insert("registry.run", **here, run_no=1, run_id="r", format="trec")
        self._insert("base.subset", **here)
        self.connection.execute(
            f"create table {COUNT} (run_no integer, profile_no integer, subset_no integer, block_no integer, "
            "n_target bigint, n_nontarget bigint, n_hit bigint, n_false_alarm bigint, n_miss bigint, "
            "n_correct_rejection bigint, n_trial bigint, n_decided bigint, is_decided integer)"
        )
        self.connection.execute(
            "create table base.trial_count__v1 (condition_no integer, profile_no integer, block_no integer, "
            "segment_no integer, n_target bigint, n_nontarget bigint)"
        )
        for block, (topic, (a, b, c, d)) in enumerate(self.topics, start=1):
            self._insert("base.block", condition_no=1, block_no=block, block_id=topic)
            self.connection.execute(
                f"insert into {COUNT} values (1, 1, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
                [block, a + c, b + d, a, b, c, d, a + b + c + d, a + b + c + d],
            )
            self.connection.execute("insert into base.trial_count__v1 values (1, 1, ?, 1, ?, ?)", [block, a + c, b + d])
            if answered is None or topic in answered:
                self._insert(
                    "base.decision", run_no=1, block_no=block, trial_no=1, segment_no=1, is_yes=True, score=1.0
                )
        self.made = {COUNT, "base.trial_count__v1"}

    def _insert(self, relation, **values):
        insert_rows(self.connection.execute, relation, [values])

    def rows(self, view):
        """Return the rows of a view as dictionaries, ordered by its key."""
        relations = catalog()
        for name in closure(relations, [view]):
            if name not in self.made:
                self.made.add(name)
                self.connection.execute(f"create view {name} as {relations[name].body}")
        cursor = self.connection.execute(f"select * from {view} order by {', '.join(relations[view].header.grain)}")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

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
