/*
title:    Mean latency of the first detection over topics
formula:  Means over the topics with targets:
              first_detection_delay, first_detection_seconds as of a topic
              first_detection_rate = topics found / topics with targets
source:   Our own; see first_detection_topic__v1
inputs:   metric.first_detection_topic__v1, base.detection_subset__v1, registry.task
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no                   key           run
    profile_no               key           scoring profile
    subset_no                key           subset; 0 is all
    weighting                key           topic
    first_detection_delay    score         in stories; NULL without topics with targets
    first_detection_seconds  seconds       NULL without topics whose stories have a date and time
    first_detection_rate     ratio [0, 1]  topics found; NULL without topics with targets
    n_topic                  count         topics with targets
    n_topic_timed            count         those whose stories have a date and time
metrics:
    first_detection_delay    n=n_topic        best=lowest   Mean latency of the first detection, in stories
    first_detection_seconds  n=n_topic_timed  best=lowest   Mean latency of the first detection, in seconds
    first_detection_rate     n=n_topic        best=highest  Share of topics of which something is found
edges:    A topic that is never found counts as found when its stream is over.
class:    exact
see also: topic__v1
*/
select
    run_no, profile_no, subset_no, 'topic' as weighting,
    exact_mean(topic.first_detection_delay, 1e6) as first_detection_delay,
    exact_mean(topic.first_detection_seconds, 1e3) as first_detection_seconds,
    ratio(count(*) filter (where is_found = 1), count(topic.first_detection_delay)) as first_detection_rate,
    count(topic.first_detection_delay) as n_topic, count(topic.first_detection_seconds) as n_topic_timed
from base.detection_subset__v1 join registry.task using (task)
left join metric.first_detection_topic__v1 as topic using (run_no, profile_no, subset_no)
where decides_on = 'topic'
group by run_no, profile_no, subset_no
