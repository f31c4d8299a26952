delete from base.judgment
insert into registry.run select * from registry.run
update base.judgment set label = 'no'
drop view report.score
create table t as select 1
alter table base.story add column x integer
truncate base.story
checkpoint
vacuum
begin
commit
with gone as (delete from base.judgment returning *) select * from gone
with more as (insert into base.topic select * from base.topic returning 1) select * from more
select * from (with gone as (delete from base.judgment returning *) select * from gone)
explain analyze delete from base.judgment
explain analyze select 1
explain (analyze) select 1
explain delete from base.judgment
explain analyze /* select */ copy (select 1) to 'STORE.wal'
/* /* */ explain select 1; */ explain analyze delete from base.judgment
explain with gone as (delete from base.judgment returning *) select * from gone
select 1; drop table base.judgment cascade
select 1; select 2
set threads = 1
set variable a = 1
reset lock_configuration
pragma threads = 1
call pragma_version()
use base
prepare p as select 1
execute p
copy (select 1) to 'evil.csv'
copy (select from_hex('00')) to 'STORE.wal' (format blob)
copy base.judgment from 'x.csv'
attach 'other.duckdb'
export database 'x'
import database 'x'
install httpfs
load httpfs
select * from read_csv('/etc/passwd')
select * from 'x.csv'
select * from "x.parquet"
from read_text('STORE.wal')
from read_blob('STORE')
from glob('*')
select (select count(*) from read_text('/etc/passwd'))
with a as (from read_text('/etc/passwd')) select 1
describe select * from read_csv('/etc/passwd')
summarize '/etc/passwd'
show 'x.csv'
select 1 where 1 in (select 1 from parquet_metadata('x'))
from query('delete from base.judgment')
from query_table('x.csv')
select * from report.score, lateral (from read_text('/etc/passwd'))
from histogram('x.csv', a)
from json_execute_serialized_sql('x')
select * from sniff_csv('x.csv')
from 'https://example.org/x.parquet'
select nextval('x')
select write_log('x')
;
-- x
/* x */
selec 1
select
select * from nowhere
drop table base.judgment
create table t (x int)
create temp table t (x int)
update ledger.entry set detail = ''
select * from '/etc/passwd'
select * from read_text('/etc/passwd')
select * from read_parquet('https://example.org/x')
select * from glob('/*')
set memory_limit = '100GB'
pragma memory_limit = '100GB'
