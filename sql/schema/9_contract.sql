-- What every relation promises, and where every printed column comes from: written with the definitions.

create table registry.contract ( -- The contract of every relation: its columns with type, unit and range, and what one row is
    relation varchar not null, -- table or view, schema.name with version
    column_no integer not null, -- place in the relation, from 1
    column_name varchar not null, -- column
    data_type varchar not null, -- type in this engine, as bound from the source
    unit varchar, -- unit or range in words, as the header says; NULL for a table
    low double, -- smallest value allowed; NULL: none
    high double, -- largest value allowed; NULL: none
    is_key integer not null, -- 1: part of the grain
    primary key (relation, column_no)
);
