/*
what:   label '{word}' ({trials}) is neither in target_label nor in nontarget_label
advice: Name it in nontarget_label, or leave its trials out with ignore_label.
*/
select distinct file, word_line as line, null as value, word, 1 as at_column,
    format('{:,} trial', cast(n_trial_of_word as bigint)) || if(n_trial_of_word = 1, '', 's') as trials
from key_label
where mistake = 'named' and list_contains(odd_words, word)
