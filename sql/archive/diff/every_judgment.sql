/*
title:    Every judgment that differs; NULL where an archive does not have it
*/
select corpus_id, judgment_set, topic_id, story_id, before as "old", now as "new"
from label
order by corpus_id, judgment_set, topic_id, story_id
