/*
title:    A number, or what other programs print where it is undefined
formula:  x; where it is NULL and the profile says degenerate = reference_program: printed
source:   Our own: 0/0 is NULL here, 0 in the coreference scorers, 1 or 0 in scikit-learn; who compares tables wants
          theirs
exact:    No arithmetic.
edges:    NULL stays NULL under degenerate = null, and where the profile does not say.
*/
create macro reference_value(x, degenerate, printed) as
    case when x is null and degenerate = 'reference_program' then printed else x end
