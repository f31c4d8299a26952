/*
title:    What an error of a detection run costs, per profile
formula:  weight_miss = c_miss * p_target
          weight_fa   = c_fa * (1 - p_target)
          c_default   = min(weight_miss, weight_fa): the cost of the better system that decides without reading
          C_det = weight_miss * p_miss + weight_fa * p_fa;  normalised, C_det / c_default
source:   The 2004 TDT evaluation plan, section 5 (C_Det and its normalisation)
inputs:   registry.profile
grain:    profile_no
columns:
    profile_no   key   scoring profile
    weight_miss  cost  cost of missing every target
    weight_fa    cost  cost of accepting every non-target
    c_default    cost  the smaller of the two; a normalised cost is NULL where it is 0
edges:    A system that rejects everything costs exactly c_default, or exactly weight_miss:
          its normalised cost is 1 bitwise where misses are the cheaper error.
class:    exact
see also: metric.detection_rate__v1, metric.detection_pooled__v1, metric.detection_topic_weighted__v1
*/
select
    profile_no, c_miss * p_target as weight_miss, c_fa * (1 - p_target) as weight_fa,
    case when weight_miss <= weight_fa then weight_miss else weight_fa end as c_default
from registry.profile
