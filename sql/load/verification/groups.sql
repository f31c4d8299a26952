/*
what: Trials with the same label and the same attributes, as the key writes them, and the values of the attributes.
*/
-- no text, no value; a word of the class of the trial (bonafide as the attack of a bona fide trial) means none
-- where the format has no such words. - is a value where both classes have it and others (no codec)
with key_group as (
    select label, attribute_values, any_value(is_target) as is_target, count(*) as n_trial
    from trial_row
    group by label, attribute_values
),

written as (
    select *, list_transform(string_split(attribute_values, chr(0)), lambda text: if(
        not $is_usual and (
            lower(stripped(text)) = lower(stripped(label))
            or is_target and lower(stripped(text)) in ('target', 'tgt', 'bonafide', 'bona-fide', 'genuine')
            or not is_target and lower(stripped(text)) in ('nontarget', 'non-target')),
        '', stripped(text))) as texts
    from key_group
),

dash as (
    select coalesce(list(number), []) as numbers
    from (
        select number
        from (
            select number, is_target, bool_or(text = '-') and bool_or(text not in ('', '-')) as has_both
            from (select is_target, unnest(texts) as text, generate_subscripts(texts, 1) as number from written)
            group by number, is_target)
        group by number having count(*) = 2 and bool_and(has_both))
)

select label, attribute_values, is_target, n_trial,
    list_transform(texts, lambda text, number: if(text = '-' and not list_contains(numbers, number), '', text))
        as attributes
from written cross join dash
