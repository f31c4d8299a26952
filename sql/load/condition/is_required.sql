/*
what:   Whether the 2004 TDT evaluation plan requires a condition of every site: by the languages of its test stories,
        those of $files (all without any) in $languages (all without any), and what it is. In $required, NULL is any.
*/
with spoken as (
    select coalesce(list_sort(list(distinct upper(story.language))), []) as languages
    from (from base.story where corpus_no = $corpus and language <> '') as story
    left join base.source_file using (corpus_no, source_file_no)
    where (len($files) = 0 or list_contains($files, source_file))
        and (len($languages) = 0 or list_contains($languages, upper(story.language)))
)

select count(*) > 0 as is_required
from (
    select unnest(cast($required as
        struct(languages varchar[], training_language varchar, nt varchar, deferral integer)[])) as one)
cross join spoken
where (one.languages is null or one.languages = spoken.languages) and (one.nt is null or one.nt = $nt)
    and (one.training_language is null or one.training_language = upper($training_language))
    and (one.deferral is null or one.deferral = $deferral)
