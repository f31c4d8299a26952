/*
title:    The confidence-biased numbers of a run: means over events
formula:  topic:     mean over the events that the run has a row for
          topic_all: mean over all events of the condition; an event the run has no row for counts 0 (eq. 13),
                     but is left out of expected_verbosity_conf
source:   TREC 2013 Temporal Summarization Metrics, eq. 13; the track's programs of 2013 to 2015 (topic)
inputs:   metric.summarization_event_confidence__v1, base.summarization_weighting__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no                          key     run
    profile_no                      key     scoring profile
    subset_no                       key     0: all
    weighting                       key     topic or topic_all
    eg_v_conf                       ratio   eg_v, confidence-biased
    neg_conf                        ratio   neg, confidence-biased
    elg_conf                        ratio   elg, confidence-biased
    nelg_conf                       ratio   nelg, confidence-biased
    comprehensiveness_conf          ratio   Comprehensiveness, confidence-biased
    latency_comprehensiveness_conf  ratio   Latency comprehensiveness, confidence-biased
    h_conf                          ratio   Harmonic mean of nelg_conf and latency_comprehensiveness_conf
    expected_verbosity_conf         ratio   Mean verbosity, confidence-biased
    expected_latency_conf           ratio   Mean latency discount, confidence-biased
    n_event                         events  that entered the means of counts
    n_event_conf                    events  that entered the means of eg_v_conf, neg_conf, elg_conf, nelg_conf,
                                            comprehensiveness_conf, latency_comprehensiveness_conf, h_conf,
                                            expected_latency_conf
    n_event_verbosity               events  that entered the mean of expected_verbosity_conf
metrics:
        eg_v_conf                       n=n_event_conf  best=highest  eg_v, confidence-biased
        neg_conf                        n=n_event_conf  best=highest  neg, confidence-biased
        elg_conf                        n=n_event_conf  best=highest  elg, confidence-biased
        nelg_conf                       n=n_event_conf  best=highest  nelg, confidence-biased
        comprehensiveness_conf          n=n_event_conf  best=highest  Comprehensiveness, confidence-biased
        latency_comprehensiveness_conf  n=n_event_conf  best=highest  Latency comprehensiveness, confidence-biased
        h_conf                          n=n_event_conf  best=highest  Harmonic mean of nelg_conf and latency_comprehensiveness_conf
        expected_verbosity_conf         n=n_event_verbosity  best=lowest   Mean verbosity, confidence-biased
        expected_latency_conf           n=n_event_conf  best=highest  Mean latency discount, confidence-biased
edges:    Undefined numbers of an event are left out of the topic mean, and count 0 in topic_all when another event
          has one.
          What is best low is never 0 for what is missing: expected_verbosity_conf is the mean over events with an
          update in topic_all too, and n says how many.
          A run without any event has topic NULL, n 0.
class:    libm
see also: event_confidence__v1, score__v1
*/
-- what is undefined counts 0 in a sum; topic_all counts every event, but where the run has events and none has the
-- number, it is undefined there too
with total as (
    select
        run_no, profile_no, subset_no, weighting,
        coalesce(case when weighting = 'topic' then whole_sum(is_present) else count(block_no) end, 0) as n_event,
        case
            when weighting = 'topic' or whole_sum(is_present) > 0 and count(eg_v_conf) = 0 then count(eg_v_conf)
            else count(block_no)
        end as n_event_conf,
        case
            when weighting = 'topic' then count(eg_v_conf)
            else count(*) filter (where n_update > 0 and expected_verbosity_conf is not null)
        end as n_event_verbosity,
        zero_mean(event.eg_v_conf, n_event_conf) as eg_v_conf, zero_mean(event.neg_conf, n_event_conf) as neg_conf,
        zero_mean(event.elg_conf, n_event_conf) as elg_conf, zero_mean(event.nelg_conf, n_event_conf) as nelg_conf,
        zero_mean(event.comprehensiveness_conf, n_event_conf) as comprehensiveness_conf,
        zero_mean(event.latency_comprehensiveness_conf, n_event_conf) as latency_comprehensiveness_conf,
        zero_mean(event.h_conf, n_event_conf) as h_conf,
        zero_mean(event.expected_verbosity_conf, n_event_verbosity, 1e12) as expected_verbosity_conf,
        zero_mean(event.expected_latency_conf, n_event_conf) as expected_latency_conf
    from base.summarization_weighting__v1
    left join metric.summarization_event_confidence__v1 as event using (run_no, profile_no, subset_no)
    where subset_no = 0
    group by run_no, profile_no, subset_no, weighting
)

select
    run_no, profile_no, subset_no, weighting, eg_v_conf, neg_conf, elg_conf, nelg_conf, comprehensiveness_conf,
    latency_comprehensiveness_conf, h_conf, expected_verbosity_conf, expected_latency_conf, n_event, n_event_conf,
    n_event_verbosity
from total
