/*
what:   {none} among the condition's {kind}, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
-- a run without a decision on what the condition has
with own as (
    select count(unknown) as n_unknown,
        min({'file': file, 'line': line, 'unknown': unknown, 'id': unknown_id}) filter (unknown is not null)
            as first_row
    from decided
    where run_id is not distinct from $run_id
    having count(*) filter (unknown is null and trial_no > 0) = 0 and count(unknown) > 0
),

kind as (
    select if(first_row.unknown = 'left out', 'topics', replace(first_row.unknown, 'turned ', '')) as kind from own
),

example as (
    select min(block_id) as example
    from base.block
    where condition_no = $condition and 'topics' = (select kind from kind)
    union all
    select min(story_id) from base.story where corpus_no = $corpus and 'stories' = (select kind from kind)
    union all
    select min(id_1 || ' ' || id_2)
    from base.link_pair
    where condition_no = $condition and trial_no = 1 and 'pairs' = (select kind from kind)
)

select first_row.file, first_row.line, if(first_row.unknown <> 'left out', first_row.id, null) as value,
    if(n_unknown = 1, 'the only one of the rows of the run is not',
        format('none of the {:,} rows of the run is', n_unknown)) as none,
    kind, (select max(example) from example) as example
from own
cross join kind
