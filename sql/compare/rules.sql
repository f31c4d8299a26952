/*
title:    Rules of a gate: the metric, the line that the query of verdicts takes, and what is wrong with each
edges:    The sign is required, for the tolerance applies to the difference. metrics: the ids of the metrics, as soon as
          they are known; a rule that stops what is better is found with them.
*/
with

written as (
    select
        unnest($rules) as written, unnest(range(len($rules))) as rule_no,
        unnest(cast($metrics as varchar[])) as metric_id
),

part as (
    select
        *, regexp_replace(written, '^\s+|\s+$', '', 'g') as rule,
        case when contains(written, '''') then '"' || written || '"' else '''' || written || '''' end as quoted,
        regexp_extract(
            rule,
            '^([^\s<>\[\]]+)\s*(\[[^\[\]]+\])?\s*([<>])\s*([+-]\s*(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(%?)$',
            ['metric', 'subset', 'sign', 'number', 'percent']
        ) as part
    from written
),

known as (
    select
        rule_no, rule, quoted, part.sign, coalesce(metric_id, part.metric) as metric,
        cast(nullif(replace(part.number, ' ', ''), '') as double) as difference,
        trim(regexp_replace(
            concat_ws(' ', part.subset, part.sign, part.number || part.percent), '\s+', ' ', 'g'
        )) as rest
    from part
)

select
    'rule' as kind, rule, metric, concat_ws(if(starts_with(rest, '['), '', ' '), metric, rest) as line,
    case
        when sign = ''
            then 'rule ' || quoted || ' cannot be read: expected a metric, > or <, and a difference with its sign.'
                || examples
        when isinf(difference)
            then 'rule ' || quoted || ': the difference is not a finite number, so no run could break it.' || examples
        when difference <> 0 and (difference > 0) <> (sign = '>')
            then 'rule ' || quoted || ' would block runs that are not worse: use + after > and - after <.' || examples
        when best = 'none'
            then 'rule ''' || rule || ''': ' || metric || ' has no better end, so no difference of it is a drop. '
                || 'Choose another metric.'
        when (best = 'lowest') <> (sign = '>')
            then 'rule ''' || rule || ''': the best ' || metric || ' is the ' || best || ', so this stops what is '
                || 'better. Write ''' || if(best = 'lowest', '> +', '< -') || ''' for ''' || sign || ''' with its sign.'
    end as words
from known
cross join (
    values (
        ' Write for example "c_det_norm > +0.02", "c_det_norm > +5%", "f1 < -0.01" or '
        || '"c_det_norm[language=ENGLISH] > +0.02".'
    )
) as example(examples)
left join (select metric, min(best) as best from registry.metric where $metrics is not null group by metric) as ranked
    using (metric)
order by rule_no
