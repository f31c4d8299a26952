/*
title:    A cost over that of the better system that decides without reading
formula:  C_norm = C / min(C_miss * P_target, C_fa * (1 - P_target))
source:   The 2004 TDT evaluation plan, section 5 (normalised Cdet)
exact:    One division of doubles.
edges:    NULL where deciding without reading costs nothing. 1 is a system that rejects or accepts everything.
see also: detection_cost
*/
create macro normalised_cost(cost, c_default) as
    case when c_default > 0 then cost / c_default end
