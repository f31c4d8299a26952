/*
title:    Which update took which nugget, and when
formula:  M(n, S) = the earliest update of S that matches n;
          L(n.t, u.t) = 1 - 2/pi * atan((u.t - n.t) / latency_step)
source:   TREC 2013 Temporal Summarization Metrics, eq. 7, 8, 22, 23
inputs:   base.summarization_update__v1, base.summarization_nugget__v1, base.nugget_match, registry.run,
          registry.profile
grain:    run_no, profile_no, block_no, nugget_no
columns:
    run_no            key            run
    profile_no        key            scoring profile
    block_no          key            event
    nugget_no         key            nugget that was taken
    update_seq        number         the update that took it
    update_no         number         that update, where the judgments know it
    match_update_no   number         the update whose match rows were used
    text_update_no    number         the update whose text it has
    match_no          number         the match row
    decision_time     seconds        when it was taken
    nugget_time       seconds        reference time of the nugget
    relevance         ratio          R(n): the discount-free gain
    latency_discount  ratio [0, 2]   L(n.t, u.t)
    latency_gain      ratio          R(n) * L(n.t, u.t)
    weight            ratio          confidence of the update
edges:    Ties in time go to the update that comes first in the run (tie_break input: the programs), or to the
          smaller update id (update_id: the metrics document); then to the earlier match row. An update sent
          again matches nothing new. A nugget without a reference time has no discount (NULL).
class:    libm
see also: update_gain__v1
*/
-- the operations are those of the programs, in their order; the last number is pi
select
    run_no, profile_no, sent.block_no, said.nugget_no, update_seq, sent.update_no, match_update_no, text_update_no,
    match_no, decision_time, nugget_time, nugget.relevance,
    1e0 - 2e0 * (
        atan(cast(decision_time - nugget_time as double) / nullif(latency_step, 0e0)) / 3.141592653589793e0
    ) as latency_discount,
    nugget.relevance * latency_discount as latency_gain, weight
from base.summarization_update__v1 as sent join registry.run using (run_no) join registry.profile using (profile_no)
join base.nugget_match as said
    on said.condition_no = run.condition_no and said.block_no = sent.block_no and said.update_no = match_update_no
join base.summarization_nugget__v1 as nugget
    on nugget.condition_no = run.condition_no and nugget.profile_no = profile.profile_no
    and nugget.block_no = sent.block_no and nugget.nugget_no = said.nugget_no
where sent.is_scored = 1 and match_update_no > 0 and has_span = 1 and nugget.is_scored = 1
qualify
    row_number() over (
        partition by run_no, profile_no, sent.block_no, said.nugget_no
        order by decision_time, case when tie_break = 'update_id' then sent.update_no else 0 end, update_seq, match_no
    ) = 1
