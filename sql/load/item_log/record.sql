/*
what: The objects of a log, a row for each (item_text): an unpaired surrogate becomes the replacement character. The
      values that the paths of the condition ($paths, keys joined by points) lead to.
*/
select line, said,
    list_transform($paths, lambda path: json_extract(said, '/'
        || replace(replace(replace(path, '~', '~0'), '/', '~1'), '.', '/'))) as attributes
from (
    select line, coalesce(try_cast(text as json),
        try_cast(regexp_replace(text, '\\u[dD][89a-fA-F][0-9a-fA-F]{2}', '\\ufffd', 'g') as json)) as said
    from item_text
    where not is_blank(text) and line not in (select unnest($wrong)))
order by line
