/*
title:       Verdicts of a gate
question:    Is a run worse than its baseline by more than a rule allows, and is the difference significant?
about:       runs
inputs:      report.comparison, report.score, report.block_score, ledger.current_computation, registry.task,
             other.report.score, other.report.block_score, other.ledger.current_computation
needs:       comparison
parameters:
    runs        names   needed  RUN or CONDITION/RUN
    baselines   names   needed  the baseline of each of these runs
    rules       rules   needed  as `tdtsql gate` takes them, for example c_det_norm > +0.02
    profiles    names   none    scoring profiles; none: all
    subsets     names   all     of rules without a subset
    alpha       number  0.05    corrected p values below it are significant
    correction  text    holm    of the p values of this answer: holm, bh or none
    other       store   none    the store or archive that has the baselines; none: this one
grain:       condition_id, run_id, baseline_condition_id, baseline_id, profile_id, subset, metric, rule
columns:
    verdict                text    fail, pass or undecided
    condition_id           key     evaluation condition
    run_id                 key     run
    baseline_condition_id  key     condition of the baseline, usually the same
    baseline_id            key     baseline
    profile_id             key     scoring profile
    subset                 key     subset
    metric                 key     metric
    rule                   key     rule
    mean                   double  number of the run over what is compared
    baseline_mean          double  number of the baseline
    difference             double  run minus baseline
    limit                  double  difference that the rule allows, in size
    low                    double  lower end of the interval of the difference
    high                   double  upper end
    n_topic                count   topics or items compared
    n_trial                count   trials compared
    p                      double  two-sided p
    p_adjusted             double  p corrected for all comparisons of the answer; two rules on one number are one
    family_size            count   p values that are corrected
    score                  double  number of the run in report.score
    baseline_score         double  number of the baseline there
    note                   text    why nothing is decided, and what a reader should know
    signature              text    signature of the number of the run
    baseline_signature     text    signature of the number of the baseline
order:       Runs as they are named; rules as they are named; profiles and subsets by name.
edges:       pass: the run is not worse by more than is allowed. fail: it is, and p_adjusted is below alpha. undecided:
             it is, but may be by chance; or a side lacks topics, or the two were evaluated on different data. Only rows
             of report.comparison are read: `tdtsql gate` computes those that rules are about. Where a run has no
             numbers by topic, the printed ones are compared, without a test.
see also:    significant_differences, drift, report.comparison
*/
with

rule as (
    select
        rule_no, rule, part.metric, part.sign, part.percent = '%' as is_relative,
        abs(cast(replace(part.number, ' ', '') as double)) / case when part.percent = '%' then 100 else 1 end
            as tolerance,
        case when trim(part.subset) = '' then $subsets else [trim(part.subset)] end as subsets
    from (
        select
            rule_no, rule,
            regexp_extract(
                rule, '^\s*([^\s<>\[\]]+)\s*(\[([^\[\]]+)\])?\s*([<>])\s*([-+0-9.eE ]+)(%?)\s*$',
                ['metric', 'bracket', 'subset', 'sign', 'number', 'percent']
            ) as part
        from (select unnest($rules) as rule, unnest(range(len($rules))) as rule_no)
    )
),

named as (
    select unnest($runs) as run, unnest($baselines) as baseline, unnest(range(len($runs))) as pair_no
),

evaluation as (
    select
        row_number() over (order by pair_no, own.condition_id, theirs.condition_id, profile_id) as evaluation_no,
        own.condition_id, own.run_id, theirs.condition_id as baseline_condition_id, theirs.run_id as baseline_id,
        profile_id, block, case when block in ('event', 'attribute', 'block') then 'topic' else block end as word,
        dense_rank() over (order by pair_no, own.condition_id, theirs.condition_id) as pair_no,
        left(own.definition_sha256, 8) as definition, left(theirs.definition_sha256, 8) as baseline_definition,
        left(own.condition_sha256, 8) as judgments, left(theirs.condition_sha256, 8) as baseline_judgments
    from named
    join ledger.current_computation as own on run in (own.run_id, own.condition_id || '/' || own.run_id)
    join other.ledger.current_computation as theirs using (profile_id)
    join registry.task on task.task = own.task
    where (baseline = theirs.condition_id || '/' || theirs.run_id
            or baseline = theirs.run_id and own.condition_id = theirs.condition_id)
        and ($profiles is null or list_contains($profiles, profile_id))
),

number as (
    select evaluation_no, 0 as side, subset, metric, weighting, value, n, version, signature
    from evaluation
    join report.score using (condition_id, run_id, profile_id)
    where metric in (select metric from rule)
        or metric = 'n_missing_topic'
    union all
    select evaluation_no, 1 as side, subset, metric, weighting, value, n, version, signature
    from evaluation
    join other.report.score as theirs
        on theirs.condition_id = baseline_condition_id
            and theirs.run_id = baseline_id
            and theirs.profile_id = evaluation.profile_id
    where metric in (select metric from rule)
        or metric = 'n_missing_topic'
),

topic as (
    select evaluation_no, 0 as side, subset, metric, block_id, value
    from evaluation
    join report.block_score using (condition_id, run_id, profile_id)
    where metric in (select metric from rule)
    union all
    select evaluation_no, 1 as side, subset, metric, block_id, value
    from evaluation
    join other.report.block_score as theirs
        on theirs.condition_id = baseline_condition_id
            and theirs.run_id = baseline_id
            and theirs.profile_id = evaluation.profile_id
    where metric in (select metric from rule)
),

-- side 0 is the run, side 1 the baseline
measured as (
    select evaluation_no, metric, subset, min(side) as first_side, max(side) as last_side
    from (
        select evaluation_no, metric, subset, side from number
        union
        select evaluation_no, metric, subset, side from topic
    )
    group by evaluation_no, metric, subset
    window whole as (partition by evaluation_no, metric)
    qualify min(min(side)) over whole < max(max(side)) over whole
),

checked as (
    select
        evaluation_no, wanted.metric, subset, rule_no, rule,
        first_value(rule_no) over once as first_rule_no, first_value(wanted_no) over once as first_wanted_no
    from measured
    join evaluation using (evaluation_no)
    join (
        select rule_no, rule, metric, unnest(subsets) as wanted, unnest(range(len(subsets))) as wanted_no
        from rule
    ) as wanted using (metric)
    where case
        -- persons, dollars and kilometres have no mean together: each attribute by itself
        when wanted = '*' or wanted = 'all' and block = 'attribute'
            then first_side < last_side and not (subset = 'all' and block = 'attribute')
        when ends_with(wanted, '=*')
            then first_side < last_side and starts_with(subset, left(wanted, len(wanted) - 1))
                and not contains(subset, ',')
        else subset = wanted
    end
    window once as (partition by evaluation_no, wanted.metric, subset order by rule_no, wanted_no)
),

-- a stored pair, and the same with run and baseline exchanged
pair as (
    select
        condition_id, profile_id, subset, metric, weighting, run_id, baseline_id, missing, value, baseline_value,
        difference, low, high, p, smallest_p, n_topic, n_cluster, n_target + n_nontarget as n_trial, n_differing,
        n_draw, note, reason, level, n_permutation, seed, test, interval, unit, 0 as is_turned
    from report.comparison
    union all
    select
        condition_id, profile_id, subset, metric, weighting, baseline_id, run_id, missing, baseline_value, value,
        0 - difference, 0 - high, 0 - low, p, smallest_p, n_topic, n_cluster, n_target + n_nontarget, n_differing,
        n_draw, note, reason, level, n_permutation, seed, test, interval, unit, 1 as is_turned
    from report.comparison
),

compared as (
    select
        evaluation_no, pair.metric, pair.subset, weighting, missing, value, baseline_value, difference, low, high, p,
        smallest_p, n_topic, n_trial, note, reason,
        case
            when n_trial is not null then format('{:,}', n_draw) || ' draws'
            else n_differing || ' differing ' || case when n_cluster is null then word else 'cluster' end
                || case when n_differing = 1 then '' else 's' end
        end as units
    from pair
    join evaluation
        on pair.condition_id = evaluation.condition_id
            and pair.profile_id = evaluation.profile_id
            and pair.run_id = evaluation.run_id
            and pair.baseline_id = case
                when evaluation.condition_id = baseline_condition_id then evaluation.baseline_id
                else baseline_condition_id || '/' || evaluation.baseline_id
            end
    semi join checked
        on checked.evaluation_no = evaluation.evaluation_no
            and checked.metric = pair.metric
            and checked.subset = pair.subset
    qualify row_number() over (
        partition by evaluation_no, pair.metric, pair.subset
        order by
            is_turned, abs(level - 0.95), abs(seed - 20040), n_permutation desc, n_draw desc, test, interval, unit,
            missing, weighting
    ) = 1
),

-- what is compared is one family, whatever rules are on it
corrected as (
    select
        evaluation_no, metric, subset, family_size,
        least(1, min(smallest_p) over () * case $correction when 'holm' then family_size else 1 end) as reachable,
        case $correction
            when 'holm' then max(least(1, p * (family_size + 1 - family_rank))) over (
                order by family_rank rows between unbounded preceding and current row
            )
            when 'bh' then min(least(1, p * family_size / family_rank)) over (
                order by family_rank rows between current row and unbounded following
            )
            else p
        end as p_adjusted,
        case
            when family_size > 1 and $correction <> 'none'
                then ' (' || $correction || ' over ' || family_size || ' tests)'
            else ''
        end as family
    from (
        select
            evaluation_no, metric, subset, p, smallest_p, count(*) over () as family_size,
            row_number() over (order by p, evaluation_no, metric, subset) as family_rank
        from compared
        where p is not null
    )
),

-- in the weighting that is compared, if the number has it
printed as (
    select evaluation_no, metric, subset, side, number.weighting, number.value, n, version, signature
    from number
    left join compared using (evaluation_no, metric, subset)
    qualify row_number() over (
        partition by evaluation_no, metric, subset, side
        order by
            number.value is null, number.weighting is distinct from compared.weighting,
            list_position(['topic', 'topic_all', 'none', 'story', 'group', 'weight'], number.weighting),
            number.weighting
    ) = 1
),

-- the same weighting of both sides, where there are no topics to compare
plain as (
    select
        evaluation_no, metric, subset, weighting, own.value, theirs.value as baseline_value,
        case
            when own.n is distinct from theirs.n
                then 'the printed numbers are over ' || own.n || ' and ' || theirs.n
                    || case when starts_with(weighting, 'topic') then ' topics' else ' trials' end
        end as other_n
    from number as own
    join number as theirs using (evaluation_no, metric, subset, weighting)
    where own.side = 0
        and theirs.side = 1
        and own.value is not null
        and theirs.value is not null
    qualify row_number() over (
        partition by evaluation_no, metric, subset
        order by list_position(['topic', 'topic_all', 'none', 'story', 'group', 'weight'], weighting), weighting
    ) = 1
),

silent as (
    select evaluation_no, subset, string_agg(words, '; ' order by side) as silent
    from (
        select
            evaluation_no, subset, side,
            case side when 0 then 'the new run' else 'the baseline' end || ' says nothing of '
            || format('{:,}', cast(max(value) as bigint)) || case when max(value) = 1 then ' topic' else ' topics' end
            || ': its numbers there are those of no answer' as words
        from number
        where metric = 'n_missing_topic' and value > 0
        group by evaluation_no, subset, side
    )
    group by evaluation_no, subset
),

sides_with_topics as (
    select evaluation_no, metric, subset, count(distinct side) as n_side, min(side) as first_side
    from topic
    group by evaluation_no, metric, subset
),

gap as (
    select
        evaluation_no, metric, subset,
        string_agg(
            case side when 0 then 'the new run' else 'the baseline' end || ' has no number on '
            || array_to_string(names[1:5], ', ')
            || case when len(names) > 5 then ' and ' || format('{:,}', len(names) - 5) || ' more' else '' end
            || ', which ' || case side when 0 then 'the baseline' else 'the new run' end || ' has'
            || case missing
                when 'zero' then ': it counts as 0'
                when 'worst' then ': it counts as the worst number of any ' || word
                else ''
            end,
            '; ' order by side
        ) as gaps
    from (
        select evaluation_no, metric, subset, side, list(block_id order by block_id) as names
        from (
            select evaluation_no, metric, subset, block_id, 1 - min(side) as side
            from topic
            where value is not null
            group by evaluation_no, metric, subset, block_id
            having count(distinct side) = 1
        )
        group by evaluation_no, metric, subset, side
    )
    join evaluation using (evaluation_no)
    left join compared using (evaluation_no, metric, subset)
    group by evaluation_no, metric, subset
),

judged as (
    select
        evaluation_no, pair_no, condition_id, run_id, baseline_condition_id, baseline_id, profile_id, checked.subset,
        checked.metric, checked.rule, rule_no, first_rule_no, first_wanted_no, word, p, p_adjusted, family_size, family,
        reachable, smallest_p, low, high, n_topic, n_trial, units, definition, baseline_definition, judgments,
        baseline_judgments, compared.note, silent,
        coalesce(n_side = 2 or missing = 'none', false) as is_compared,
        is_compared and coalesce(missing in ('zero', 'worst'), false) as is_filled,
        own.value as score, own.n, own.version, own.signature, own.weighting as score_weighting,
        theirs.value as baseline_score, theirs.n as baseline_n, theirs.version as baseline_version,
        theirs.signature as baseline_signature,
        case when is_compared then compared.value else plain.value end as mean,
        case when is_compared then compared.baseline_value else plain.baseline_value end as baseline_mean,
        case when is_compared then compared.difference else mean - baseline_mean end as apart,
        tolerance * case when is_relative then abs(baseline_mean) else 1 end as limit_,
        case when sign = '>' then apart else 0 - apart end - limit_ > 1e-12 as is_worse,
        case when not is_compared then other_n when coalesce(missing, '') <> 'none' then gap.gaps end as gaps,
        case
            when is_compared and compared.difference is null then coalesce(reason, 'not compared')
            when plain.value is null and not is_compared
                then case
                    when own.value is null and theirs.value is null then 'the new run and the baseline have'
                    when own.value is null then 'the new run has'
                    when theirs.value is null then 'the baseline has'
                    else 'one side has'
                end || ' no ' || checked.metric || ' of subset ' || checked.subset || ' under ' || profile_id
        end as undefined,
        case
            when compared.difference is not null and (p is null or missing = 'none') then reason
        end as remark,
        case
            when is_compared then null
            when first_side = 0 then 'the baseline has'
            when first_side = 1 then 'the new run has'
            else 'the new run and the baseline have'
        end || ' no numbers by ' || word || ', so what is compared are the printed ones (' || plain.weighting
        || '-weighted) without a test' as printed_words,
        case
            when own.weighting = compared.weighting and abs(score - mean) > 1e-9 * greatest(1, abs(score))
                then ', the new run ' || printf('%.4f', score) || ' over ' || own.n
            else ''
        end
        || case
            when theirs.weighting = compared.weighting
                and abs(baseline_score - baseline_mean) > 1e-9 * greatest(1, abs(baseline_score))
                then ', the baseline ' || printf('%.4f', baseline_score) || ' over ' || theirs.n
            else ''
        end as other_scores
    from checked
    join evaluation using (evaluation_no)
    join (select rule_no, sign, is_relative, tolerance from rule) as allowed using (rule_no)
    left join compared using (evaluation_no, metric, subset)
    left join corrected using (evaluation_no, metric, subset)
    left join plain using (evaluation_no, metric, subset)
    left join gap using (evaluation_no, metric, subset)
    left join silent using (evaluation_no, subset)
    left join sides_with_topics using (evaluation_no, metric, subset)
    left join printed as own
        on own.evaluation_no = checked.evaluation_no
            and own.metric = checked.metric
            and own.subset = checked.subset
            and own.side = 0
    left join printed as theirs
        on theirs.evaluation_no = checked.evaluation_no
            and theirs.metric = checked.metric
            and theirs.subset = checked.subset
            and theirs.side = 1
),

reasoned as (
    select
        *,
        case
            when is_worse and p_adjusted is null then 'worse by more than the tolerance, without a test'
            when is_worse and p_adjusted >= $alpha
                then 'worse by more than allowed, and not significantly: p ' || printf('%.3g', p_adjusted) || family
                    || ' is not below ' || printf('%g', $alpha)
                    || case
                        when greatest(reachable, coalesce(smallest_p, 0)) >= $alpha
                            then '; with ' || units || family || ' nothing could be'
                        else ''
                    end
        end as reason,
        nullif(concat_ws(
            '; ',
            case
                when version <> baseline_version
                    then metric || ' is version ' || version || ' of the new run and ' || baseline_version
                        || ' of the baseline'
            end,
            case
                when condition_id = baseline_condition_id and judgments <> baseline_judgments
                    then 'the baseline was evaluated on another corpus or other judgments (judgments:'
                        || baseline_judgments || ', now ' || judgments || ')'
            end,
            undefined
        ), '') as obstacle,
        case
            when definition <> baseline_definition
                and (condition_id <> baseline_condition_id or judgments = baseline_judgments)
                and version is not null
                and baseline_version is not null
                then 'definitions of the task have changed since (sql:' || baseline_definition || ', now ' || definition
                    || '), the metric''s version has not'
        end as other_definition,
        case
            when is_compared and other_scores <> ''
                then 'means are over the ' || n_topic || ' ' || word || case when n_topic = 1 then '' else 's' end
                    || ' that are compared; scores: ' || substr(other_scores, 3)
        end as other_means
    from judged
)

select
    case
        when apart is null then 'undecided'
        when not is_worse and obstacle is null and (gaps is null or is_filled) then 'pass'
        when is_worse and p_adjusted < $alpha and obstacle is null then 'fail'
        else 'undecided'
    end as verdict,
    condition_id, run_id, baseline_condition_id, baseline_id, profile_id, subset, metric, rule, mean, baseline_mean,
    apart as difference, case when apart is not null then limit_ end as "limit", low, high, n_topic, n_trial, p,
    p_adjusted, coalesce(max(family_size) over (), 0) as family_size, score, baseline_score,
    concat_ws(
        '; ', reason, obstacle, case when not is_filled then gaps end, silent, other_definition, printed_words, note,
        remark, case when is_filled then gaps end, other_means
    ) as note,
    signature, baseline_signature
from reasoned
order by
    pair_no, first_rule_no, profile_id, first_wanted_no, subset, metric, rule_no, condition_id, run_id,
    baseline_condition_id, baseline_id, rule
