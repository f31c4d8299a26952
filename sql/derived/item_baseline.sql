/*
title:    What the baseline of a condition has on each item
formula:  mean of the scored samples of the item
source:   Our own: every run is held against one, whichever runs are scored together
inputs:   registry.run, registry.condition, base.item_score
fills:    base.item_baseline
owner:    condition_no
after:    a run of the condition is loaded or dropped
class:    exact
*/
with

sample as (
    select condition_no, measure_no, block_no, given_score as score
    from base.item_score
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    where run_id = baseline and given_score is not null and not (is_error = 1 and error_item = 'missing')
),

largest as (select condition_no, measure_no, max(abs(score)) as size from sample group by condition_no, measure_no),

-- half a power of two above all scores of the measure: dividing by it is exact
unit as (
    select condition_no, measure_no,
        case
            when size = 0 then 5e-1
            else size * 4503599627370497e0 - size * 4503599627370497e0 * 0.99999999999999988898e0
        end as power
    from largest
)

select
    condition_no, measure_no, block_no,
    case
        when count(*) = 1 then max(score)
        else cast(sum(cast(floor(score / power / 2e0 * 1e18 + 5e-1) as decimal(38, 0))) as double) / 1e18 / count(*)
            * max(power) * 2e0
    end as baseline_value
from sample
join unit using (condition_no, measure_no)
group by condition_no, measure_no, block_no
