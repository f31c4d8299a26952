/*
title:       Definition of a metric
question:    Which view computes a metric, in which version, and is it exact (bitwise reproducible)?
about:       trust
inputs:      registry.metric, registry.definition
parameters:
    metric  metric  none  one metric; none: all
grain:       metric, relation
columns:
    metric    key   metric id
    relation  key   the view that computes it
    grain     text  score: a number of the run; block: of one topic
    version   text  version of the view
    best      text  lowest, highest or none
    class     text  exact: bitwise identical on any machine; libm: up to 4 units in the last place
    title     text  what it is, in words
order:       Metrics and views by name.
pages:       metrics 10 metric 10
see also:    files_of_run
*/
select metric, relation, grain, metric.version, best, class, metric.title
from registry.metric
join registry.definition using (relation)
where metric = coalesce($metric, metric)
order by metric, relation
