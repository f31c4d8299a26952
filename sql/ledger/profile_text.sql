/*
title:    The values of each profile as one text, so that a change of any shows
source:   registry.profile
inputs:   registry.profile, registry.profile_value
grain:    profile_no
columns:
    profile_no    key   profile
    profile_text  text  its values, by column
edges:    One call of concat, which leaves NULL out: chained || over as many columns takes several times as long to
          plan.
          Values of task packages follow, where the profile has some.
class:    exact
see also: current_computation
*/
with

own as (
    select profile_no, string_agg(name || '=' || value, '|' order by name) as own_values
    from registry.profile_value
    group by profile_no
)

select
    profile_no,
    concat(
        p_target, '|', c_miss, '|', c_fa, '|', judged_no, '|', training, '|', fa_topics, '|', topic_cost, '|',
        topic_cost_new_event, '|', topic_cost_minimum, '|', new_event_rule, '|', det_rule, '|', det_omitted,
        '|', band_z, '|', "primary", '|', eer, '|', min_cllr, '|', p_fa_stop, '|', decide_at, '|',
        decide_threshold, '|', decide_condition, '|', utility_weight, '|', utility_min, '|', f_beta, '|',
        t11su_beta, '|', t11su_min, '|', empty_topic, '|', empty_retrieved, '|', missing_topic, '|',
        b3_unassigned, '|', b3_unjudged, '|', missing_item, '|', spurious_item, '|', singleton_cluster, '|',
        noise_cluster, '|', repeated_item, '|', overlap, '|', degenerate, '|', w_det, '|', optbr, '|', c_branch,
        '|', c_title, '|', file_rules, '|', offsets, '|', word_count, '|', word_marking, '|', relevance, '|',
        importance_top, '|', binary_rule, '|', nugget_importance, '|', nuggets, '|', repeated_nugget, '|',
        scored_events, '|', latency_fix, '|', latency_step, '|', unpooled, '|', unpooled_match, '|', duplicates,
        '|', duplicates_file, '|', tie_break, '|', confidence, '|', confidence_sum, '|', latency_over, '|',
        confidence_latency_over, '|', eg_tau_over, '|', undefined, '|', scalar_baseline, '|', location_baseline,
        '|', pass_threshold, '|', cluster_correction, '|', missing_value,
        case when own_values is not null then '|' || own_values end
    ) as profile_text
from registry.profile
left join own using (profile_no)
