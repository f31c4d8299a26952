/*
title:    A normed utility between a floor and 1, drawn out to [0, 1]
formula:  (max(utility, lowest) - lowest) / (1 - lowest)
source:   S. Robertson, I. Soboroff, The TREC 2002 Filtering Track Report (T11SU)
exact:    Two differences and a division of doubles.
edges:    NULL where the utility is. Below the floor all systems are equal: 0.
*/
create macro scaled_utility(utility, lowest) as
    case
        when utility >= lowest then (utility - lowest) / (1 - lowest)
        when utility < lowest then cast(0 as double)
    end
