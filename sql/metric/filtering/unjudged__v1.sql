/*
title:    Accepted documents without a judgment, and the bounds of precision over them
formula:  n_unjudged = accepted documents that the judgments of the topic do not name
          precision_low = n_hit / n_accepted: all of them non-relevant, as scores count them
          precision_high = (n_hit + n_unjudged) / n_accepted: all of them relevant
source:   A. Moffat, J. Zobel, Rank-biased precision for measurement of retrieval effectiveness (2008), section 4
          (what unjudged documents could add); S. Robertson, I. Soboroff, The TREC 2002 filtering track report
inputs:   base.tracking_decision__v1, base.labelled_story, base.tracking_label__v1
grain:    run_no, profile_no, block_no
columns:
    run_no          key           run
    profile_no      key           scoring profile
    block_no        key           topic
    n_accepted      count         scored documents that the run accepted
    n_hit           count         of them, judged relevant
    n_unjudged      count         of them, without a judgment for this topic
    precision_low   ratio [0, 1]  precision if no unjudged document were relevant: the reported one
    precision_high  ratio [0, 1]  precision if every unjudged document were relevant
edges:    A topic without accepted documents is not here: its precision is 0/0, and no judgment changes that.
          The profile's policies for it act on the reported means alone. In TDT the relevance tables are
          complete: a story that they do not name is off topic, and the upper bound has no meaning.
class:    exact
volume:   decisions
see also: effectiveness__v1
*/
with judged as (select condition_no, block_no, story_no as trial_no, 1 as is_judged from base.labelled_story),

target as (
    select condition_no, profile_no, block_no, trial_no, is_target from base.tracking_label__v1 where is_target = 1
)

select
    run_no, profile_no, block_no, count(*) as n_accepted, whole_sum(coalesce(is_target, 0)) as n_hit,
    whole_sum(1 - coalesce(is_judged, 0)) as n_unjudged, ratio(n_hit, n_accepted) as precision_low,
    ratio(n_hit + n_unjudged, n_accepted) as precision_high
from base.tracking_decision__v1
left join judged using (condition_no, block_no, trial_no)
left join target using (condition_no, profile_no, block_no, trial_no)
where is_yes = 1
group by run_no, profile_no, block_no
