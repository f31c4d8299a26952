-- Queries of w = base.a (k, n, x): (1, 10, 0.5), (1, 20, 1.5), (2, 30, NULL), (NULL, 40, 2.5) and v = base.c (k, m): (1, 7),
-- (2, NULL); behind each its rows, worked out by hand.

select count(*) filter (where n > 10) as a, count(x) filter (where n > 10) as b, sum(n) filter (where x > 1) as c, min(n) filter (where x > 9) as d, count(distinct k) filter (where n < 40) as e from w
--> 3, 2, 60, None, 2

select k, sum(n) filter (where x > 1) over (partition by k order by n rows between unbounded preceding and current row) as s from w
--> 1, None
--> 1, 20
--> 2, None
--> None, 40

select k, n from w qualify row_number() over (partition by k order by n desc) = 1
--> 1, 20
--> 2, 30
--> None, 40

select k, n as rank from w where n < 40 qualify row_number() over (order by rank desc) <= 1 or x < 1
--> 1, 10
--> 2, 30

select k, sum(n) as s from w group by k qualify sum(s) over (order by s rows between unbounded preceding and current row) < 70
--> 1, 30
--> 2, 30

select distinct on (k) k, x from w order by k, n
--> 1, 0.5
--> 2, None
--> None, 2.5

select k, row_number() over f as a, sum(n) over (f rows between unbounded preceding and current row) as b from w window f as (partition by k order by n)
--> 1, 1, 10
--> 1, 2, 30
--> 2, 1, 30
--> None, 1, 40

select k, max(n) over (p order by n rows between unbounded preceding and current row) as m from w window p as (partition by k)
--> 1, 10
--> 1, 20
--> 2, 30
--> None, 40

select k, case when n > 20 then 'high' else 'low' end as kind, 0 as zero, count(*) + max(n) as s from w group by all
--> 1, 'low', 0, 22
--> 2, 'high', 0, 31
--> None, 'high', 0, 41

select * from w
--> 1, 10, 0.5
--> 1, 20, 1.5
--> 2, 30, None
--> None, 40, 2.5

select * exclude (x) replace (n + 1 as n) from w join v using (k)
--> 1, 11, 7
--> 1, 21, 7
--> 2, 31, None

select v.*, n from w left join v using (k) where n > 20
--> 2, None, 30
--> None, None, 40

select * from w join v using (k) where m is null
--> 2, 30, None, None

select n - 10 as rest, rest * 2 as twice, twice + rest as thrice from w where twice > 20
--> 20, 40, 60
--> 30, 60, 90

select n + 1 as k, k * 2 as twice from w where n = 10
--> 11, 2

select k, sum(n) as s, s / count(*) as mean from w group by k having s > 30
--> None, 40, 40

select kind, sum(n) as s from (select *, k is null as kind from w) as marked group by all
--> False, 60
--> True, 40
