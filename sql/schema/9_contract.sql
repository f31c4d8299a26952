-- What every relation promises, and where every printed column comes from: written with the definitions.

create table registry.contract ( -- The contract of every relation: its columns with type, unit and range, and what one row is (no key: written once, and an index of texts takes more room than the rows)
    relation varchar not null, -- table or view, schema.name with version
    column_no integer not null, -- position in the relation, from 1
    column_name varchar not null, -- column
    data_type varchar not null, -- type in this engine, as bound from the source
    unit varchar, -- unit or range in words, as the header says; NULL for a table
    low double, -- smallest value allowed; NULL: none
    high double, -- largest value allowed; NULL: none
    is_key integer not null -- 1: part of the grain
);
-- public registry.contract: relation, column_no, column_name, data_type, unit, low, high, is_key

create table registry.lineage_step ( -- Direct source columns of each column of a view, down to tables, staged rows and kinds of files
    relation varchar not null, -- view, or table that is loaded or stored
    column_name varchar not null, -- its column; empty: its rows, which ones there are
    role varchar not null, -- value (enters the expression), row (decides which rows there are), kept (the scorer put it there) or loaded (a loader read it there)
    from_relation varchar not null, -- source: a view, a table, or a kind of file
    from_column varchar not null -- its column; empty where a file is meant
);
-- public registry.lineage_step: relation, column_name, role, from_relation, from_column

create table registry.lineage_source ( -- Origin of every column of report
    relation varchar not null, -- view of report
    column_name varchar not null, -- its column
    role varchar not null, -- value: on the way down always a value; row: somewhere it only decides which rows there are
    from_relation varchar not null, -- table of staging or registry, or a kind of file
    from_column varchar not null -- its column; empty where a file is meant
);
-- public registry.lineage_source: relation, column_name, role, from_relation, from_column

create table registry.source_kind ( -- Which kinds of input files fill a table of staging
    from_relation varchar not null, -- table of staging, or a kind of file whose rows are not staged
    kind varchar not null, -- kind in registry.input_file; run: any file of a run
    primary key (from_relation, kind)
);
-- public registry.source_kind: from_relation, kind
