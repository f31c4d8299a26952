/*
what: A note on the runs of a bundle's corpus that are in the store and not in the bundle; no row without any. Runs that
      derive from others or are withdrawn do not count.
*/
with run as (
    select condition_id, run_id, n_row
    from registry.run
    join registry.condition using (condition_no)
    where corpus_no = $corpus and judgment_set = 1 and format <> 'calibrated'
        and run_no not in (select run_no from registry.withdrawal)
),

gone as (
    select 1 as kind, condition_id, run_id,
        format('{}/{} ({:,} row', condition_id, run_id, n_row) || if(n_row = 1, ')', 's)') as said
    from run
    where list_contains(cast($conditions as varchar[]), condition_id)
        and not list_contains(cast($known as varchar[]), 'run:' || condition_id || '/' || run_id)
    union all
    select 2, condition_id, '', format('condition {} ({:,} run', condition_id, count(*)) || if(count(*) = 1, ')', 's)')
    from run
    where not list_contains(cast($conditions as varchar[]), condition_id)
    group by condition_id
)

select 'in the store and not in this bundle: '
    || array_to_string(list(said order by kind, condition_id, run_id)[:10], ', ')
    || if(count(*) > 10, format(' and {:,} more', count(*) - 10), '')
    || '. They stay, and are ranked: `tdtsql run drop` or `tdtsql run withdraw`' as said
from gone
having count(*) > 0
