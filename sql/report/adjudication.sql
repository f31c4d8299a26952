/*
title:    Candidates for re-annotation, by name, with the reasons
source:   The 2004 TDT evaluation plan, section 6
inputs:   metric.adjudication_candidate__v1, registry.condition, registry.profile, base.block, base.story, base.link_pair
grain:    condition_id, profile_id, block_id, story_id
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    block_id      key    topic, or block of links
    story_id      key    story, or both stories of the pair, blank between
    place         count  1 is the first to look at, within the condition and profile
    n_reason      count  criteria of the plan that hold
    reasons       text   which ones, in words
    n_run_yes     count  runs of the condition that make this false alarm
    n_run         count  runs of the condition
    best_rank     count  its best place among a run's false alarms in the block
edges:    Order: most reasons, then most runs, then best rank, then topic and story.
class:    exact
see also: metric.adjudication_candidate__v1 (the flags)
*/
with

named as (

    select
        candidate.condition_no as condition_no,
        candidate.profile_no as profile_no,
        candidate.block_no as block_no,
        candidate.trial_no as trial_no,
        condition.condition_id as condition_id,
        profile.profile_id as profile_id,
        block.block_id as block_id,
        case
            when condition.task = 'link' then pair.id_1 || ' ' || pair.id_2
            else story.story_id
        end as story_id,
        candidate.n_reason as n_reason,
        candidate.n_run_yes as n_run_yes,
        candidate.n_run as n_run,
        candidate.best_rank as best_rank,
        case
            when candidate.is_most = 1 and candidate.n_run_yes = candidate.n_run then '(a) all systems; '
            when candidate.is_most = 1
                then '(a) most systems, ' || cast(candidate.n_run_yes as varchar) || ' of ' || cast(candidate.n_run as varchar) || '; '
            else ''
        end
            || case when candidate.is_default_no = 1 then '(b) no by default; ' else '' end
            || case when candidate.is_incomplete = 1 then '(c) topic incomplete; ' else '' end
            || case when candidate.is_cross_language = 1 then '(d) other language than the topic; ' else '' end
            || case when candidate.is_high = 1 then '(e) high confidence; ' else '' end as reasons
    from metric.adjudication_candidate__v1 as candidate
    inner join registry.condition as condition
        on condition.condition_no = candidate.condition_no
    inner join registry.profile as profile
        on profile.profile_no = candidate.profile_no
    inner join base.block as block
        on block.condition_no = candidate.condition_no
        and block.block_no = candidate.block_no
    left join base.story as story
        on story.corpus_no = condition.corpus_no
        and story.story_no = candidate.trial_no
    left join base.link_pair as pair
        on pair.condition_no = candidate.condition_no
        and pair.trial_no = candidate.trial_no

)

select
    named.condition_id as condition_id,
    named.profile_id as profile_id,
    named.block_id as block_id,
    named.story_id as story_id,
    row_number() over (
        partition by named.condition_no, named.profile_no
        order by named.n_reason desc, named.n_run_yes desc, named.best_rank, named.block_no, named.trial_no
    ) as place,
    named.n_reason as n_reason,
    case when named.n_reason > 0 then substr(named.reasons, 1, length(named.reasons) - 2) else '' end as reasons,
    named.n_run_yes as n_run_yes,
    named.n_run as n_run,
    named.best_rank as best_rank
from named as named
