/*
title:    The updates of a run under a scoring profile
source:   TREC 2013 Temporal Summarization Metrics, eq. 1; the track's programs of 2013 to 2015 (confidence)
inputs:   base.run_update, base.run_event, base.summarization_known_update__v1, registry.run,
          registry.condition_profile, registry.profile
grain:    run_no, profile_no, block_no, update_seq
columns:
    run_no           key      run
    profile_no       key      scoring profile
    block_no         key      event
    update_seq       key      row in the run's files
    update_no        number   the update, where the judgments know it; 0 otherwise
    decision_time    seconds  when it was sent
    is_scored        flag     1: it belongs to S; 0: outside the pool (summarization_known_update__v1 says why)
    is_sampled       flag     1: the pool has it
    match_update_no  number   the update whose match rows count; 0 for none
    text_update_no   number   the update whose text it has; 0 for none
    n_word           words    its length; NULL when unknown
    weight           ratio    confidence as the profile takes it; NULL where it takes none
edges:    value: as the run says. position: 1 / (1 + rank among the run's updates of the event in the order of the
          file). min_max: from 0 to 1 between the least and the greatest of the run and event; 5e-1 when all are equal.
class:    exact
see also: summarization_known_update__v1
*/
select
    run_no, profile_no, block_no, update_seq, update_no, decision_time, is_scored, is_sampled, match_update_no,
    text_update_no, n_word,
    case
        when profile.confidence = 'value' then sent.confidence
        when profile.confidence = 'position' then 1e0 / (1 + position)
        when profile.confidence = 'min_max' and max_confidence > min_confidence
            then (sent.confidence - min_confidence) / (max_confidence - min_confidence)
        when profile.confidence = 'min_max' then 5e-1
    end as weight
from base.run_update as sent join registry.run using (run_no) join registry.condition_profile using (condition_no)
join registry.profile using (profile_no)
join base.run_event using (run_no, block_no)
join base.summarization_known_update__v1 using (condition_no, profile_no, block_no, update_no)
