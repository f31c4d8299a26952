/*
title:  The query of the rows of each Parquet file of an archive: runs, input files and computations are numbered by
        name; files: their names, table/NAME.parquet and result/NAME.parquet
edges:  What is computed again on request is left out, and so is what is no longer current. A public archive has scores
        of items where an item has one sample.
*/
with

part as (
    select
        file, file_no, split_part(file, '/', 1) as kind,
        regexp_extract(file, '^[a-z]+/(.*)\.parquet$', 1) as name
    from (select unnest($files) as file, unnest(range(len($files))) as file_no)
),

stored as (
    select
        schema_name || '.' || table_name as name,
        string_agg(
            case
                when is_numbered then format('cast({0}.new_no as {1}) as {0}', column_name, data_type)
                else format('stored."{}"', column_name)
            end, ', ' order by column_index
        ) as chosen,
        coalesce(string_agg(
            format(
                ' join temp.renumbered as {0} on {0}.kind = ''{0}'' and {0}.old_no = stored.{0}', column_name
            ), '' order by column_index
        ) filter (is_numbered), '') as joins
    from (
        select *, column_name in ('run_no', 'input_file_no', 'computation_no') as is_numbered
        from duckdb_columns()
        where database_name = current_database()
    )
    group by all
)

select
    file,
    case kind
        when 'result' then format('from report.{} order by all', name)
        else format(
            'select {} from {} as stored{} where {} order by all', chosen,
            if(name = 'ledger.entry', 'temp.archived_entry', name), joins,
            case
                when name in ('ledger.result_comparison', 'ledger.past_score') then 'false'
                when name = 'base.item_score' and $form = 'public'
                    then 'stored.run_no not in (select run_no from base.item_score where epoch <> 1)'
                else 'true'
            end
        )
    end as query
from part
left join stored using (name)
order by file_no
