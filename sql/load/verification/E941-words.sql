/*
what:   the labels are {counts}, words of two pairs, expected those of one pair
advice: Write the words of one pair in all lines, or name them with target_label and nontarget_label.
*/
select distinct file, rare_line as line, null as value, counts, 1 as at_column from key_label where mistake = 'words'
