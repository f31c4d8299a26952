/*
title:    Comprehensiveness over time, as steps
formula:  C_tau(S) = sum of g(u, n) over the nuggets taken before tau / sum of R(n)
source:   TREC 2013 Temporal Summarization Metrics, eq. 17, 18
inputs:   metric.summarization_taken_nugget__v1, base.summarization_run_event__v1
grain:    run_no, profile_no, block_no, step_no
columns:
    run_no                     key      run
    profile_no                 key      scoring profile
    block_no                   key      event
    step_no                    key      number of the nugget in the order of taking, from 1
    step_time                  seconds  when it was taken; the value holds for tau behind this time, up to the next step
    nugget_no                  number   the nugget that was taken
    comprehensiveness          ratio    C after the step, discount-free
    latency_comprehensiveness  ratio    C after the step, latency-discounted
edges:    0 before the first step. Several nuggets taken at one time make several steps at that time; the last one
          holds. Events whose nuggets have no relevance have no curve.
class:    libm
see also: event_tau__v1
*/
with step as (
    select
        run_no, profile_no, block_no, nugget_no, sum_relevance, decision_time,
        row_number() over (partition by run_no, profile_no, block_no order by decision_time, nugget_no) as step_no,
        sum(whole_units(relevance, 1e18)) over so_far as gain_units,
        sum(whole_units(latency_gain, 1e18)) over so_far as latency_gain_units
    from metric.summarization_taken_nugget__v1
    join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
    window so_far as (
        partition by run_no, profile_no, block_no order by decision_time, nugget_no
        rows between unbounded preceding and current row
    )
)

select
    run_no, profile_no, block_no, step_no, decision_time as step_time, nugget_no,
    ratio(cast(gain_units as double) / 1e18, sum_relevance) as comprehensiveness,
    ratio(cast(latency_gain_units as double) / 1e18, sum_relevance) as latency_comprehensiveness
from step where sum_relevance > 0
