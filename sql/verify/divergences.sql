/*
title:  Stored numbers, names and points of curves of a computation that differ when computed again (again_score,
        again_block, again_label, again_det_point): which one, both numbers, and the names, or 'no row'; of a point the
        first column that differs
edges:  Numbers of metrics all of whose views are of class exact, and points, must be bitwise identical (compared as
        texts, for 0 and -0 are equal); others may differ by at most 4 units in the last place, from one machine to
        another.
*/
with

score as (
    select true as is_kept, * from ledger.result_score where computation_no = $computation_no
    union all by name
    select false as is_kept, * from again_score where computation_no = $computation_no
),

block as (
    select true as is_kept, * from ledger.result_block where computation_no = $computation_no
    union all by name
    select false as is_kept, * from again_block where computation_no = $computation_no
),

label as (
    select true as is_kept, * from ledger.result_label where computation_no = $computation_no
    union all by name
    select false as is_kept, * from again_label where computation_no = $computation_no
),

point as (
    select true as is_kept, * from ledger.result_det_point where computation_no = $computation_no
    union all by name
    select false as is_kept, * from again_det_point where computation_no = $computation_no
),

result as (
    select
        is_kept, 1 as part, metric,
        ['subset ' || subset_no, 'weighting ' || weighting, 'version ' || version] as place,
        0 as position, metric as what, value as number, null as name
    from score
    union all
    select
        is_kept, 2, metric, ['subset ' || subset_no, 'block ' || block_no, 'version ' || version],
        0, metric, value, null
    from block
    union all
    select is_kept, 3, metric, ['block ' || block_no], 0, metric, null, value
    from label
    union all
    select
        is_kept, 4, null,
        ['subset ' || subset_no, 'weighting ' || weighting, 'block ' || block_no, 'point ' || point_no],
        unnest([1, 2, 3, 4, 5, 6, 7]),
        unnest(['threshold', 'p_miss', 'p_fa', 'p_miss_se', 'p_fa_se', 'c_det_norm', 'n_block'])
        || ' of a point of a curve',
        unnest([threshold, p_miss, p_fa, p_miss_se, p_fa_se, c_det_norm, null]),
        unnest([null, null, null, null, null, null, cast(n_block as varchar)])
    from point
),

pair as (
    select
        part, metric, place, position, what,
        any_value(number) filter (is_kept) as kept, any_value(number) filter (not is_kept) as again,
        case when bool_or(is_kept) then any_value(name) filter (is_kept) else 'no row' end as kept_name,
        case when bool_and(is_kept) then 'no row' else any_value(name) filter (not is_kept) end as again_name
    from result
    group by all
),

exact as (
    select metric
    from registry.metric
    join registry.definition using (relation)
    group by metric
    having bool_and(class <> 'libm')
),

other as (
    select
        *,
        part < 3 and exact.metric is null and (kept < 0) = (again < 0) and not isnan(again)
        and nextafter(nextafter(nextafter(nextafter(kept, again), again), again), again) = again as is_near
    from pair
    left join exact using (metric)
    where kept_name is distinct from again_name or cast(kept as varchar) is distinct from cast(again as varchar)
)

select concat_ws(', ', what, array_to_string(place, ', ')) as place, kept, again, kept_name, again_name
from other
where not coalesce(is_near, false)
qualify part < 4 or position = min(position) over (partition by part, other.place)
order by part, other.place[1], case when part = 2 then other.place[2] end, metric, other.place
