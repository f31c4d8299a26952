/*
title:  a topic of a run that the condition does not have
what:   the run answers a topic that the condition does not have
advice: {advised}
*/
select file, line, block_id as value,
    if(regexp_full_match(block_id, '[0-9]{1,3}'),
        'Write the topic''s id into the header; index numbers of topics (1, 2, ...) are not supported.',
        'Correct the header, or add the topic''s index.') as advised
from answer
where is_first and block_no is null
    and block_id not in (
        select topic_id from base.topic where corpus_no = $corpus_no
        union all
        select topic_id from registry.excluded_topic where condition_no = $condition_no)
