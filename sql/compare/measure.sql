/*
title:    What a profile says of the metrics of scored trials, policies and weights; what the key of a condition has
edges:    A decision of a run is compared with 1/2, a score with the Bayes threshold.
*/
select
    profile_no, eer, min_cllr, weight_miss as price_miss, weight_fa as price_fa,
    case when $is_of_decisions then 0.5e0 else act_threshold end as threshold,
    (
        select coalesce(list(distinct attribute order by attribute), [])
        from base.verification_attribute
        where condition_no = $condition_no
    ) as attributes,
    (select count(test_id) > 0 from base.verification_trial where condition_no = $condition_no) as has_ids,
    (
        select map(coalesce(list(subset order by subset), []), coalesce(list(segments order by subset), []))
        from (
            select subset, list(segment_no order by segment_no) as segments
            from base.subset
            join base.subset_cell using (condition_no, subset_no)
            where condition_no = $condition_no
                and subset <> 'all'
            group by subset
        ) as segment
    ) as subsets
from registry.profile
join base.detection_price__v1 using (profile_no)
join registry.condition_profile using (profile_no)
left join base.bayes_threshold__v1 using (condition_no, profile_no)
where profile_id = $profile
    and condition_no = $condition_no
