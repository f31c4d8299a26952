/*
title:  The definition of every table, view and macro of a store, as the engine writes it, by kind and name; without
        user-defined metrics
*/
select 'table ' || schema_name || '.' || table_name as name, sql
from duckdb_tables()
where not internal and not temporary
union all
select 'view ' || schema_name || '.' || view_name, sql
from duckdb_views()
where not internal and not temporary and schema_name <> 'own'
union all
select 'macro ' || schema_name || '.' || function_name, coalesce(macro_definition, '')
from duckdb_functions()
where not internal and function_type in ('macro', 'table_macro')
union all
select 'type ' || schema_name || '.' || type_name, logical_type
from duckdb_types()
where not internal and database_name = current_database()
union all
select 'sequence ' || schema_name || '.' || sequence_name, coalesce(sql, '')
from duckdb_sequences()
where not temporary
union all
select 'index ' || schema_name || '.' || index_name, coalesce(sql, '')
from duckdb_indexes()
