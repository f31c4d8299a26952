/*
title:    How much reading updates cost, in updates
formula:  sum of V(u) = updates + excess words / mean nugget length
source:   TREC 2013 Temporal Summarization Metrics, eq. 24, 25
exact:    One division and one addition of doubles: the excess words are summed before.
edges:    Every update counts 1 where the event has no nugget to measure by. For one update: verbosity(1, ...).
*/
create macro verbosity(n_update, n_excess, mean_word) as
    case when mean_word > 0 then n_update + cast(n_excess as double) / mean_word else cast(n_update as double) end
