/*
title:    Whether one of some blank-separated words is this one
formula:  1 where it is, else 0
source:   Our own: parameters that are short sets of words, as labels or languages, are one column
exact:    Whole words, in upper and lower case as given.
edges:    0 where either is NULL.
*/
create macro has_word(words, word) as
    case when ' ' || words || ' ' like '% ' || word || ' %' then 1 else 0 end
