/*
what:   {n_score} scores of a trial that the key lists {times}
advice: Score it once, or as often as the key lists it, in its order; or repeated_scores = "first".
most:   20
*/
select min(file) as file, arg_min(line, [file, line]) as line, null as value, n_score,
    format('{:,}', max(n_listing)) || if(max(n_listing) = 1, ' time', ' times') as times
from scored
group by run_no, name, n_score
having n_score > 1 and n_score <> max(n_listing)
