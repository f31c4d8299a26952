-- Queries of base.a(k, n, x, t, b) and base.c(k, m): those that every engine reads alike, and those that name a construct
-- (the comment above each) which engines read differently.

-- portable
select a.k as k from base.a as a left join base.c as c on c.k = a.k where c.k is null

-- portable
select a.k as k, case when a.n > 0 then cast(a.n as double) / a.n end as r from base.a as a

-- portable
select a.k as k, cast(floor(a.x * 1e15 + 5e-1) as decimal(38, 0)) as u from base.a as a

-- portable
select a.k as k, cast(sum(cast(floor(a.x * 1e15 + 5e-1) as decimal(38, 0))) as double) / 1e15 as s from base.a as a group by a.k

-- portable
select a.k as k, row_number() over (partition by a.n order by a.x desc, a.k asc) as r from base.a as a

-- portable
select a.k as k, sum(a.n) over (order by a.k rows between unbounded preceding and current row) as r from base.a as a

-- portable
select a.k as k, coalesce(c.hit, 0) as is_there from base.a as a left join (select c.k as k, 1 as hit from base.c as c) as c on c.k = a.k

-- portable
select k, n from base.a

-- portable
select a.k from base.a as a

-- portable
select k, m, x from base.a join base.c using (k)

-- portable
with w as (select k, n from base.a) select k, t from w join base.a using (k, n)

-- portable
select a.k as k from base.a as a where not exists (select 1 from base.c as c where c.k = a.k)

-- portable
with w as (select a.k as k, count(*) as n_row from base.a as a group by a.k) select w.k as k from w as w union all select c.k as k from base.c as c

-- portable
select coalesce(n, 0) as n, count(*) as m from base.a group by all

-- portable
select a.k as k, lead(cast(a.n as bigint)) over (partition by a.t order by a.k) as next_n from base.a as a

-- division of bigint
select a.n / a.k as r from base.a as a

-- division that may meet 0
select cast(a.n as double) / a.k as r from base.a as a

-- operator //
select a.n // a.k as r from base.a as a

-- operator %
select a.n % 3 as r from base.a as a

-- decimal literal
select a.x * 0.02 as r from base.a as a

-- sum of double
select sum(a.x) as s from base.a as a

-- function avg
select avg(a.x) as s from base.a as a

-- sum of booleans
select sum(a.b) as s from base.a as a

-- function count_if
select count_if(a.b) as s from base.a as a

-- function logical_or
select bool_or(a.b) as s from base.a as a

-- function arg_min
select arg_min(a.k, a.x) as s from base.a as a

-- function first
select first(a.k) as s from base.a as a

-- function median
select median(a.x) as s from base.a as a

-- function round
select round(a.x) as s from base.a as a

-- function greatest
select greatest(a.k, a.n) as s from base.a as a

-- function my_macro
select my_macro(a.k) as s from base.a as a

-- function log
select log(a.x) as s from base.a as a

-- function pi
select pi() as s

-- operator [
select [a.k] as s from base.a as a

-- cast of a double to bigint
select cast(a.x as bigint) as s from base.a as a

-- cast to
select cast(a.n as hugeint) as s from base.a as a

-- select *
select * from base.a as a

-- select *
with w as (select k from base.c) select a.*, k as other_k from base.a join w using (k)

-- cube, rollup or grouping sets
select a.k as k, count(*) as n from base.a as a group by cube (k)

-- window without order by
select distinct on (a.n) a.k as k from base.a as a

-- output without a name
select a.k + 1 from base.a as a

-- output with the name of a column that it is grouped by
select coalesce(n, 0) as n from base.a group by n

-- output with the name of a column that it is grouped by
select sum(n) as n from base.a group by k having min(n) > 0

-- comma or bare join
select a.k as k from base.a as a, base.c as c

-- comma or bare join
select a.k as k from base.a as a join base.c as c

-- full join
select a.k as k from base.a as a full join base.c as c on c.k = a.k

-- semi join
select a.k as k from base.a as a semi join base.c as c on c.k = a.k

-- asof join
select a.k as k from base.a as a asof join base.c as c on c.k >= a.k

-- order by of a view
select a.k as k from base.a as a order by a.k

-- limit
select a.k as k from base.a as a limit 1

-- set operation other than union all
select a.k as k from base.a as a union select c.k as k from base.c as c

-- set operation other than union all
select a.k as k from base.a as a except select c.k as k from base.c as c

-- recursion
with recursive w as (select 1 as k union all select w.k + 1 as k from w as w where w.k < 9) select w.k as k from w as w

-- window with the default frame
select sum(a.n) over (order by a.k) as s from base.a as a

-- range frame or exclude
select sum(a.n) over (order by a.k range between 1 preceding and current row) as s from base.a as a

-- window without order by
select row_number() over (partition by a.k) as s from base.a as a

-- order by text in a window
select row_number() over (order by a.t) as s from base.a as a

-- lead or lag with a default
select lead(cast(a.n as bigint), 1, 0) over (order by a.k) as s from base.a as a

-- quoted name
select a."k" as k from base.a as a

-- upper case
SELECT a.k as k from base.a as a
