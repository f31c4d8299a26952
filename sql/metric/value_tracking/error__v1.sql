/*
title:    Expected error of an attribute
formula:  EE = 1 / (te - ts) * integral from ts to te of Err(tau) d tau, as the exact sum over intervals
source:   TREC 2013 Temporal Summarization Metrics, eq. 26
inputs:   metric.value_tracking_stretch__v1, base.attribute, registry.run
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no        key      run
    profile_no    key      scoring profile
    subset_no     key      0: all; or attribute=NAME, the attribute's own subset
    block_no      key      attribute of an event
    ee            unit of the attribute  expected error: persons, dollars, or kilometres
    n_stretch     count    intervals of constant error
    n_karney      count    of them with a distance by Karney, where Vincenty's formula does not converge
metrics:
    ee  n=n_stretch  best=lowest  Expected error (eq. 26)
edges:    Each number is here twice: in all, and in the subset of its attribute.
          An attribute that the run never submitted scores like the baseline.
class:    exact
see also: stretch__v1, score__v1
*/
with expected as (
    select
        run_no, profile_no, subset_no as own_subset_no, block_no, count(*) as n_stretch,
        whole_sum(1 - is_vincenty) as n_karney,
        ratio(exact_sum_wide(error * (to_time - from_time)), end_time - start_time) as ee
    from metric.value_tracking_stretch__v1 join registry.run using (run_no)
    join base.attribute using (condition_no, block_no)
    group by run_no, profile_no, subset_no, block_no, start_time, end_time
)

select run_no, profile_no, 0 as subset_no, block_no, ee, n_stretch, n_karney from expected
union all
select run_no, profile_no, own_subset_no as subset_no, block_no, ee, n_stretch, n_karney from expected
