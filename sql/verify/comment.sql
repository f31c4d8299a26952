/*
title:  The comments of tables, views and columns of a store, by kind and name
*/
select 'comment on ' || schema_name || '.' || table_name as name, coalesce(comment, '') as comment
from duckdb_tables()
where not internal and not temporary
union all
select 'comment on ' || schema_name || '.' || view_name, coalesce(comment, '')
from duckdb_views()
where not internal and not temporary
union all
select 'comment on ' || schema_name || '.' || table_name || '.' || column_name, coalesce(comment, '')
from duckdb_columns()
where not internal and schema_name <> 'main'
