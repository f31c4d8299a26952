/*
title:  The views of a set of definitions, as registry.definition has them; relations: their compiled entries
*/
select
    key as relation, $owner as owner, value ->> 'title' as title,
    coalesce(try_cast(regexp_extract(key, '__v(\d+)$', 1) as integer), 1) as version,
    rtrim(string_split_regex(trim(value ->> '$.fields.class'), '\s+')[1], ':') as class,
    value ->> 'tokens' as token_sha256, value ->> 'closure' as closure_sha256
from json_each($relations)
order by id
