/*
title:    A weighting is one of those that there are
severity: error
inputs:   report.score
*/
select *
from report.score
where weighting not in ('topic', 'topic_all', 'none', 'story', 'group', 'weight')
