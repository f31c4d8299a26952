/*
what:   the score is not a valid probability, expected 0 to 1
advice: Correct the score, or scores of the condition: "llr", "score", "log10lr".
most:   20
*/
select file, line, score as value
from trial_row
where $scores = 'probability' and not score between 0 and 1
