/*
title:    Every column of every report, down to columns as found and to the files they were loaded from
formula:  A column leads to each column that it is derived from, step by step (registry.lineage_step), until
          there is nothing below; kinds of staged rows lead to the files of that kind
source:   registry.lineage_source, which is read from the SQL of the views
inputs:   registry.lineage_source, registry.source_kind, registry.input_file
grain:    relation, column_name, from_relation, from_column, owner, path
columns:
    relation       key   view of report
    column_name    key   its column
    role           text  value: enters the number; row: decides which rows there are
    from_relation  key   table of staging or registry, or a kind of file
    from_column    key   its column; empty where the file itself is meant
    owner          key   corpus:ID, condition:ID or run:CONDITION/ID; NULL where no file of this store is meant
    path           key   the file, as given; NULL where no file of this store is meant
edges:    The files are those of a kind: which of them a single number comes from, explain says.
          What the registry holds and no file does (parameters of conditions, numbers given at loading) has no path.
class:    exact
see also: score
*/
with file_of_source as (
    select distinct from_relation, owner, path
    from registry.input_file
    join registry.source_kind on source_kind.kind = case when owner like 'run:%' then 'run' else input_file.kind end
)

select relation, column_name, role, from_relation, from_column, owner, path
from registry.lineage_source
left join file_of_source using (from_relation)
