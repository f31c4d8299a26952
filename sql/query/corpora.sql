/*
title:       Corpora
question:    Which corpora does the store have, and how large is each?
about:       runs
inputs:      registry.corpus, registry.condition, base.topic, base.judgment
parameters:
    corpus  corpus  none  one corpus; none: all
grain:       corpus_id
columns:
    corpus_id    key    corpus
    n_story      count  stories; 0 where its tasks need none
    n_topic      count  topics
    n_judgment   count  judgments, of both sets
    n_condition  count  evaluation conditions over it
order:       By name.
see also:    corpus_topics, conditions
*/
select
    corpus_id, n_story, (select count(*) from base.topic where topic.corpus_no = corpus.corpus_no) as n_topic,
    (select count(*) from base.judgment where judgment.corpus_no = corpus.corpus_no) as n_judgment,
    (select count(*) from registry.condition where condition.corpus_no = corpus.corpus_no) as n_condition
from registry.corpus
where corpus_id = coalesce($corpus, corpus_id)
order by corpus_id
