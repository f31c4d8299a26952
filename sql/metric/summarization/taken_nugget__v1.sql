/*
title:    Which update took which nugget, and when
formula:  M(n, S) = the earliest update of S that matches n;
          L(n.t, u.t) = 1 - 2/pi * atan((u.t - n.t) / latency_step)
source:   TREC 2013 Temporal Summarization Metrics, eq. 7, 8, 22, 23
inputs:   base.summarization_update__v1, base.summarization_nugget__v1, base.nugget_match, registry.run, registry.profile
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
          again takes nothing: its nuggets are taken. A nugget without a reference time has no discount (NULL).
class:    libm
see also: update_gain__v1
*/
with

candidate as (

    select
        sent.run_no as run_no,
        sent.profile_no as profile_no,
        sent.block_no as block_no,
        sent.update_seq as update_seq,
        sent.update_no as update_no,
        sent.match_update_no as match_update_no,
        sent.text_update_no as text_update_no,
        sent.decision_time as decision_time,
        sent.weight as weight,
        hit.nugget_no as nugget_no,
        hit.match_no as match_no,
        nugget.nugget_time as nugget_time,
        nugget.relevance as relevance,
        profile.latency_step as latency_step,
        row_number() over (
            partition by sent.run_no, sent.profile_no, sent.block_no, hit.nugget_no
            order by
                sent.decision_time,
                case when profile.tie_break = 'update_id' then sent.update_no else 0 end,
                sent.update_seq,
                hit.match_no
        ) as place
    from base.summarization_update__v1 as sent
    inner join registry.run as run on run.run_no = sent.run_no
    inner join registry.profile as profile on profile.profile_no = sent.profile_no
    inner join base.nugget_match as hit
        on hit.condition_no = run.condition_no
        and hit.block_no = sent.block_no
        and hit.update_no = sent.match_update_no
    inner join base.summarization_nugget__v1 as nugget
        on nugget.condition_no = run.condition_no
        and nugget.profile_no = sent.profile_no
        and nugget.block_no = sent.block_no
        and nugget.nugget_no = hit.nugget_no
    where sent.is_scored = 1
        and sent.match_update_no > 0
        and hit.has_span = 1
        and nugget.is_scored = 1

),

-- the operations are those of the programs, in their order; the last number is pi
discounted as (

    select
        candidate.run_no as run_no,
        candidate.profile_no as profile_no,
        candidate.block_no as block_no,
        candidate.nugget_no as nugget_no,
        candidate.update_seq as update_seq,
        candidate.update_no as update_no,
        candidate.match_update_no as match_update_no,
        candidate.text_update_no as text_update_no,
        candidate.match_no as match_no,
        candidate.decision_time as decision_time,
        candidate.nugget_time as nugget_time,
        candidate.relevance as relevance,
        candidate.weight as weight,
        1e0 - 2e0 * (
            atan(cast(candidate.decision_time - candidate.nugget_time as double) / nullif(candidate.latency_step, 0e0))
                / 3.141592653589793e0
        ) as latency_discount
    from candidate as candidate
    where candidate.place = 1

)

select
    discounted.run_no as run_no,
    discounted.profile_no as profile_no,
    discounted.block_no as block_no,
    discounted.nugget_no as nugget_no,
    discounted.update_seq as update_seq,
    discounted.update_no as update_no,
    discounted.match_update_no as match_update_no,
    discounted.text_update_no as text_update_no,
    discounted.match_no as match_no,
    discounted.decision_time as decision_time,
    discounted.nugget_time as nugget_time,
    discounted.relevance as relevance,
    discounted.latency_discount as latency_discount,
    discounted.relevance * discounted.latency_discount as latency_gain,
    discounted.weight as weight
from discounted as discounted
