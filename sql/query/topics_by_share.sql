/*
title:       Shares of targets
question:    How many topics have which share of targets among their trials, P(rel)?
about:       topics
inputs:      report.p_rel_histogram
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, bin_no
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    bin_no        key    bin, from 0
    mark          text   bar
    lower         ratio  lower end of the bin
    n_topic       count  topics in it
    upper         ratio  upper end of the bin
order:       Conditions and profiles by name, bins in order.
show:        xy x=lower y=n_topic until=upper mark=mark zero=y size=420x190 x_title=P(rel) y_title=topics
pages:       report 91
see also:    effective_cost, report.p_rel_histogram
*/
select condition_id, profile_id, bin_no, 'bar' as mark, lower, n_topic, upper
from report.p_rel_histogram
where condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, bin_no
