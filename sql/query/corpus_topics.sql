/*
title:       Topics of a corpus
question:    How many stories of each topic are judged yes, brief and no?
about:       topics
inputs:      registry.corpus, base.topic, base.judgment
parameters:
    corpus  corpus  needed  the corpus
grain:       topic_id
columns:
    topic_id         key    topic
    title            text   its title
    languages        text   languages of its stories
    is_multilingual  flag   1: several
    is_complete      flag   1: every story was looked at
    n_yes            count  stories that are on topic
    n_brief          count  stories that mention it
    n_no             count  stories that are not on topic
order:       By name.
edges:       Of the first set of judgments.
see also:    corpora, judgments_by_topic
*/
select
    topic_id, title, languages, is_multilingual, is_complete,
    count(*) filter (label = 'yes') as n_yes,
    count(*) filter (label = 'brief') as n_brief,
    count(*) filter (label = 'no') as n_no
from registry.corpus
join base.topic using (corpus_no)
left join base.judgment on judgment.corpus_no = topic.corpus_no
    and judgment.topic_no = topic.topic_no
    and judgment_set = 1
where corpus_id = $corpus
group by corpus_no, topic.topic_no, topic_id, title, languages, is_multilingual, is_complete
order by topic_id
