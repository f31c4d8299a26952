/*
what: The first lines of files of Temporal Summarization that are not blank: judgments have a header, runs have none.
*/
-- is_named: words stand where the numbers of a run should; is_data: whole numbers stand where those of judgments do
with split as (
    select file, line, text, whole, ascii_words(text) as word,
        if($program is distinct from 'ts2013', string_split(text, chr(9)), word) as cell,
        if(len(cell) >= 5, cell, word) as judged
    from head
),

said as (
    select *, list_bool_or(list_transform(
            cast($whole as integer[]),
            lambda place: coalesce(
                regexp_full_match(judged[place + 1], '[ \t\n\r\x0b\f]*[+-]?[0-9]{1,18}[ \t\n\r\x0b\f]*'), false)
        )) as is_data,
        case when $code = 'E556' and len(word) >= 7 then word[6:7] when $code = 'E579' and len(word) = 9
            then [word[6], word[8], word[9]] else word[3:] end as number
    from split
)

select *, $code <> '' and (len(word) > 1 or $program is null) and len(number) > 1 and list_bool_and(list_transform(
        number,
        lambda one: regexp_matches(one, '[A-Za-z]')
            and not regexp_matches(one, '[0-9\s\x0b\x1c-\x1f\x{85}\p{Z}]')
            and lower(one) not in ('nan', 'inf', 'infinity')
    )) as is_named,
    case when is_named then line when $code = '' and line = 1 and not is_data then 1 else 0 end as skip
from said
