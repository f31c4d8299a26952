/*
what:   the labels are {counts}; which of them is the target is not known
advice: Name them with target_label and nontarget_label.
*/
select distinct file, first_line as line, null as value, counts, 1 as at_column
from key_label
where mistake = 'unknown'
