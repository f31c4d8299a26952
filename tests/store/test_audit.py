"""Every invariant holds for what was evaluated, and a wrong row breaks the one that is about it."""

import shutil

import pytest

import tdtsql
from tdtsql.audit.invariants import audit
from tdtsql.store.stored_results import asked, invariants


@pytest.fixture(scope="module")
def evaluated(example_store):
    return example_store


def test_at_least_thirty_and_all_hold(evaluated):
    with tdtsql.connect(evaluated, read_only=True) as store:
        results = audit(store.engine)

    assert len(results) == len(invariants()) + 2 > 30  # and rows of comparisons, and the chain of the ledger
    assert [(result.invariant.name, result.first) for result in results if result.n_bad] == []
    assert len({invariant.name for invariant in invariants()}) == len(invariants())


BREAKING = {
    "rate_in_unit": ("ledger.result_score", "value = 1.25", "metric = 'p_fa'"),
    "score_is_finite": ("ledger.result_score", "value = 'nan'", "metric = 'c_det'"),
    "cost_not_negative": ("ledger.result_score", "value = -1", "metric = 'c_det_norm'"),
    "count_is_whole": ("ledger.result_score", "value = 3.5", "metric = 'n_target'"),
    "targets_add_up": ("ledger.result_score", "value = value + 1", "metric = 'n_hit'"),
    "nontargets_add_up": ("ledger.result_score", "value = value + 1", "metric = 'n_false_alarm'"),
    "blocks_add_up_to_targets": ("ledger.result_block", "value = value + 1", "metric = 'n_target' and subset_no = 0"),
    "pooled_p_miss": (
        "ledger.result_score",
        "value = value / 2",
        "metric = 'p_miss' and weighting = 'story' and value > 0",
    ),
    "mean_p_miss_between": (
        "ledger.result_score",
        "value = 1",
        "metric = 'p_miss' and weighting = 'topic' and subset_no = 0",
    ),
    "minimum_cost": ("ledger.result_score", "value = 99", "metric = 'min_c_det' and weighting = 'story'"),
    "curve_monotone": ("ledger.result_det_point", "p_miss = 1, p_fa = 0", "point_no > 1 and p_fa > 0 and p_miss < 1"),
    "undefined_has_no_n": ("ledger.result_score", "value = null, n = 3", "metric = 'c_det'"),
    "topics_bounded": ("ledger.result_score", "n = 713", "metric = 'min_c_det_norm' and weighting = 'topic'"),
    "judgment_label": ("base.judgment", "label = 'maybe'", "true"),
    "judgment_has_a_story": ("base.judgment", "story_no = 999999", "true"),
    "labelled_stories_follow": ("base.judgment", "label = 'no'", "label = 'yes'"),
    "condition_is_partition": ("registry.condition", "is_partition = 1", "is_partition = 0"),
    "run_is_partition": ("registry.run", "is_partition = 1", "is_partition = 0"),
    "story_numbers_dense": ("base.story", "story_no = 999999", "true"),
    "profile_costs": ("registry.profile", "c_miss = -1", "profile_id = 'f4de'"),
    "segment_count": ("base.segment", "n_trial = n_trial + 1", "true"),
    "decision_is_finite": ("base.decision", "score = 'inf'", "true"),
    "ledger_chain": ("ledger.entry", "subject = 'nobody'", "true"),
}


@pytest.fixture(scope="module")
def changed(evaluated, tmp_path_factory):
    """Return a copy of the store, open: what is changed in it is taken back."""
    with tdtsql.connect(shutil.copy(evaluated, tmp_path_factory.mktemp("audit"))) as store:
        yield store.engine


@pytest.mark.parametrize("name", BREAKING)
def test_a_wrong_row_breaks_its_invariant(changed, name):
    table, change, where = BREAKING[name]
    changed.execute("begin")
    try:
        number = changed.value(f"select min(rowid) from {table} where {where}")
        changed.execute(f"update {table} set {change} where rowid = {number}")
        # the chain of the ledger is no query
        result = (
            next(one for one in audit(changed) if one.invariant.name == name)
            if name == "ledger_chain"
            else asked(changed, next(invariant for invariant in invariants() if invariant.name == name))
        )
    finally:
        changed.execute("rollback")

    assert result.invariant.name == name
    assert result.n_bad
    assert result.first
