/*
title:    What a profile says of the metrics of scored trials: policies and weights
*/
select profile_no, eer, min_cllr, weight_miss, weight_fa, act_threshold
from registry.profile
join base.detection_price__v1 using (profile_no)
join registry.condition_profile using (profile_no)
left join base.bayes_threshold__v1 using (condition_no, profile_no)
where profile_id = $profile
    and condition_no = $condition_no
