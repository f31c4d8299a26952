-- exact_mean and exact_sum: NULL does not count; 1/3 is no whole number of 1e-15, and one number is its own mean: 257/275
-- is not what its 15 digits give back. An undefined number counts 0 in a mean over n. Sums of 1e-15: 1.25 over two is 0.625.

select exact_mean(x) from (values (0.25e0), (1.0e0)) as t(x)
--> 0.625

select exact_mean(x) from (values (0.25e0), (null), (1.0e0)) as t(x)
--> 0.625

select exact_mean(x), exact_sum(x) from (values (null::double)) as t(x)
--> - -

select exact_mean(x), exact_mean(x, 1e18) from (values (1e0 / 3), (2e0 / 3)) as t(x)
--> 0.5 0.5

select exact_mean(x) = 1e0 / 3 from (values (null), (1e0 / 3)) as t(x)
--> 1

select exact_mean(x) = 257e0 / 275 from (values (257e0 / 275)) as t(x)
--> 1

-- the same in any order: 300 numbers, as sum and as sum of the sums of three parts turned round
select exact_sum(x), exact_sum(y) = exact_sum(x) from (select
    [0.1e0, 0.7e0, 1e-9, 0.3e0, 0.2e0, 1e0 / 3][1 + n % 6] as x,
    [0.1e0, 0.7e0, 1e-9, 0.3e0, 0.2e0, 1e0 / 3][6 - n // 50] as y from range(300) as t(n))
--> 81.66666671666665 1

select zero_mean(x, 4), zero_mean(x, 0) from (values (0.5e0), (null), (0.25e0), (null)) as t(x)
--> 0.1875 -

select mean_of_units(1250000000000000, 2), mean_of_units(1250, 2, 1e3), mean_of_units(0, 0)
--> 0.625 0.625 -
