/*
what:   the measures '{name}' and '{value}' make the same id
advice: Rename one of them.
*/
select 0 as file, 1 as line, made.measure as value, own.measure as name
from items_measure as own
join items_measure as made on
    starts_with(made.measure, own.measure || '.')
    and regexp_full_match(substr(made.measure, len(own.measure) + 1), $made_of)
order by name, value
