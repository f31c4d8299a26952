/*
what:   a score beyond 9e99, the highest there is
advice: Scale the scores.
field:  score
*/
select file, line, score as value from read_run where abs(score) > 9e99 and not isnan(score)
