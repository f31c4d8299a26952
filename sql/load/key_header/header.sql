/*
what:   What the first lines of keys of link detection say.
*/
select *, starts_with(whole, '#') as is_header,
    if(is_header or list_contains($words, lower(f[1])), line, 0) as skip
from head
