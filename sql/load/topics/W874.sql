/*
what:   no story is in {these}, expected {spoken}
advice: Correct languages.
*/
with spoken as (
    select distinct language from base.story where corpus_no = $corpus and language <> ''
),

wanted as (
    select unnest(cast($languages as varchar[])) as name, generate_subscripts(cast($languages as varchar[]), 1) as place
)

select $where + 1 as file, null as line, string_agg(name, ', ' order by place) as value,
    if(count(*) = 1, 'this language', 'these languages') as these,
    coalesce((select string_agg(language, ', ' order by language) from spoken), '') as spoken
from wanted
where upper(name) not in (select upper(language) from spoken)
    and (exists (select 1 from base.segment where condition_no = $condition and n_trial > 0)
        or exists (select 1 from base.listed_pair where condition_no = $condition))
having count(*) > 0
