-- Of nothing a ratio, a sum and a number of units are not known. 7 / 3 as units: 2 whole ones and 333333333333333 of 1e-15.

select ratio(3, 4), ratio(0, 4), ratio(0, 0), ratio(3, 0)
--> 0.75 0 - -

select whole_sum(x), count_units(max(x)) / 1000000, ratio_units(7 * count(x), 3 * count(x)) - 2333333333333333, ratio_units(count(x), 0 * count(x))
from (values (1::bigint), (0), (1), (null)) as t(x)
--> 2 1000000000 0 -

select whole_sum(x) from (values (null::bigint)) as t(x)
--> -

-- the plan's prices: c_miss 1, c_fa 0.1, p_target 0.02: 0.02 a miss, 0.098 a false alarm; p_miss 1/2, p_fa 1/10: 0.0198
select detection_cost(5e-1, 1e-1, 2e-2, 98e-3), normalised_cost(198e-4, 2e-2), normalised_cost(1e0, 0)
--> 0.0198 0.99 -

select has_word('yes brief', 'brief'), has_word('yes brief', 'rie'), has_word('yes', 'YES'), has_word('', 'yes'), has_word(null, 'yes')
--> 1 0 0 0 -

-- the power of two is above a number, and at most twice as large
select power_of_two(1e0), power_of_two(15e-1), power_of_two(3e0), power_of_two(4e0), power_of_two(0e0), power_of_two(null::double)
--> 2 2 4 8 1 -

select power_of_two(x) > x and power_of_two(x) <= 2 * x and power_of_two(power_of_two(x) / 2) = power_of_two(x)
from (values (1e-300), (7e200), (5e-306)) as t(x)
--> 1
--> 1
--> 1

-- two profiles; the first in the order of position 2, 5 and 9 whatever the order of the rows
select profile_no, place, running_sum(x, run_no, profile_no, subset_no, place) from
(values (1, 1, 0, 9, 100), (1, 1, 0, 2, 1), (1, 2, 0, 3, 7), (1, 1, 0, 5, 10)) as t(run_no, profile_no, subset_no, place, x) order by 1, 2
--> 1 2 1
--> 1 5 11
--> 1 9 111
--> 2 3 7

select epoch_seconds('1970-01-02 00:00:01'), epoch_seconds(cast(null as varchar))
--> 86401 -
