/*
what:   The BOUNDSET of each file: its first.
*/
select file, line, place, at_column, nullif(f[1], '') as file_id, nullif(f[2], '') as source, nullif(f[3],
    '') as collected,
    as_time(collected) as collected_at, nullif(upper(f[4]), '') as language
from tag
where element = 'boundset' and not is_closing
qualify row_number() over (partition by file order by place) = 1
