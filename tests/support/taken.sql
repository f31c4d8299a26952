select len(list_resize([7], 50000, 7))
select len(range(10000000))
from range(100000000) limit 1
select unnest(range(0, n_row)) from registry.run
select 1
SELECT 1;
from report.score
with a as (select 1) from a
values (1)
explain select * from report.score
describe report.score
show tables
summarize report.score
select ';' as text -- ; delete
/* a */ select 1 /* b */;
select * from range(3)
select unnest([1, 2])
select * from duckdb_tables()
with recursive r as (select 1 as n union all select n + 1 from r where n < 3) from r
select '/etc/passwd' as text
(select 1) union all (select 2)
select count(*) from registry.run where run_id = 'a.csv'
