/*
What is wrong with the rows of invalid_row (file, line, part, invalid, infinite, n: rows that it represents, line_text,
cells): a row for each field that is not valid or infinite, of a row with another number of fields that alone.

Of a file and field at most $most problems are reported one by one, and one on all others. $fields are the fields of
each part, with their kinds; the one without a name is the number of fields.
*/
with

field as (select unnest($fields, recursive := true)),

odd as (
    select
        file, line, line_text, len(cells) as n_cell, n, field.*,
        invalid_row.infinite // bit % 2 = 1 as is_infinite,
        cells[cell] as written, if(starts_with(written, $no_text), substr(written, 2), written) as value
    from invalid_row
    join field using (part)
    where case when invalid % 2 = 1 then bit = 1 else invalid // bit % 2 = 1 or invalid_row.infinite // bit % 2 = 1 end
),

-- infinite numbers are stored, so that they are no part of those that are too many
tallied as (
    select
        *,
        sum(n) over (partition by file, name, is_infinite order by line rows unbounded preceding) as n_told,
        sum(n) over (partition by file, name, is_infinite) as n_all
    from odd
),

told as (
    select
        *,
        not is_infinite and n_told > $most as is_more,
        n_all - $most as n_more,
        is_blank(value) as is_empty,
        list_contains($none, lower(stripped(value))) as says_none,
        is_number and regexp_full_match(stripped(value), '[+-]?[0-9]+,[0-9]+([eE][+-]?[0-9]+)?') as has_comma
    from tallied
    where is_infinite or n_told - n <= $most
)

select
    file, line, part, line_text, n_cell, name, is_more,
    case when is_infinite then infinite when not is_more and name <> '' and is_empty then 'E305' else code end as code,
    case
        when is_more and name = '' then format('{} more such lines from here on', cast(n_more as bigint))
        when is_more and n_more = 1 then format('1 more value of {} from here on is wrong or empty', shown)
        when is_more
            then format('{:,} more values of {} from here on are wrong or empty', cast(n_more as bigint), shown)
        when is_infinite then shown || ' is infinite, expected a finite number'
        when name = '' then wrong
        when is_empty then format('{} is empty, expected {}', shown, expected)
        else replace(replace(wrong, '{name}', shown), '{expected}',
            if(is_id and starts_with(written, $no_text), 'text or a whole number', expected))
    end as message,
    case
        when is_more then 'Is this the right file, and the right format?'
        when is_infinite then format('It is stored as {}.', stored_as)
        when name = '' then advice
        when is_empty then coalesce(nullif(advice_if_none, ''), 'Fill it in.')
        when advice_if_none <> '' and says_none then advice_if_none
        when is_id and starts_with(written, $no_text)
            then 'Write it as text: it is bytes, a list, a time or a flag.'
        when has_comma then 'Write a decimal point instead of the comma.'
        else advice
    end as advice,
    if(is_more or not is_infinite and is_empty, null, value) as value,
    cast(if(is_more, 1, n) as bigint) as n
from told
order by is_more, file, line, bit
