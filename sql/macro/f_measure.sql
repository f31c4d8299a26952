/*
title:    Precision and recall in one number (F)
formula:  F_beta = (1 + beta^2) n_hit / (n_yes + beta^2 n_target), 0 without a hit
source:   C. J. van Rijsbergen, Information Retrieval (1979), chapter 7 (F = 1 - E)
exact:    Counts below 2^53 as doubles: with beta = 1 one division of whole numbers, correctly rounded.
edges:    NULL without trials. beta > 1 favours recall, beta < 1 precision.
*/
create macro f_measure(n_hit, n_yes, n_target, n_trial, beta := 1e0) as
    case
        when n_hit > 0 then (1 + beta * beta) * n_hit / (n_yes + beta * beta * n_target)
        when n_trial > 0 then cast(0 as double)
    end
