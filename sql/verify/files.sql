/*
title:  Files and problems that the registry has of owners, as entries on their loads say them
*/
with

loaded as (
    select unnest($owners) as owner
),

file as (
    select
        owner,
        list({
            path: path, kind: kind, n_byte: n_byte, sha256: sha256, n_problem: n_problem, reader: reader_version
        } order by input_file_no) as files
    from registry.input_file
    semi join loaded using (owner)
    group by owner
),

code as (
    select owner, code, count(*) as n
    from registry.problem
    semi join loaded using (owner)
    group by owner, code
),

-- each value after its length in bytes
said as (
    select owner, code, path, line, column_no, message, value, [
        code, path, coalesce(cast(line as varchar), 'None'), coalesce(cast(column_no as varchar), 'None'), message,
        coalesce(value, 'None')
    ] as fields
    from registry.problem
    semi join loaded using (owner)
),

problem as (
    select
        owner,
        string_agg(
            array_to_string(list_transform(fields, lambda field: concat(strlen(field), ':', field)), ''), ''
            order by code, path, line, column_no, message, value
        ) as text
    from said
    group by owner
)

select
    owner, coalesce(files, []) as files, coalesce(problems, map {}) as problems,
    sha256(coalesce(text, '')) as problems_sha256
from loaded
left join file using (owner)
left join (select owner, map(list(code), list(n)) as problems from code group by owner) using (owner)
left join problem using (owner)
