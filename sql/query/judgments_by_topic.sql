/*
title:       How each topic was judged
question:    How many stories of each topic were judged yes, brief and no, in each language?
about:       trust
inputs:      registry.corpus, base.topic, base.judgment, base.story
parameters:
    topic         topic  none  one topic; none: all
    judgment_set  count  1     1, or 2 for the second judgments
grain:       corpus_id, topic_id, language
columns:
    corpus_id    key    corpus
    topic_id     key    topic
    language     key    language of the stories; NULL where the corpus does not say
    title        text   title of the topic; NULL where the corpus does not say
    n_yes        count  stories judged on topic
    n_brief      count  stories judged to mention it in passing
    n_no         count  stories that annotators rejected
    first_story  text   the first story judged yes or brief
order:       Corpora, topics and languages by name.
see also:    topic_sizes, judgment_changes
*/
select
    corpus_id, topic_id, story.language, title,
    count(*) filter (where label = 'yes') as n_yes,
    count(*) filter (where label = 'brief') as n_brief,
    count(*) filter (where label = 'no') as n_no,
    arg_min(story_id, story_no) filter (where label in ('yes', 'brief')) as first_story
from base.judgment
join registry.corpus using (corpus_no)
join base.topic using (corpus_no, topic_no)
join base.story using (corpus_no, story_no)
where judgment_set = $judgment_set
    and topic_id = coalesce($topic, topic_id)
group by corpus_id, topic_id, story.language, title
order by corpus_id, topic_id, story.language nulls first
