/*
what: The conditions of a corpus with a second set of judgments, and their copies under it (`second_condition`). A copy
      has no number yet where it is new; `condition_no` is NULL where the copy is to go.
*/
create or replace temp table second_condition as
with first as (
    select
        condition_no,
        condition_id || '+judgments_2' as second_id,
        sha256(concat('64:', source_sha256, '14:judgment set 2')) as source
    from registry.condition
    where
        corpus_no = $corpus
        and judgment_set = 1
        and has_key = 0
        and list_contains($tasks, task)
        and exists (select 1 from base.judgment where corpus_no = $corpus and judgment_set = 2)
),

second as (
    select base_condition_no as condition_no, condition_no as second_no, source_sha256 as second_source
    from registry.condition
    where corpus_no = $corpus and judgment_set = 2
)

select
    first.condition_no, second_no, second_id, source,
    source is distinct from second_source as is_changed
from first
full join second on first.condition_no = second.condition_no
order by first.condition_no
