/*
title:    Candidates for re-annotation, by name, with the reasons
source:   The 2004 TDT evaluation plan, section 6
inputs:   metric.adjudication_candidate__v1, registry.condition, registry.task, registry.profile, base.block,
          base.story, base.link_pair
grain:    condition_id, profile_id, block_id, story_id
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    block_id      key    topic, or block of links
    story_id      key    story, or both stories of the pair, blank between
    place         count  priority for review within condition and profile, from 1
    n_reason      count  criteria of the plan that hold
    reasons       text   which ones, in words
    n_run_yes     count  runs of the condition that make this false alarm
    n_run         count  runs of the condition
    best_rank     count  its best rank among a run's false alarms in the block
edges:    Order: most reasons, then most runs, then best rank, then topic and story.
class:    exact
see also: metric.adjudication_candidate__v1 (the flags)
*/
with named as (
    select
        candidate.*, condition_id, profile_id, block_id,
        case when decides_on = 'pair' then id_1 || ' ' || id_2 else story_id end as story_or_pair,
        case
            when is_most = 1 and n_run_yes = n_run then '(a) all systems; '
            when is_most = 1 then '(a) most systems, ' || cast(n_run_yes as varchar) || ' of ' || cast(n_run as varchar)
                || '; '
            else ''
        end
            || case when is_default_no = 1 then '(b) no by default; ' else '' end
            || case when is_incomplete = 1 then '(c) topic incomplete; ' else '' end
            || case when is_cross_language = 1 then '(d) other language than the topic; ' else '' end
            || case when is_high = 1 then '(e) high confidence; ' else '' end as each_reason
    from metric.adjudication_candidate__v1 as candidate
    join registry.condition using (condition_no) join registry.task using (task)
    join registry.profile using (profile_no)
    join base.block using (condition_no, block_no)
    left join base.story on story.corpus_no = condition.corpus_no and story_no = trial_no
    left join base.link_pair using (condition_no, trial_no)
)

select
    condition_id, profile_id, block_id, story_or_pair as story_id,
    row_number() over (
        partition by condition_no, profile_no order by n_reason desc, n_run_yes desc, best_rank, block_no, trial_no
    ) as place,
    n_reason,
    case when n_reason > 0 then substr(each_reason, 1, length(each_reason) - 2) else '' end as reasons,
    n_run_yes, n_run, best_rank
from named
