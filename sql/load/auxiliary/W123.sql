/*
what:   language is not one of the TDT corpora, expected ENGLISH, MANDARIN or ARABIC
advice: It is stored unchanged.
field:  language
*/
select file, line, written as value
from read_auxiliary_index
where date is not null and language not in ('ENGLISH', 'MANDARIN', 'ARABIC')
