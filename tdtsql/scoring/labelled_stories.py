"""What is known of the stories of tracking and filtering, joined once with where they count.

Every number of a run needs, for each judged story, the segment in which it is a trial.
That hangs on the condition and the judgments alone, not on runs and profiles: so it is
looked up when these are loaded.
"""

from collections.abc import Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.scoring.partitions import mark_conditions
from tdtsql.scoring.scope import listed
from tdtsql.store.contents import LABELLED
from tdtsql.store.ledger import seal
from tdtsql.task import listed_tasks

_TASKS = listed_tasks(is_by_topic=True)

#: the rows of base.labelled_story that follow from the tables as they are
LABELLED_STORIES = f"""
    with judged as (
        select block.condition_no, block.block_no, judgment.story_no, judgment.label
        from registry.condition as condition
        join base.block as block on block.condition_no = condition.condition_no
        join base.judgment as judgment on judgment.corpus_no = condition.corpus_no
            and judgment.judgment_set = condition.judgment_set and judgment.topic_no = block.topic_no
        where condition.task in ({_TASKS})
    ),
    trained as (
        select distinct training.condition_no, training.block_no, training.story_no, 1 as is_training
        from base.training_story as training
        join registry.condition as condition on condition.condition_no = training.condition_no
        where condition.task in ({_TASKS})
    ),
    known as (select * from judged full join trained using (condition_no, block_no, story_no))
    select known.condition_no, known.block_no, known.story_no,
        coalesce(test.segment_no, pair.segment_no, 0) as segment_no,
        case when test.segment_no is not null then 1 else 0
            end as is_implied, known.label, coalesce(known.is_training, 0) as is_training
    from known
    left join base.segment_story as member on member.condition_no = known.condition_no
        and member.story_no = known.story_no
    left join base.test_segment as test on test.condition_no = known.condition_no and test.block_no = known.block_no
        and test.segment_no = member.segment_no
    left join base.listed_pair as pair on pair.condition_no = known.condition_no and pair.block_no = known.block_no
        and pair.trial_no = known.story_no"""


def label_stories(engine: Engine, condition_nos: Sequence[int]) -> None:
    """Write the labelled stories of these conditions anew, and whether one of them is labelled for two topics."""
    chosen = f"condition_no in ({listed(condition_nos)})"
    engine.execute(f"delete from base.labelled_story where {chosen}")
    engine.execute(
        f"insert into base.labelled_story select * from ({LABELLED_STORIES}) where {chosen} order by condition_no, "
        f"block_no, story_no"
    )
    mark_conditions(engine, condition_nos)
    for [owner] in engine.rows(
        f"select 'condition:' || condition_id from registry.condition where {chosen} order by condition_no"
    ):
        seal(engine, owner, LABELLED)
