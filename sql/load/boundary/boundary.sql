/*
what:   Stories of boundary tables, each once.
*/
with said as (
    select file, line, place, at_column, f[1] as docno, f[2] as doctype, f[3] as bsec, f[4] as esec, f[5] as brecid,
        f[6] as erecid
    from tag
    where element = 'boundary' and not is_closing and f[1] <> '' and f[2] <> ''
)

select file, line, place, at_column, docno, doctype, as_time_pointer(bsec) as begin_sec,
    as_time_pointer(esec) as end_sec,
    as_recid(brecid) as begin_recid, as_recid(erecid) as end_recid
from said
qualify row_number() over (partition by file, docno order by place) = 1
