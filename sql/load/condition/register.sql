/*
what: The row of a condition in the registry, and the topics that it leaves out with their reasons.
*/
-- the hash of its rows is set after they are stored; a policy is NULL for tasks without it
insert into registry.condition by name
select
    $condition as condition_no, $id as condition_id, $corpus as corpus_no, $task as task, 1 as judgment_set,
    $condition as base_condition_no, $nt as nt, $training_language as training_language,
    array_to_string(cast($languages as varchar[]), ' ') as languages, $deferral as deferral,
    $pointer_type as pointer_type, coalesce($mapping, 'majority') as mapping,
    array_to_string(coalesce(cast($on_topic as varchar[]), ['yes']), ' ') as on_topic, $topic_pattern as topic_pattern,
    cast($has_key as integer) as has_key, cast($is_required as integer) as is_required, '' as content_sha256,
    $content as source_sha256, policy.*
from (select unnest($policies)) as policy;

insert into registry.excluded_topic (condition_no, topic_id, reason)
select $condition, unnest(cast($excluded as varchar[])), unnest(cast($reasons as varchar[]))
