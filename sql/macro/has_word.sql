/*
title:    Whether a blank-separated list has a word
formula:  ' ' || words || ' ' contains ' ' || word || ' '
source:   Our own: the bundle's lists (languages, labels that count as on topic) are stored unchanged
exact:    A comparison of texts.
edges:    NULL where the list or the word is. Letters count as they are: lower() or upper() both where case does not
          matter.
*/
create macro has_word(words, word) as
    ' ' || words || ' ' like '% ' || word || ' %'
