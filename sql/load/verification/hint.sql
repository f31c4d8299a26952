/*
what: A change of the ids of runs and key that makes more of them equal, where most trials of a run are unknown: they
      are written otherwise rather than too many (`trial_hint`). Of a run 2000 trials are tried.
*/
create or replace temp table trial_hint as
with

change(number, of_run, of_key, advice) as (
    values
    (0, '', '', null),
    (1, 'swap', '', 'The two ids are swapped: write them in the order of the key.'),
    (2, 'ending', '', 'One side has ''{0}'', the other no ending: give the run id_suffix = "{1}".'),
    (3, '', 'ending', 'One side has ''{2}'', the other no ending: give the condition id_suffix = "{3}".'),
    (4, 'ending', 'ending', 'The ids end in ''{1}'' here and in ''{3}'' in the key: give the run id_suffix = "{1}" and '
        || 'the condition id_suffix = "{3}".'),
    (5, 'folder', '', 'The ids differ by a folder (''{4}''): write them alike.'),
    (6, '', 'folder', 'The ids differ by a folder (''{5}''): write them alike.'),
    (7, 'folder', 'folder', 'The ids differ by a folder (''{4}''): write them alike.'),
    (8, 'both', 'both', 'The ids differ by a folder (''{4}''): write them alike.'),
    (9, 'capitals', 'capitals', 'The ids differ in capitals: write them alike.'),
    (10, 'accents', 'accents', 'The ids differ in the Unicode form of accented letters: write them alike.')
),

own as (
    select
        run_no, row_number() over (partition by run_no order by file, line) as place, [trial_id, test_id, side] as ids
    from run_trial
    semi join (from run_tally where kind in ('odd', 'disjoint') and n_score > 2 * n_known) using (run_no)
    qualify place <= 2000
    union all
    select null, trial_no, [trial_id, test_id, side]
    from base.verification_trial
    where condition_no = $condition and exists (
        from run_tally where kind in ('odd', 'disjoint') and n_score > 2 * n_known)
),

changed as (
    select run_no, place, change, list_transform(
        if(change = 'swap', [ids[2], ids[1], ids[3]], ids), lambda id: case change
            when 'ending' then regexp_replace(id, '\.[A-Za-z][A-Za-z0-9]{0,4}$', '')
            when 'folder' then regexp_replace(id, '^.*/', '')
            when 'both' then regexp_replace(regexp_replace(id, '^.*/', ''), '\.[A-Za-z][A-Za-z0-9]{0,4}$', '')
            when 'capitals' then lower(id)
            when 'accents' then nfc_normalize(id)
            else id end) as made
    from own
    cross join (select distinct unnest([of_run, of_key]) as change from change)
),

equal as (
    select run_no, number, count(distinct place) as n
    from change
    join (from changed where run_no is not null) as own on own.change = of_run
    semi join (from changed where run_no is null) as other on other.change = of_key and other.made = own.made
    group by run_no, number
),

shown as (
    select
        coalesce(run_no, 0) as run_no, min(place) as place, name,
        regexp_extract(name, '\.[A-Za-z][A-Za-z0-9]{0,4}$') as ending, contains(name, '/') as has_folder
    from (select run_no, place, unnest(ids) as name from own where place <= 2000)
    group by all
),

example as (
    select
        run_no, coalesce(arg_min(name, (place, name)) filter (ending <> ''), '') as name,
        coalesce(arg_min(ending, (place, name)) filter (ending <> ''), '') as ending,
        coalesce(arg_min(name, (not has_folder, name)), '') as folder
    from shown
    group by run_no
)

select
    run_no,
    format(advice, own.name, own.ending, other.name, other.ending, own.folder, other.folder) as hint
from equal
join change using (number)
join example as own using (run_no)
join (from example where run_no = 0) as other on true
left join (select run_no, n as n_before from equal where number = 0) using (run_no)
where number > 0 and n > coalesce(n_before, 0)
qualify row_number() over (partition by run_no order by number) = 1
