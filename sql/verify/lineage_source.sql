/*
title:  First sources of every column of report: value where no step to one selects rows
*/
with recursive

place as (
    select relation, column_name, column_no, definition.rowid as place_no
    from registry.contract
    join registry.definition using (relation)
    where starts_with(relation, 'report.')
),

-- each step of a value alone (1), and of rows too (2)
reached as (
    select relation, column_name, way, relation as from_relation, column_name as from_column
    from place
    cross join (values (1), (2)) as ways (way)
    union
    select reached.relation, reached.column_name, way, step.from_relation, step.from_column
    from reached
    join registry.lineage_step as step
        on step.relation = reached.from_relation
        and (step.column_name = reached.from_column or (way = 2 and step.column_name = ''))
    where reached.from_relation <> 'ledger.profile_text'
),

-- all values of a profile are one text: what reads it ends there
source as (
    select relation, column_name, if(min(way) = 1, 'value', 'row') as role, from_relation, from_column
    from reached
    anti join registry.lineage_step as step
        on step.relation = reached.from_relation and step.column_name in (reached.from_column, '')
        and step.relation <> 'ledger.profile_text'
    where (relation, column_name) <> (from_relation, from_column)
    group by all
)

select relation, column_name, role, from_relation, from_column
from source
join place using (relation, column_name)
order by place_no, column_no, from_relation, from_column
