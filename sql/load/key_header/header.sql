/*
what:   What the first lines of keys of link detection say.
*/
select *, starts_with(whole, '#') as is_header,
    if(is_header or lower(f[1]) in (
        'tracking', 'first_story', 'link_detection', 'hierarchical_detection', 'hiearchical_detection'
    ), line, 0) as skip
from head
