/*
what:   The pairs of a condition, each once, in the order of the index or else of the key, with their stories, the
        languages of these (empty unless both are known), and whether one is in an excluded source file
*/
create or replace temp table link_story as
with story as (
    select story_id, story_no, story.language, source_file, is_excluded
    from base.story
    left join base.source_file using (corpus_no, source_file_no)
    where corpus_no = $corpus
)

select id, coalesce(written.story_no, named.story_no) as story_no,
    coalesce(written.language, named.language, '') as language,
    coalesce(written.is_excluded, named.is_excluded, 0) = 1 as is_excluded,
    case when written.story_no is null then named.source_file end as other_file
from (select distinct unnest([id_1, id_2]) as id from link_row)
left join story as written on written.story_id = id
left join story as named on named.story_id = docno(id);

create or replace temp table link_pair as
select row_number() over (order by place) as trial_no, pair.* exclude (place), first.story_no as story_no_1,
    second.story_no as story_no_2, (first.is_excluded or second.is_excluded) as is_excluded,
    if(first.language = '' or second.language = '', '', least(first.language, second.language)) as low,
    if(first.language = '' or second.language = '', '', greatest(first.language, second.language)) as high
from (
    select id_1, id_2, min(place) as place, min(place) >> 40 as file, min(place) % 1099511627776 as line
    from (select *, (cast(file as bigint) << 40) + line as place from link_row)
    group by id_1, id_2) as pair
join link_story as first on first.id = pair.id_1
join link_story as second on second.id = pair.id_2;

create or replace temp table link_segment as
select row_number() over (order by min(trial_no)) as segment_no, low, high, count(*) as n_trial
from link_pair
group by low, high;

-- with a pair of unknown stories, which is an error, nothing stays
insert into base.link_pair (condition_no, trial_no, id_1, id_2, story_no_1, story_no_2, segment_no)
select $condition, trial_no, id_1, id_2, coalesce(story_no_1, 0), coalesce(story_no_2, 0), segment_no
from link_pair
join link_segment using (low, high)
order by trial_no;

insert into base.segment (condition_no, segment_no, n_trial)
select $condition, segment_no, n_trial from link_segment order by segment_no
