/*
what:   the key has {n_label} labels, {counts}; of '{word}' ({trials}) it is not known what it is: '{target}' in line
        {first} and '{word}' in line {line_of_word}
advice: {advised}
*/
-- the words of two pairs are a mistake of the file
select distinct odd.file, odd.word_line as line, null as value, odd.n_label, odd.counts, odd.word,
    format('{:,} trial', cast(odd.n_trial_of_word as bigint)) || if(odd.n_trial_of_word = 1, '', 's') as trials,
    target.word as target, target.word_line as first, odd.word_line as line_of_word, 1 as at_column,
    if(list_bool_or(list_transform(odd.known,
            lambda pair: list_contains(pair, odd.word) and not list_has_any(pair, odd.known[1]))),
        'A file has the words of one pair: correct the lines, or name each word with target_label, nontarget_label or '
            || 'ignore_label.',
        format('Count them as non-targets (nontarget_label = ["{}", "{}"]) or leave them out (ignore_label = ["{}"]).',
            odd.known[1][2], odd.word, odd.word)) as advised
from key_label as odd
join key_label as target on target.file = odd.file and target.word = odd.known[1][1]
where odd.mistake = 'third' and odd.word = odd.odd_word
