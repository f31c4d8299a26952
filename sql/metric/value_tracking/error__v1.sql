/*
title:    Expected error of an attribute
formula:  EE = 1 / (te - ts) * integral from ts to te of Err(tau) d tau, as the exact sum over the stretches
source:   TREC 2013 Temporal Summarization Metrics, eq. 26
inputs:   metric.value_tracking_segment__v1, base.attribute, registry.run
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no        key      run
    profile_no    key      scoring profile
    subset_no     key      0: all
    block_no      key      attribute of an event
    ee            unit of the attribute  expected error: persons, dollars, or kilometres
    n_stretch     count    stretches of constant error
    n_karney      count    of them with a distance by Karney, where Vincenty's formula does not converge
metrics:
    ee  n=n_stretch  best=lowest  Expected error (eq. 26)
edges:    An attribute that the run never submitted scores like the baseline.
class:    exact
see also: segment__v1, score__v1
*/
with

weighed as (
    select
        run_no, profile_no, block_no, is_vincenty,
        error * (to_time - from_time) as error_seconds
    from metric.value_tracking_segment__v1
),

-- in two limbs, of 1 and of 1e-12: dollars times seconds and metres times seconds both keep their digits
total as (
    select
        run_no, profile_no, block_no,
        sum(cast(floor(error_seconds) as decimal(38, 0))) as whole_error,
        sum(cast(floor((error_seconds - floor(error_seconds)) * 1e12 + 5e-1) as decimal(38, 0))) as rest_error,
        count(*) as n_stretch,
        sum(1 - is_vincenty) as n_karney
    from weighed
    group by run_no, profile_no, block_no
)

select
    run_no, profile_no,
    0 as subset_no,
    block_no,
    (cast(whole_error as double) + cast(rest_error as double) / 1e12)
        / nullif(end_time - start_time, 0) as ee,
    cast(n_stretch as bigint) as n_stretch,
    cast(n_karney as bigint) as n_karney
from total
join registry.run using (run_no)
join base.attribute using (condition_no, block_no)
