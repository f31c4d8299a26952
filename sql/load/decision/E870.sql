/*
what:   {none} among the condition's {kind}, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
-- a run without a decision on what the condition has
with first as (
    select count(unknown) as n_unknown,
        min({'file': file, 'line': line, 'unknown': unknown, 'id': unknown_id}) filter (unknown is not null)
            as first_row
    from run_decision
    group by run_no
    having count(*) filter (unknown is null and trial_no > 0) = 0
        and count(distinct replace(unknown, 'turned ', '')) = 1
),

own as (
    select *, if(first_row.unknown = 'left out', 'topics', replace(first_row.unknown, 'turned ', '')) as kind from first
),

example as (
    select 'topics' as kind, min(block_id) as example from base.block where condition_no = $condition
    union all
    select 'stories', min(story_id) from base.story where corpus_no = $corpus and exists (from own)
    union all
    select 'pairs', min(id_1 || ' ' || id_2) from base.link_pair where condition_no = $condition and trial_no = 1
)

select first_row.file, first_row.line, first_row.id as value,
    case
        when first_row.unknown = 'left out'
            then format('all {:,} rows of the run are on topics that the condition excludes: none is', n_unknown)
        when n_unknown = 1 then 'the only one of the rows of the run is not'
        else format('none of the {:,} rows of the run is', n_unknown)
    end as none,
    kind, example
from own
join example using (kind)
