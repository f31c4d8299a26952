/*
what:   no trial counts: {said}
advice: Correct the {advised}.
*/
with pair as (
    select
        is_excluded,
        $has_key and trial_no not in (
            select trial_no from base.link_answer where condition_no = $condition and answer <> 'other') as is_other
    from link_pair
)

select len($paths) as file, null as line, null as value,
    if(bool_and(is_excluded), 'exclude list, or the pairs', 'key') as advised,
    case
        when bool_and(is_other) then format('the key says OTHER of all {:,} pairs', count(*))
        when bool_and(is_excluded) then format('all {:,} pairs have a story of an excluded source file', count(*))
        else 'the key says OTHER of all pairs but those with a story of an excluded source file'
    end as said
from pair
having count(*) > 0 and bool_and(is_excluded or is_other)
