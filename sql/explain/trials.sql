/*
title:    Targets and accepted trials of a topic, by name, with what they count as and where the story is listed
*/
with

pair as (
    select
        link_pair.condition_no, trial_no, coalesce(one.story_id, id_1) || ' ' || coalesce(two.story_id, id_2) as names
    from base.link_pair
    join registry.condition using (condition_no)
    left join base.story as one on one.corpus_no = condition.corpus_no and one.story_no = link_pair.story_no_1
    left join base.story as two on two.corpus_no = condition.corpus_no and two.story_no = link_pair.story_no_2
    where link_pair.condition_no = $condition_no
),

place as (
    select owner, story_id, min_by(path, line) || ':' || min(line) as location
    from (
        select owner, docno as story_id, path, line from staging.boundary
        union all select owner, story_id, path, line from staging.tidy_story
    )
    group by owner, story_id
)

select
    coalesce(pair.names, story.story_id, unlisted.document_id, cast(trial.trial_no as varchar)) as story,
    trial.is_target as target,
    trial.is_yes as yes,
    trial.score,
    coalesce(trial.exclusion_reason, case
        when trial.is_target = 1 and trial.is_yes = 1 then 'hit'
        when trial.is_target = 1 then 'miss'
        else 'false alarm'
    end) as counts,
    location
from explained_trial as trial
join registry.condition on condition.condition_no = $condition_no
join registry.task on task.task = condition.task
join registry.corpus using (corpus_no)
left join pair on pair.trial_no = trial.trial_no and decides_on = 'pair'
left join base.story
    on story.corpus_no = condition.corpus_no and story.story_no = trial.trial_no and decides_on <> 'pair'
left join base.unlisted_document as unlisted
    on unlisted.run_no = trial.run_no and unlisted.trial_no = trial.trial_no and decides_on <> 'pair'
left join place on place.owner = 'corpus:' || corpus_id and place.story_id = story.story_id
where trial.run_no = $run_no and trial.profile_no = $profile_no and trial.block_no = $block_no
    and (trial.is_target = 1 or trial.is_yes = 1)
order by trial.is_scored desc, trial.is_target desc, trial.is_yes desc, trial.trial_no
limit $most
