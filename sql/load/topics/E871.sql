/*
what:   no trial counts: it tests none of the {stories} of the corpus{said}
advice: {advised}
*/
with story as (
    select kind, is_news, story.language, is_excluded,
        len($languages) = 0 or upper(coalesce(story.language, '')) in (
            select upper(unnest(cast($languages as varchar[])))) as is_spoken
    from base.story
    left join base.source_file using (corpus_no, source_file_no)
    where corpus_no = $corpus
),

counted as (
    select count(*) as n, count(*) filter (is_news = 0) as n_kind, count(*) filter (is_excluded = 1) as n_excluded,
        count(*) filter (not is_spoken) as n_language,
        array_to_string((list(distinct kind order by kind) filter (is_news = 0))[:5], ', ') as kinds,
        array_to_string((list(distinct language order by language) filter (language <> ''))[:5], ', ') as spoken
    from story
),

reason as (
    select unnest([n_kind, n_excluded, n_language]) as n_lost, unnest([1, 2, 3]) as place,
        unnest(['of another kind than NEWS (' || kinds || ')', 'in source files that the exclude list names',
            'in other languages than ' || array_to_string($languages, ', ') || ' (the stories have '
                || coalesce(spoken, 'none') || ')']) as why
    from counted
)

select $where + 1 as file, null as line, null as value,
    if(n = 1, '1 story', format('{:,} stories', n)) as stories,
    coalesce((
        select ': ' || string_agg(format('{:,}', n_lost) || if(n_lost = 1, ' is ', ' are ') || why, '; ' order by place)
        from reason where n_lost > 0), '') as said,
    if(n > 0, 'Correct the stories, or what the condition leaves out.',
        'Name the stories, or index files, from which boundary tables are found.') as advised
from counted
where not exists (select 1 from base.segment where condition_no = $condition and n_trial > 0)
    and not exists (select 1 from base.listed_pair where condition_no = $condition)
