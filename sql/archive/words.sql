/*
title:    RELEASE.md, line by line: what a release holds, of the row of archive/release
*/
with

part as (
    select unnest(conditions) as named from archived_release
),

run as (
    select
        named.withdrawn, named."condition" as condition_id, named.run as run_id,
        format(
            '* {}/{}{}: {:,} row{} in format {} from {:,} file{}{}; run {}{}', named."condition", named.run,
            coalesce(', system ' || nullif(named.system, ''), ''), named.n_row, if(named.n_row = 1, '', 's'),
            named.format, named.n_file, if(named.n_file = 1, '', 's'), case
                when named.n_fact = 0 then ''
                else format(', {:,} fact{} on how it was made', named.n_fact, if(named.n_fact = 1, '', 's'))
            end, left(named.run_sha256, 8),
            coalesce('; withdrawn: ' || trim(regexp_replace(named.withdrawn, '\s+', ' ', 'g')), '')
        ) as says
    from (select unnest(runs) as named from archived_release)
),

section as (
    select
        1 as section, '' as part, '' as name,
        coalesce('# Release ' || $tag, '# A public archive of an evaluation') || chr(10) || chr(10) || $form
            || chr(10) || chr(10) || format(
                '{:,} condition{}, {:,} run{}{}, {:,} number{}.', len(conditions), if(len(conditions) = 1, '', 's'),
                len(runs), if(len(runs) = 1, '', 's'), (
                    select if(count(withdrawn) > 0, format(' ({:,} withdrawn)', count(withdrawn)), '')
                    from run
                ), n_number, if(n_number = 1, '', 's')
            ) as says
    from archived_release
    union all
    select
        2, named."condition", '', format(
            '* {}: {} over corpus {}{}, {:,} topic{}{}; profiles {}; runs {}; judgments {}', named."condition",
            named.task, named.corpus, (
                select
                    case
                        when of.n_story > 0
                            then format(' ({:,} stor{})', of.n_story, if(of.n_story = 1, 'y', 'ies'))
                        else ''
                    end
                from (select unnest(corpora) as of from archived_release)
                where of.corpus = named.corpus
            ), named.n_topic, if(named.n_topic = 1, '', 's'),
            if(named.plan = 'required', ', required by the plan', ''), array_to_string(named.profiles, ', '),
            coalesce(nullif(array_to_string(named.runs, ', '), ''), 'none'), left(named.judgments, 8)
        )
    from part
    union all
    select if(withdrawn is null, 3, 4), condition_id, run_id, says
    from run
    union all
    select
        5, named.profile, '', '* ' || named.profile || coalesce(', based on ' || nullif(named.base, ''), '') || ': '
            || trim(regexp_replace(named.source, '\s+', ' ', 'g'))
    from (select unnest(profiles) as named from archived_release)
    union all
    select
        6, '', '', '* tdtsql ' || array_to_string(versions.tdtsql, ', ') || '; DuckDB '
            || array_to_string(versions.duckdb, ', ')
    from archived_release
    union all
    select 6, entry.key, '', '* definitions of ' || entry.key || ': ' || entry.value
    from (select unnest(map_entries(versions.definitions)) as entry from archived_release)
),

heading as (
    select unnest([2, 3, 5, 6]) as section, unnest(['Conditions', 'Runs', 'Profiles', 'Versions']) as heading
    union all
    select distinct section, 'Withdrawn runs' || chr(10) || chr(10) || 'Their numbers are here; they have no rank.'
    from section
    where section = 4
)

select says
from (
    select section, 0 as position, '' as part, '' as name, chr(10) || '## ' || heading || chr(10) as says
    from heading
    union all
    select section, 1, part, name, says
    from section
)
order by section, position, part, name
