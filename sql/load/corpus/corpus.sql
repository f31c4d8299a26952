/*
what:   A corpus in the registry; its source files, stories, topics and judgments of a corpus
*/
-- the hash of its rows is set after they are stored
insert into registry.corpus by name
select $corpus as corpus_no, $id as corpus_id, count(*) as n_story, '' as content_sha256, $content as source_sha256
from corpus_story;

insert into base.source_file (corpus_no, source_file_no, source_file, source, language, collected_at, is_excluded)
select $corpus, source_file_no, source_file, source, language, cast(collected_at as timestamp), is_excluded
from corpus_file
order by source_file_no;

insert into base.story (corpus_no, story_no, story_id, source_file_no, source, language, kind, is_news, begin_recid,
    end_recid, begin_sec, end_sec, published_at)
select $corpus, story_no, story_id, source_file_no, source, language, kind_said, cast(kind_said = 'NEWS' as integer),
    begin_recid, end_recid, begin_sec, end_sec, cast(published_at as timestamp)
from corpus_story
order by story_no;

insert into base.topic (corpus_no, topic_no, topic_id, title, languages, is_complete)
select $corpus, topic_no, topic_id, title, languages, cast(is_complete as integer) from corpus_topic order by topic_no;

insert into base.judgment (corpus_no, judgment_set, topic_no, story_no, label)
select $corpus, judgment_set, topic_no, story_no, label
from (select * from corpus_judgment
    qualify row_number() over (partition by judgment_set, topic_id, story_id order by place) = 1)
join corpus_topic using (topic_id)
where story_no is not null
order by place;

-- annotated languages are those that the topics file names, or else those of the stories judged yes
update base.topic set is_multilingual = cast(n_language > 1 as integer)
from (
    select topic_no, case when any_value(languages) <> ''
            then len(list_distinct(regexp_extract_all(any_value(languages), '[^, ]+')))
            else count(distinct story.language) end as n_language, count(story.language) as n_spoken
    from base.topic
    left join base.judgment using (corpus_no, topic_no)
    left join base.story on story.corpus_no = topic.corpus_no and story.story_no = judgment.story_no
        and judgment.judgment_set = 1 and judgment.label = 'yes' and story.language <> ''
    where topic.corpus_no = $corpus
    group by topic_no
    having any_value(languages) <> '' or n_spoken > 0) as spoken
where topic.corpus_no = $corpus and topic.topic_no = spoken.topic_no
