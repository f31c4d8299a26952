/*
title:  Values that a column of a profile cannot have: shown, texts, numbers: each as it is shown, and as what it is;
        known: columns; choices: column -> its values; own: values of task packages; advice: NULL where the name of the
        column is unknown
*/
with

given as (
    select
        unnest(cast($columns as varchar[])) as column_name, unnest(cast($shown as varchar[])) as shown,
        unnest(cast($texts as varchar[])) as text, unnest(cast($numbers as double[])) as number,
        generate_subscripts(cast($columns as varchar[]), 1) as place
),

-- beyond them means of costs overflow or are undefined
range (low, high, words, names) as (
    values
        (0, 1, 'from 0 to 1', ['p_target', 'p_fa_stop', 'w_det']),
        (
            0, 1e9, 'from 0 to 1e9',
            ['c_branch', 'c_title', 'band_z', 'f_beta', 'latency_step']
        ),
        (1e-9, 1e9, 'from 1e-9 to 1e9', ['c_miss', 'c_fa', 'utility_weight', 't11su_beta']),
        (-1e9, 1 - 1e-9, 'from -1e9, below 1', ['utility_min', 't11su_min']),
        (1 + 1e-9, 1e9, 'above 1, up to 1e9', ['optbr'])
),

typed as (
    select
        given.*, coalesce(isfinite(number), false) as is_number, low, high, words,
        from_json(json_extract($choices, '$."' || column_name || '"'), '["json"]') as choices,
        json_type($own, '$."' || column_name || '"') as own_type
    from given left join range on list_contains(names, column_name)
),

judged as (
    select
        *,
        not list_contains($known, column_name) and own_type is null as is_unknown,
        case
            when column_name = 'decide_at'
                then is_number or text in ('bayes', 'threshold')
                    or (starts_with(text, 'condition:') and text <> 'condition:')
            when choices is not null
                then len(list_filter(choices, lambda choice: if(
                    json_type(choice) = 'VARCHAR', json_extract_string(choice, '$') = text,
                    try_cast(choice as double) = number
                ))) > 0
            when own_type = 'VARCHAR' then text is not null
            else is_number and number between coalesce(low, number) and coalesce(high, number)
        end as is_right,
        case
            when column_name = 'decide_at' then 'a number, "bayes" or "condition:NAME"'
            when choices is not null
                then 'one of ' || array_to_string(list_transform(
                    choices, lambda choice: json_extract_string(choice, '$')
                ), ', ')
            when own_type = 'VARCHAR' then 'a text'
            else 'a number' || if(is_number and words is not null, ' ' || words, '')
        end as expected
    from typed
)

select
    column_name,
    case
        when is_unknown then format(' has an unknown column ''{}''', column_name)
        when column_name = 'decide_condition' then ': decide_condition is part of decide_at'
        else format(': {} is {}, expected {}', column_name, shown, expected)
    end as said,
    case
        when is_unknown then null
        when column_name = 'decide_condition' then format('Write decide_at = "condition:{}".', coalesce(text, shown))
        else 'Correct the value.'
    end as advice
from judged
where is_unknown or column_name = 'decide_condition' or not coalesce(is_right, false)
order by place
