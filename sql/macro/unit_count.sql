/*
title:    How many units entered the mean of a value over blocks: items where the row is of all blocks, else blocks
formula:  sum of n_item where block_no = 0, of 1 elsewhere, over the rows that have the value
source:   Our own: weighting story counts items, weighting topic counts blocks
exact:    A sum of whole numbers below 2^63.
edges:    0 where no row has the value; NULL without rows.
see also: exact_mean, whole_sum
*/
create macro unit_count(x, block_no, n_item) as
    whole_sum(case when x is null then 0 when block_no = 0 then n_item else 1 end)
