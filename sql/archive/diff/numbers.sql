/*
title:    Runs with other numbers: how many, and the primary metric, or else the one with the largest change
*/
select
    'number' as what, format('{}/{}, {}', condition_id, run_id, profile_id) as name,
    format(
        '{:,} of {:,} differ, of {} metrics{}',
        count(*) filter (where is_other),
        count(*),
        count(distinct metric) filter (where is_other),
        coalesce(max_by(
            format(
                ': {} {:.6g} -> {:.6g} ({})',
                metric, numbers.before, numbers.now, concat_ws(', ', subset, weighting, block_id)
            ),
            (
                metric = primary_metric, subset = 'all', coalesce(weighting = 'topic', false),
                abs(numbers.now - numbers.before), subset, coalesce(weighting, 'None'), coalesce(block_id, 'None'),
                metric
            )
        ) filter (where is_other and numbers.now - numbers.before is not null), '')
    ) as change,
    any_value(because) as because
from both_numbers as numbers
join both_runs using (condition_id, run_id)
join cause using (condition_id, run_id, profile_id)
join (from condition_hash where side = 'new') as condition_hash using (condition_id)
join block_word using (task)
where both_runs.before.run_id = both_runs.now.run_id
group by condition_id, run_id, profile_id
having bool_or(is_other)
order by condition_id, run_id, profile_id
