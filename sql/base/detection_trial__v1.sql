/*
title:    Every detection trial: the definition of what is scored, and why the rest is not
formula:  every run x every trial of its condition, with what the system said of it
source:   The 2004 TDT evaluation plan, sections 3, 5 and 5.2 (every task is a detection task), appendix B.3, last note
          (omitted stories)
inputs:   registry.run, registry.profile, base.block, base.trial__v1, base.decision_rule__v1, base.decision,
          base.unlisted_document
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no            key    run
    profile_no        key    scoring profile
    block_no          key    block (topic)
    trial_no          key    story, or number of the pair; below 0 a document that the corpus does not have
    is_target         flag   1: on topic, scored or not
    is_yes            flag   1: accepted by the system, or by the profile from its score; 0: rejected or missing
    score             score  the system's confidence; without a decision -9e99 (det_omitted = lowest) or NULL (never)
    is_scored         flag   1: a trial under this profile
    exclusion_reason  text   not_news, excluded_source_file, training, before_test, other_condition, brief or judged_no;
                             for new event also mixed, for link other and linked_elsewhere; NULL when scored
    is_answered       flag   1: the system said something of it
    is_decided        flag   0: the run gave scores alone, and the profile makes no decisions of them
    run_id            text   the run
    block_id          text   the topic, or the block of a key
    story_id          text   the story, or the trial; of a pair the first
    story_id_2        text   of a pair the second; NULL elsewhere
    position          count  rank in the corpus in order of time, from 1; NULL for pairs and unknown documents
    published_at      time   when the story was published; NULL where unknown
    begin_sec         seconds  where it begins in its source file
edges:    What a run retrieved and the corpus does not have (filtering with qrels alone) is scored too, in that run.
          This is a definition to read, to ask, and to hold other views to: it lists what
          they count. The counts come from trial_count__v1 and scored_decision__v1, and a
          test holds those equal to this.
          Names are here, and the run's is a key of the join, so that who asks for one run, topic or
          story by its name reads no other's decisions.
class:    exact
volume:   decisions
see also: trial__v1, trial_count__v1, scored_decision__v1, listed_trial__v1
*/
with answer as (
    select
        run_id, run_no, block_no as decision_block_no, trial_no, is_yes as said_yes, score as decided_score,
        1 as was_answered
    from base.decision join registry.run using (run_no)
),

scored_block as (select condition_no, block_no, block_id from base.block where is_scored = 1)

select
    run_no, profile_no, block_no, trial_no, is_target,
    case when said_yes or decided_score >= yes_from then 1 else 0 end as is_yes,
    coalesce(decided_score, case when det_omitted = 'lowest' then -9e99 end) as score,
    case when exclusion_reason is null then 1 else 0 end as is_scored, exclusion_reason,
    coalesce(was_answered, 0) as is_answered, is_decided, run_id, block_id, story_id, story_id_2, position,
    published_at, begin_sec
from base.trial__v1 join base.decision_rule__v1 using (condition_no, profile_no)
join registry.profile using (profile_no)
left join answer using (run_id, run_no, decision_block_no, trial_no)
union all
-- decisions read again, not from answer: a shared step would hold the decisions of all runs
select
    run_no, profile_no, block_no, trial_no, 0 as is_target,
    case when decision.is_yes or score >= yes_from then 1 else 0 end as is_yes, score, 1 as is_scored,
    null as exclusion_reason, 1 as is_answered, is_decided, run_id, block_id, document_id as story_id,
    null as story_id_2, null as position, null as published_at, null as begin_sec
from base.decision join base.unlisted_document using (run_no, trial_no)
join base.decision_rule__v1 using (run_no)
join scored_block using (condition_no, block_no)
