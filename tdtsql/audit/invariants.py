"""Invariants: what must hold in every store, each as a query for the rows that break it.

``error``: a number or a row that is wrong. ``warning``: possible, but suspicious. Invariants marked ``at_load`` read no
large table and are checked after every load. Those marked ``of_kept`` compare stored results with their contract,
range and grain. They are checked after scoring, and when a store opens that was written to since the last check.
"""

from collections.abc import Callable
from functools import partial

from tdtsql.store.stored_results import ERROR, KEPT, MAY_BE_INFINITE, WARNING, Invariant, Result, asked
from tdtsql.engine.duckdb import Engine
from tdtsql.store.ledger import verify_chain
from tdtsql.own.stored import broken_own
from tdtsql.store.derived import rows_of, stale_rows
from tdtsql.task import TASKS, WEIGHTINGS, task_list_sql

#: how far two roundings of the same number may be apart
_NEAR = "1e-9"

_RATES = (
    "'p_miss', 'p_fa', 'min_p_miss', 'min_p_fa', 'precision', 'recall', 'f1', 'f_beta', 't11su', 'tdt5su', "
    "'b3_precision', 'b3_recall', 'b3_f1', "
    "'b3_ext_precision', 'b3_ext_recall', 'b3_ext_f1', 'comprehensiveness', 'eer', 'auc', 'partial_auc', "
    "'p_hit_at_p_fa', 'act_p_miss', 'act_p_fa'"
)
_COUNTS = (
    "'n_target', 'n_nontarget', 'n_hit', 'n_false_alarm', 'n_miss', 'n_correct_rejection', 'n_update', "
    "'n_sampled_update', 'n_match', "
    "'n_vertex', 'depth', 'n_multi_parent', 'n_multi_listed'"
)
#: metrics that a run has only on request
_ON_REQUEST = " or ".join(
    f"(condition.task = '{task.name}' and starts_with(metric.relation, 'metric.{family}_'))"
    for task in TASKS.values()
    for family in task.on_request
)
_COSTS = (
    "'c_det', 'c_det_norm', 'c_trk', 'c_det_prel', 'c_det_prel_norm', 'min_c_det', 'min_c_det_norm', 'min_cost', "
    "'c_travel_norm', 'best_c_det_norm', "
    "'expected_travel_norm', 'act_c_det', 'act_c_det_norm', 'cllr', 'min_cllr'"
)


def _pairs(left: str, right: str, condition: str) -> str:
    """Return a query for two metrics of the same run, profile, subset and weighting that break ``condition``."""
    return f"""
        select a.run_id, a.condition_id, a.profile_id, a.subset, a.weighting, a.value as {left}, b.value as {right}
        from report.score as a
            join report.score as b on b.run_id = a.run_id and b.condition_id = a.condition_id
            and b.profile_id = a.profile_id
            and b.subset = a.subset and b.weighting = a.weighting
        where a.metric = '{left}' and b.metric = '{right}' and ({condition})"""


def _block_pairs(left: str, right: str, condition: str) -> str:
    return f"""
        select a.run_id, a.condition_id, a.profile_id, a.subset, a.block_id, a.value as {left}, b.value as {right}
        from report.block_score as a
            join report.block_score as b on b.run_id = a.run_id and b.condition_id = a.condition_id
            and b.profile_id = a.profile_id and b.subset = a.subset and b.block_id = a.block_id
        where a.metric = '{left}' and b.metric = '{right}' and ({condition})"""


def _sum(total: str, parts: tuple[str, str]) -> str:
    """Return a query for counts that are not the sum of their parts."""
    wanted = ", ".join(f"'{name}'" for name in (total, *parts))
    return f"""
        select run_id, condition_id, profile_id, subset, weighting, max(case when metric = '{total}' then value
            end) as {total},
            sum(case when metric <> '{total}' then value end) as parts
        from report.score where metric in ({wanted}) group by all having count(value) = 3 and {total} is distinct
        from parts"""


def _blocks_add_up(metric: str) -> str:
    return f"""
        select whole.run_id, whole.condition_id, whole.profile_id, whole.subset, whole.value as of_run,
            sum(part.value) as of_blocks
        from report.score as whole
            join report.block_score as part on part.run_id = whole.run_id and part.condition_id = whole.condition_id
            and part.profile_id = whole.profile_id and part.subset = whole.subset and part.metric = whole.metric
        where whole.metric = '{metric}' and whole.weighting in ('story', 'none')
            and whole.task in ({task_list_sql(is_by_topic=True)})
        group by all having of_run is distinct from of_blocks"""


def _between(metric: str) -> str:
    return f"""
        select mean.run_id, mean.condition_id, mean.profile_id, mean.subset, mean.value as mean, min(part.value) as low,
            max(part.value) as high
        from report.score as mean
            join report.block_score as part on part.run_id = mean.run_id and part.condition_id = mean.condition_id
            and part.profile_id = mean.profile_id and part.subset = mean.subset and part.metric = mean.metric
        where mean.metric = '{metric}' and mean.weighting = 'topic' and mean.value is not null
            and part.value is not null
        group by all having mean.value < min(part.value) - {_NEAR} or mean.value > max(part.value) + {_NEAR}"""


def _orphan(table: str, column: str, parent: str, more: str = "", where: str = "") -> str:
    """Return a query for orphans: rows whose parent does not exist."""
    joined = " and ".join(f"parent.{name} = child.{name}" for name in [column, *more.split()])
    return f"select child.* from {table} as child anti join {parent} as parent on {joined} {where} limit 1000"


INVARIANTS = (
    *KEPT,
    # numbers of runs and blocks
    Invariant(
        "score_is_finite",
        ERROR,
        "A number is finite or NULL",
        f"select * from report.score where isnan(value) or (isinf(value) and not metric in ({MAY_BE_INFINITE}))",
    ),
    Invariant(
        "block_score_is_finite",
        ERROR,
        "A number of a block is finite or NULL",
        f"select * from report.block_score where isnan(value) or (isinf(value) and not metric in ({MAY_BE_INFINITE}))",
    ),
    Invariant(
        "rate_in_unit",
        ERROR,
        "A rate is in [0, 1]",
        f"select * from report.score where metric in ({_RATES}) and (value < 0 or value > 1)",
    ),
    Invariant(
        "block_rate_in_unit",
        ERROR,
        "A rate of a block is in [0, 1]",
        f"select * from report.block_score where metric in ({_RATES}) and (value < 0 or value > 1)",
    ),
    Invariant(
        "cost_not_negative",
        ERROR,
        "A cost is not negative",
        f"select * from report.score where metric in ({_COSTS}) and value < 0",
    ),
    Invariant(
        "block_cost_not_negative",
        ERROR,
        "A cost of a block is not negative",
        f"select * from report.block_score where metric in ({_COSTS}) and value < 0",
    ),
    Invariant(
        "count_is_whole",
        ERROR,
        "A count is a whole number, 0 or more (a mean of counts need not be whole)",
        f"select * from report.score where metric in ({_COUNTS}) and "
        "(value < 0 or weighting in ('story', 'none') and (value is null and n > 0 or value <> floor(value)))",
    ),
    Invariant(
        "n_not_negative",
        ERROR,
        "The count behind a number is not negative",
        "select * from report.score where n is null or n < 0",
    ),
    Invariant(
        "topics_bounded",
        ERROR,
        "A mean over topics counts no more topics than its condition has",
        """
        select score.* from report.score as score
            join registry.condition as condition on condition.condition_id = score.condition_id
        where score.weighting in ('topic', 'topic_all')
            and score.n > (select count(*) from base.block as block
            where block.condition_no = condition.condition_no)""",
    ),
    Invariant(
        "undefined_has_no_n",
        WARNING,
        "An undefined number has n = 0",
        "select * from report.score where value is null and n <> 0 and metric <> 'min_threshold'",
    ),
    Invariant(
        "number_is_once",
        ERROR,
        "Scores are unique per run, profile, subset, metric and weighting",
        "select run_id, condition_id, profile_id, subset, metric, weighting, version, count(*) as n_row from "
        "report.score group by all having count(*) > 1",
    ),
    Invariant(
        "block_number_is_once",
        ERROR,
        "Scores of blocks are unique",
        "select run_id, condition_id, profile_id, subset, block_id, metric, version, count(*) as n_row from "
        "report.block_score group by all having count(*) > 1",
    ),
    Invariant(
        "weighting_is_known",
        ERROR,
        "A weighting is one of those that there are",
        f"select * from report.score where weighting not in {WEIGHTINGS}",
    ),
    # counts
    Invariant("targets_add_up", ERROR, "Targets are hits and misses", _sum("n_target", ("n_hit", "n_miss"))),
    Invariant(
        "nontargets_add_up",
        ERROR,
        "Non-targets are false alarms and correct rejections",
        _sum("n_nontarget", ("n_false_alarm", "n_correct_rejection")),
    ),
    Invariant(
        "block_hits_bounded",
        ERROR,
        "A topic has no more hits than targets",
        _block_pairs("n_hit", "n_target", "a.value > b.value"),
    ),
    Invariant(
        "block_false_alarms_bounded",
        ERROR,
        "A topic has no more false alarms than non-targets",
        _block_pairs("n_false_alarm", "n_nontarget", "a.value > b.value"),
    ),
    Invariant("blocks_add_up_to_targets", ERROR, "The topics' targets add up to the run's", _blocks_add_up("n_target")),
    Invariant("blocks_add_up_to_misses", ERROR, "The topics' misses add up to the run's", _blocks_add_up("n_miss")),
    Invariant(
        "blocks_add_up_to_false_alarms",
        ERROR,
        "The topics' false alarms add up to the run's",
        _blocks_add_up("n_false_alarm"),
    ),
    Invariant(
        "pooled_p_miss",
        ERROR,
        "Pooled p_miss is misses by targets",
        _pairs("p_miss", "n_miss", f"a.weighting = 'story' and abs(a.value * a.n - b.value) > {_NEAR} * (1 + b.value)"),
    ),
    Invariant(
        "pooled_p_fa",
        ERROR,
        "Pooled p_fa is false alarms by non-targets",
        _pairs(
            "p_fa", "n_false_alarm", f"a.weighting = 'story' and abs(a.value * a.n - b.value) > {_NEAR} * (1 + b.value)"
        ),
    ),
    # means
    Invariant(
        "mean_p_miss_between", ERROR, "Mean p_miss is between the topics' smallest and largest", _between("p_miss")
    ),
    Invariant("mean_p_fa_between", ERROR, "Mean p_fa is between the topics' smallest and largest", _between("p_fa")),
    Invariant(
        "f1_is_harmonic",
        ERROR,
        "Pooled F1 is between precision and recall",
        _pairs("f1", "precision", f"a.weighting = 'story' and a.value > 2 * b.value / (1 + b.value) + {_NEAR}"),
    ),
    Invariant(
        "b3_f1_bounded",
        ERROR,
        "B-CUBED F1 is at most the largest that precision allows",
        _pairs("b3_f1", "b3_precision", f"a.value > 2 * b.value / (1 + b.value) + {_NEAR}"),
    ),
    Invariant(
        "b3_recall_bounds_f1",
        ERROR,
        "B-CUBED F1 is at most the largest that recall allows",
        _pairs("b3_f1", "b3_recall", f"a.value > 2 * b.value / (1 + b.value) + {_NEAR}"),
    ),
    Invariant(
        "b3_zero_together",
        ERROR,
        "B-CUBED precision is 0 only where recall is, under policy exclude: no story has a topic on both sides",
        _pairs(
            "b3_precision",
            "b3_recall",
            "(a.value = 0) <> (b.value = 0) and a.profile_id in (select profile_id from registry.profile "
            "where b3_unassigned = 'exclude' and b3_unjudged = 'exclude')",
        ),
    ),
    # minima and curves
    # a system whose yes and no follow no threshold may beat every threshold
    Invariant(
        "minimum_cost",
        WARNING,
        "The minimum cost is at most the actual cost, unless decisions follow no threshold",
        _pairs(
            "min_c_det",
            "c_det",
            f"a.value > b.value + {_NEAR} and a.profile_id in (select profile_id from registry.profile where det_rule "
            f"= 'complete') "
            "and (a.weighting <> 'topic' or a.profile_id in (select profile_id from registry.profile where topic_cost "
            "= topic_cost_minimum))",
        ),
    ),
    Invariant(
        "block_minimum_cost",
        WARNING,
        "A topic's minimum cost is at most its actual cost, unless decisions follow no threshold",
        _block_pairs(
            "min_c_det",
            "c_det",
            f"a.value > b.value + {_NEAR} and a.profile_id in (select profile_id from registry.profile where det_rule "
            f"= 'complete')",
        ),
    ),
    Invariant(
        "minimum_norm_at_most_one",
        ERROR,
        "A normalised minimum is at most 1: accept all or reject all costs no more",
        "select score.* from report.score as score join registry.profile as profile on profile.profile_id = "
        "score.profile_id "
        f"where metric = 'min_c_det_norm' and value > 1 + {_NEAR} and profile.det_rule = 'complete'",
    ),
    Invariant(
        "curve_in_unit",
        ERROR,
        "Points of a curve lie in the unit square",
        "select * from report.det_point where p_miss < 0 or p_miss > 1 or p_fa < 0 or p_fa > 1",
    ),
    Invariant(
        "curve_monotone",
        ERROR,
        "Along a curve misses and false alarms move in opposite directions, never back",
        """
        with step as (
            select run_id, condition_id, profile_id, subset, weighting, block_id,
                p_miss - lag(p_miss) over line as miss, p_fa - lag(p_fa) over line as fa
            from report.det_point
            window line as (partition by run_id, condition_id, profile_id, subset, weighting, block_id
            order by point_no))
        -- a curve begins with reject-all, or, by the rule of NIST's program, at its other end
        select run_id, condition_id, profile_id, subset, weighting, block_id,
            min(miss) as miss_falls, max(miss) as miss_rises, min(fa) as fa_falls, max(fa) as fa_rises
        from step group by all
        having not (max(miss) <= 1e-12 and min(fa) >= -1e-12) and not (min(miss) >= -1e-12 and max(fa) <= 1e-12)""",
    ),
    Invariant(
        "minimum_below_actual",
        ERROR,
        "No threshold costs less than the best one",
        _pairs("min_c_det", "act_c_det", f"a.value > b.value + {_NEAR}"),
    ),
    Invariant(
        "calibration_helps",
        ERROR,
        "The best calibration costs no more than none",
        f"select * from report.score where metric = 'calibration_loss' and value < -{_NEAR} "
        "and profile_id in (select profile_id from registry.profile where min_cllr = 'none')",
    ),
    Invariant(
        "curve_error_not_negative",
        ERROR,
        "Standard errors are not negative",
        "select * from report.det_point where p_miss_se < 0 or p_fa_se < 0",
    ),
    # the other tasks
    Invariant(
        "sampled_updates_bounded",
        ERROR,
        "No more sampled updates than updates",
        _pairs("n_sampled_update", "n_update", "a.value > b.value"),
    ),
    Invariant(
        "comprehensiveness_monotone",
        ERROR,
        "C at a later time is never smaller",
        """
        select * from (
            select run_id, condition_id, profile_id, weighting, subset, value,
                lag(value) over (partition by run_id, condition_id, profile_id, weighting
                order by cast(replace(subset, 'tau=', '') as double)) as before
            from report.score where metric = 'comprehensiveness_tau' and subset like 'tau=%')
        where value < before - 1e-12""",
    ),
    Invariant(
        "value_error_not_negative",
        ERROR,
        "An expected error is not negative",
        "select * from report.score where metric = 'ee' and value < 0",
    ),
    Invariant(
        "hierarchy_has_a_vertex",
        ERROR,
        "The depth of a hierarchy is at most its number of vertices",
        _pairs("depth", "n_vertex", "b.value < 1 or a.value >= b.value + 1"),
    ),
    # completeness
    Invariant(
        "every_run_is_scored",
        WARNING,
        "Every run has up-to-date numbers under every profile of its condition",
        "select * from report.stale",
    ),
    Invariant(
        "every_metric_is_there",
        ERROR,
        "Every published number of a scored run has a row for subset all",
        """
        select distinct made.run_no, made.profile_no, metric.metric
        from ledger.current_computation as newest
            join ledger.computation as made on made.computation_no = newest.computation_no
        join registry.run as run on run.run_no = made.run_no
            join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.published as metric on metric.grain = 'score'
        where metric.metric in (select distinct other.metric from ledger.result_score as other
            join ledger.computation as o on o.computation_no = other.computation_no
                join registry.run as r on r.run_no = o.run_no
                    join registry.condition as c on c.condition_no = r.condition_no
                where c.task = condition.task and other.subset_no = 0 and c.condition_no = condition.condition_no
                    and o.profile_no = made.profile_no)
            and not exists (select 1 from ledger.result_score as kept
            where kept.computation_no = made.computation_no and kept.metric = metric.metric and kept.subset_no = 0)
            and not ("""
        + _ON_REQUEST
        + ")",
    ),
    # what was loaded
    Invariant(
        "decision_is_once",
        ERROR,
        "A trial is decided once",
        "select run_no, block_no, trial_no, count(*) as n_row from base.decision group by all having count(*) > 1",
    ),
    Invariant(
        "decision_is_finite",
        ERROR,
        "Scores of decisions are finite, and 0 has no sign; those of trials of a key may be infinite",
        """
        select decision.* from base.decision as decision
        join registry.run as run on run.run_no = decision.run_no
            join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.task as task on task.task = condition.task
        where isnan(decision.score) or (isinf(decision.score) and task.decides_on <> 'trial')
            or cast(decision.score as varchar) = '-0.0' limit 1000""",
    ),
    Invariant(
        "decision_has_a_run",
        ERROR,
        "Decisions belong to a run",
        _orphan("(select distinct run_no from base.decision)", "run_no", "registry.run"),
    ),
    Invariant(
        "decision_has_a_block",
        ERROR,
        "Decisions about a topic belong to a topic of the condition",
        """
        select decided.* from (select distinct run_no, block_no from base.decision where block_no <> 0) as decided
        join registry.run as run on run.run_no = decided.run_no
        anti join base.block as block on block.condition_no = run.condition_no and block.block_no = decided.block_no""",
    ),
    Invariant(
        "story_numbers_dense",
        ERROR,
        "Stories are numbered from 1 without a gap",
        "select corpus_no, count(*) as n_story, min(story_no) as low, max(story_no) as high from base.story group by "
        "all having low <> 1 or high <> n_story",
        at_load=True,
    ),
    Invariant(
        "story_id_is_once",
        ERROR,
        "Story ids are unique in a corpus",
        "select corpus_no, story_id, count(*) as n_row from base.story group by all having count(*) > 1",
    ),
    Invariant(
        "judgment_has_a_story",
        ERROR,
        "Judgments are about stories of the corpus",
        _orphan("base.judgment", "corpus_no", "base.story", "story_no"),
        at_load=True,
    ),
    Invariant(
        "judgment_has_a_topic",
        ERROR,
        "Judgments are about topics of the corpus",
        _orphan("base.judgment", "corpus_no", "base.topic", "topic_no"),
        at_load=True,
    ),
    Invariant(
        "judgment_label",
        ERROR,
        "A judgment is yes, brief or no",
        "select * from base.judgment where label not in ('yes', 'brief', 'no')",
        at_load=True,
    ),
    Invariant(
        "judgment_is_once",
        ERROR,
        "A story is judged once for a topic in each judgment set",
        "select corpus_no, judgment_set, topic_no, story_no, count(*) as n_row from base.judgment group by all having "
        "count(*) > 1",
        at_load=True,
    ),
    Invariant(
        "condition_has_a_corpus",
        ERROR,
        "Conditions belong to a corpus",
        _orphan("registry.condition", "corpus_no", "registry.corpus"),
        at_load=True,
    ),
    Invariant(
        "run_has_a_condition",
        ERROR,
        "Runs belong to a condition",
        _orphan("registry.run", "condition_no", "registry.condition"),
        at_load=True,
    ),
    Invariant(
        "condition_has_a_profile",
        ERROR,
        "Every condition has a scoring profile",
        _orphan("registry.condition", "condition_no", "registry.condition_profile"),
        at_load=True,
    ),
    Invariant(
        "profile_is_there",
        ERROR,
        "Profiles of conditions exist",
        _orphan("registry.condition_profile", "profile_no", "registry.profile"),
        at_load=True,
    ),
    Invariant(
        "subset_all_is_there",
        ERROR,
        "Every condition has the subset all",
        _orphan(
            "registry.condition", "condition_no", "(select * from base.subset where subset_no = 0 and subset = 'all')"
        ),
        at_load=True,
    ),
    Invariant(
        "training_story_is_there",
        ERROR,
        "Training stories belong to a topic of the condition",
        _orphan("base.training_story", "condition_no", "base.block", "block_no"),
        at_load=True,
    ),
    Invariant(
        "labelled_stories_follow",
        ERROR,
        "What is known of stories is what judgments, training and test sets say",
        stale_rows("derived.labelled_story"),
    ),
    Invariant(
        "condition_is_partition",
        ERROR,
        "Where a condition is called a partition, no story is labelled for two topics",
        "select condition_id from registry.condition where is_partition = 1 and condition_no in (select condition_no "
        f"from ({rows_of('derived.condition_is_partition')}) where is_partition = 0)",
    ),
    Invariant(
        "run_is_partition",
        ERROR,
        "Where a run is called a partition, it puts no story in two topics",
        "select run_id from registry.run where is_partition = 1 and run_no in (select run_no "
        f"from ({rows_of('derived.run_is_partition')}) where is_partition = 0)",
    ),
    Invariant(
        "segment_is_there",
        ERROR,
        "Test sets consist of segments of the condition",
        _orphan("base.test_segment", "condition_no", "base.segment", "segment_no"),
        at_load=True,
    ),
    Invariant(
        "segment_count",
        ERROR,
        "A segment counts its stories",
        """
        select segment.condition_no, segment.segment_no, segment.n_trial, count(*) as n_story
        from base.segment as segment join base.segment_story as member
            on member.condition_no = segment.condition_no and member.segment_no = segment.segment_no
        group by all having n_trial <> n_story""",
        at_load=True,
    ),
    Invariant(
        "profile_costs",
        ERROR,
        "Priors lie between 0 and 1, costs are positive",
        "select profile_id, p_target, c_miss, c_fa from registry.profile where p_target <= 0 or p_target >= 1 or "
        "c_miss <= 0 or c_fa <= 0",
        at_load=True,
    ),
    Invariant(
        "run_meets_its_condition",
        ERROR,
        "A run has a trial or an update in common with what it is scored on",
        """
        select condition.condition_id, run.run_id, run.n_row
        from registry.run as run join registry.condition as condition using (condition_no)
        semi join (
            select run_no from base.decision group by run_no having count(*) filter (trial_no > 0) = 0
            union all
            select sent.run_no
            from base.run_update as sent join registry.run as owner using (run_no)
            semi join (select condition_no from base.known_update where update_no > 0) as known
                on known.condition_no = owner.condition_no
            group by sent.run_no having count(*) filter (update_no > 0) = 0
        ) as disjoint on disjoint.run_no = run.run_no
        order by all""",
    ),
    Invariant(
        "clusters_meet_their_gold",
        WARNING,
        "A clustering has an item in common with its gold",
        """
        select condition.condition_id, run.run_id, count(*) as n_member
        from base.partition_answer as answer
        join registry.run as run using (run_no) join registry.condition as condition using (condition_no)
        left join (select distinct condition_no, item_no from base.partition_gold) as gold
            on gold.condition_no = run.condition_no and gold.item_no = answer.item_no
        group by condition.condition_id, run.run_id having count(gold.item_no) = 0
        order by all""",
    ),
    Invariant(
        "condition_counts_something",
        ERROR,
        "A condition has stories, pairs, trials, items, events or attributes that count",
        """
        select condition_id, task from registry.condition as condition
        anti join (
            select condition_no from base.segment where n_trial > 0
            union select condition_no from base.listed_pair
            union select condition_no from base.verification_trial
            union select condition_no from base.partition_item
            union select condition_no from base.item
            union select condition_no from base.event
            union select condition_no from base.attribute
        ) as counted on counted.condition_no = condition.base_condition_no
        order by all""",
    ),
    Invariant(
        "threshold_has_a_run",
        WARNING,
        "A profile that decides by a threshold of another condition finds the run of this name there",
        """
        select run.run_id, condition.condition_id, profile.profile_id, profile.decide_condition
        from registry.run as run
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.condition_profile as chosen on chosen.condition_no = run.condition_no
        join registry.profile as profile on profile.profile_no = chosen.profile_no
        anti join (select run_id, condition_id as decide_condition from registry.run
            join registry.condition using (condition_no)) as fitted
            on fitted.run_id = run.run_id and fitted.decide_condition = profile.decide_condition
        where profile.decide_at = 'condition' and run.has_decision = 0 order by all""",
        at_load=True,
    ),
    Invariant(
        "calibration_is_of_now",
        WARNING,
        "The source runs of a calibrated run are unchanged",
        """
        select run.run_id, condition.condition_id, named.name as made_of, named.value
        from registry.run_fact as named
        join registry.run_fact as hashed on hashed.run_no = named.run_no and hashed.name = named.name || '_sha256'
        join registry.run as run on run.run_no = named.run_no
        join registry.condition as condition on condition.condition_no = run.condition_no
        anti join (select other.condition_id || '/' || made.run_id as value, made.content_sha256
            from registry.run as made join registry.condition as other on other.condition_no = made.condition_no) as now
            on now.value = named.value and now.content_sha256 = hashed.value
        where run.format = 'calibrated' and named.name in ('calibration.fitted_on', 'calibration.scores_of')
        order by all""",
        at_load=True,
    ),
    Invariant(
        "input_is_hashed",
        ERROR,
        "Every input file has a size and a sha256",
        "select * from registry.input_file where n_byte < 0 or not regexp_full_match(sha256, '[0-9a-f]{64}')",
        at_load=True,
    ),
    Invariant(
        "only_warnings_accepted",
        ERROR,
        "What was accepted are warnings",
        "select * from registry.problem where code not like 'W%'",
        at_load=True,
    ),
)


def audit(
    engine: Engine,
    *,
    only_at_load: bool = False,
    only_of_kept: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[Result]:
    """Ask every invariant, and return how each came out; the chain of the ledger is the last."""
    results = []
    some = only_at_load or only_of_kept
    if not some:
        engine.download_decisions()
    for done, invariant in enumerate(INVARIANTS):
        if some and not (only_at_load and invariant.at_load or only_of_kept and invariant.of_kept):
            continue
        if progress is not None:
            progress(done, len(INVARIANTS), invariant.name)
        results.append(asked(engine, invariant))
    if not some:
        results.append(_chain(engine))
    return results


def checks(engine: Engine) -> list[Callable[[], Result]]:
    """Return a function for each invariant, the chain of the ledger last, that asks it: for who has not the time for
    all at once.
    """
    return [*(partial(asked, engine, invariant) for invariant in INVARIANTS), partial(_chain, engine)]


def _chain(engine: Engine) -> Result:
    broken = [*verify_chain(engine), *(f"{message}." for _, message in broken_own(engine))]
    return Result(
        Invariant("ledger_chain", ERROR, "The ledger is unbroken and says what the store holds", ""),
        len(broken),
        broken[0] if broken else "",
    )


def junit(results: list[Result]) -> str:
    """Return the results as a JUnit file: a warning is a passed case with its finding in system-out."""
    from xml.sax.saxutils import escape, quoteattr  # imported late: it imports urllib, http and ssl

    cases = []
    for result in results:
        head = f'  <testcase classname="tdtsql.audit" name={quoteattr(result.invariant.name)}'
        text = f"{result.invariant.title}: {result.n_bad} rows, first {result.first}"
        if result.failed:
            cases.append(f"{head}>\n    <failure message={quoteattr(text)}/>\n  </testcase>")
        elif result.n_bad:
            cases.append(f"{head}>\n    <system-out>{escape(text)}</system-out>\n  </testcase>")
        else:
            cases.append(f"{head}/>")
    n_failed = sum(result.failed for result in results)
    body = "\n".join(cases)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="tdtsql audit" tests="{len(results)}" '
        f'failures="{n_failed}" errors="0" skipped="0">\n{body}\n</testsuite>\n'
    )
