/*
title:  The statements that empty what is not public of a store: whole tables, and columns (0 or 'not shown' where NULL
        is not allowed); public: table, column
*/
with

public as (
    select said[1] as relation, said[2] as column_name
    from (select unnest(from_json($public, '[["varchar"]]')) as said)
),

stored as (
    select
        schema_name || '.' || table_name as relation, column_name,
        case
            when is_nullable then 'null'
            when contains(data_type, 'INT') or data_type = 'DOUBLE' then format('cast(0 as {})', data_type)
            else format('cast(''not shown'' as {})', data_type)
        end as empty
    from duckdb_columns() join duckdb_tables() using (database_name, schema_name, table_name)
    where database_name = current_database() and schema_name <> 'main'
)

select distinct 'delete from ' || relation as statement
from stored anti join public using (relation)
union all
select format('update {} set "{}" = {}', relation, column_name, empty)
from stored anti join public using (relation, column_name)
where relation in (select relation from public)
