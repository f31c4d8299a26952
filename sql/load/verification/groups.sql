/*
what: Trials with the same label and the same attributes, as the key writes them, and the values of the attributes.
*/
-- of an attribute nothing and - mean the same (''), and so does a word of the trial's own class (bonafide as the attack
-- of a bona fide trial) where the format has no such words
select label, attribute_values, is_target, n_trial,
    list_transform(string_split(attribute_values, chr(0)), lambda text: if(
        stripped(text) = '-'
        or not $is_usual and (
            lower(stripped(text)) = lower(stripped(label))
            or is_target and lower(stripped(text)) in ('target', 'tgt', 'bonafide', 'bona-fide', 'genuine')
            or not is_target and lower(stripped(text)) in ('nontarget', 'non-target')),
        '', stripped(text))) as attributes
from (
    select label, attribute_values, any_value(is_target) as is_target, count(*) as n_trial
    from trial_row
    group by label, attribute_values)
