/*
what: How many trials of a run are those of its key after a change of the ids of both, and ids that show it. Of the run
      2000 trials are tried.
*/
with

own as (
    select true as is_run, $of_run as change, row_number() over () as place, [trial_id, test_id, side] as ids
    from (from trial_row where run_id is not distinct from $run_id limit 2000)
    union all
    select false, $of_key, trial_no, [trial_id, test_id, side]
    from base.verification_trial
    where condition_no = $condition
),

changed as (
    select *, list_transform(if(change = 'swap', [ids[2], ids[1], ids[3]], ids), lambda id: case change
        when 'ending' then regexp_replace(id, '\.[A-Za-z][A-Za-z0-9]{0,4}$', '')
        when 'folder' then regexp_replace(id, '^.*/', '')
        when 'both' then regexp_replace(regexp_replace(id, '^.*/', ''), '\.[A-Za-z][A-Za-z0-9]{0,4}$', '')
        when 'capitals' then lower(id)
        when 'accents' then nfc_normalize(id)
        else id end) as made
    from own
),

shown as (
    select
        is_run, min(place) as place, name, regexp_extract(name, '\.[A-Za-z][A-Za-z0-9]{0,4}$') as ending,
        contains(name, '/') as has_folder
    from (select is_run, place, unnest(ids) as name from own where place <= 2000)
    group by is_run, name
)

select
    (select count(*) from (select made from changed where is_run) semi join (
        select made from changed where not is_run) using (made)) as n_equal,
    arg_min(name, (place, name)) filter (is_run and ending <> '') as run_name,
    arg_min(ending, (place, name)) filter (is_run and ending <> '') as run_ending,
    arg_min(name, (place, name)) filter (not is_run and ending <> '') as key_name,
    arg_min(ending, (place, name)) filter (not is_run and ending <> '') as key_ending,
    arg_min(name, (not has_folder, name)) filter (is_run) as run_folder,
    arg_min(name, (not has_folder, name)) filter (not is_run) as key_folder
from shown
