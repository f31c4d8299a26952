/*
title:    The detection cost of two error rates
formula:  C_det = C_miss * P_target * p_miss + C_fa * (1 - P_target) * p_fa
source:   The 2004 TDT evaluation plan, section 5 (Cdet)
exact:    Two products and a sum of doubles, in this order.
edges:    NULL where a rate is. The weights are those of base.detection_price__v1: weight_miss = C_miss * P_target,
          weight_fa = C_fa * (1 - P_target).
see also: normalised_cost
*/
create macro detection_cost(p_miss, p_fa, weight_miss, weight_fa) as
    weight_miss * p_miss + weight_fa * p_fa
