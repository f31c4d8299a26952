/*
title:       What corrected judgments change
question:    Which numbers differ under the second judgment set, and by how much?
about:       trust
inputs:      report.judgment_effect
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    metric     metric     none  one number; none: all
    subset     subset     all   all, or what the numbers are conditioned on
grain:       condition_id, profile_id, run_id, metric, weighting
columns:
    condition_id  key     evaluation condition, under the first judgments
    profile_id    key     scoring profile
    run_id        key     run
    metric        key     metric id
    weighting     key     topic, topic_all, story or none
    before        double  under the first judgments
    after         double  under the second
    difference    double  after - before
order:       Names. Equal numbers are left out.
see also:    judgment_effect, shared_false_alarms, report.judgment_effect
*/
select condition_id, profile_id, run_id, metric, weighting, before, after, difference
from report.judgment_effect
where subset = $subset
    and before is distinct from after
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
    and metric = coalesce($metric, metric)
order by condition_id, profile_id, run_id, metric, weighting
