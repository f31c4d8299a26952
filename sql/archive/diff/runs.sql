/*
title:    Runs that were renamed, added, removed, withdrawn or restored, or have other rows
*/
select
    'run' as what, condition_id || '/' || old_id as name, 'renamed to ' || new_id as change, '' as because,
    1 as place, condition_id, old_id as run_id
from renamed
union all
select
    'run', condition_id || '/' || run_id,
    concat_ws(
        '; ',
        case
            when before.run_id is null then format('added, {:,} numbers', (
                select count(*)
                from number
                where side = 'new' and number.condition_id = both_runs.condition_id and number.run_id = both_runs.run_id
            ))
            when now.run_id is null then format('removed, with its {:,} numbers', (
                select count(*)
                from number
                where side = 'old' and number.condition_id = both_runs.condition_id and number.run_id = both_runs.run_id
            ))
            when before.sha256 = now.sha256 then null
            when before.hashes = now.hashes then
                case
                    when condition_id not in (select name from other_hash where what = 'condition')
                        then 'the same files, other rows'
                end
            else format(
                '{}, {:,} -> {:,} rows',
                case
                    when old_files = new_files then old_files || ' changed'
                    else format('file {} -> {}', old_files, new_files)
                end,
                before.n_row, now.n_row
            )
        end,
        case
            when before.run_id = now.run_id and before.reason is distinct from now.reason
                then coalesce('withdrawn: ' || now.reason, 'restored')
        end
    ) as said, '', 2, condition_id, run_id
from (
    select
        *,
        coalesce(array_to_string(before.paths[:3], ', '), 'columns') as old_files,
        coalesce(array_to_string(now.paths[:3], ', '), 'columns') as new_files
    from both_runs
) as both_runs
where said <> ''
order by place, condition_id, run_id
