/*
title:  Earlier computations whose stored numbers are not those that were computed, or not of the run and profile that
        the ledger names (a run may be renamed later)
*/
with recursive

renaming as (
    select entry_no, subject, json_extract_string(detail, '$.to') as run_id from ledger.entry where kind = 'rename'
),

past as (
    select distinct computation_no, condition_id, run_id, profile_id, 'run:' || condition_id || '/' as prefix
    from ledger.past_score
),

called as (
    select distinct
        computation_no, prefix, made.entry_no,
        case when starts_with(owner, prefix) then substr(owner, length(prefix) + 1) end as run_id
    from past
    join ledger.computation_made as made using (computation_no)
    union all
    select called.computation_no, prefix, renaming.entry_no, renaming.run_id
    from called
    join renaming on subject = prefix || called.run_id and renaming.entry_no > called.entry_no
    qualify row_number() over (partition by called.computation_no, prefix order by renaming.entry_no) = 1
),

name as (
    select computation_no, prefix, max_by(run_id, entry_no) as run_id
    from called
    group by computation_no, prefix
),

other as (
    select computation_no, owner, entry_no
    from ledger.computation_made left join subset_all using (computation_no)
    where all_sha256 <> coalesce(sha256, '')
        and computation_no not in (select max(computation_no) from ledger.computation group by run_no, profile_no)
    union
    select computation_no, prefix[5:] || past.run_id, coalesce(made.entry_no, 0)
    from past
    left join ledger.computation_made as made using (computation_no)
    left join name using (computation_no, prefix)
    where name.run_id is distinct from past.run_id or made.profile_id is distinct from past.profile_id
)

select
    format(
        'computation {} ({}): its past numbers are not those of ledger.entry {} (ledger.past_score).', computation_no,
        owner, entry_no
    ) as message
from other
order by computation_no
