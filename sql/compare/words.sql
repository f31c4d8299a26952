/*
title:    A comparison in words: its signature, how it was computed, then what prevents misreadings, in this order
*/
with

whole as (
    select
        count(*) as n_row, count(p) as family_size, max(n_differing) as n_differing,
        case
            when count(p) > 0 then least(1, min(case when p is not null then smallest_p end)
                * case $correction when 'holm' then count(p) else 1 end)
        end as smallest_p,
        max(n_undefined_draw) as n_undefined_draw, max(n_missing) as n_missing,
        case when min(n_target) < max(n_target) then format('{:,} to ', min(n_target)) else '' end
            || format('{:,} target', max(n_target)) || case when max(n_target) = 1 then '' else 's' end as targets,
        case when min(n_nontarget) < max(n_nontarget) then format('{:,} to ', min(n_nontarget)) else '' end
            || format('{:,} non-target', max(n_nontarget)) || case when max(n_nontarget) = 1 then '' else 's' end
            as nontargets,
        min(n_target) = max(n_target) or min(n_nontarget) = max(n_nontarget) as is_shared,
        first(n_unit order by row_no) as n_unit, first(n_undefined order by row_no) as n_undefined,
        first(unit order by row_no) as unit, first(n_cluster order by row_no) as first_clusters,
        first(metric order by row_no) as metric, first(test order by row_no) as test,
        first(interval order by row_no) as interval, first(n_draw order by row_no) as n_draw,
        first(n_permutation order by row_no) as n_permutation, first(seed order by row_no) as seed,
        first(missing order by row_no) as missing,
        first(weighting order by row_no) as weighting, first(profile_id order by row_no) as profile_id,
        min(n_cluster) as least_cluster, max(n_cluster) as most_cluster,
        case when min(n_topic) < max(n_topic) then min(n_topic) || ' to ' else '' end || max(n_topic) || ' ' || $word
            || case when max(n_topic) = 1 then '' else 's' end as topics,
        count(*) filter (p is not null and is_exact = 0) as n_simulated,
        coalesce(max(case when p is not null and is_exact = 0 then mc_error end), 0) as error,
        case $correction when 'holm' then 'Holm' when 'bh' then 'Benjamini-Hochberg' else 'no' end as correction,
        printf('%g', 100 * first(level order by row_no)) || ' % ' as level,
        case when count(p) = 1 then '1 test' else format('{:,} tests', count(p)) end as tests,
        first(n_target order by row_no) is not null as is_of_trials
    from compared_pair
),

-- how p values and intervals were computed, of scored trials
method_of_trials as (
    select
        'difference of ' || case metric
            when 'eer' then 'EER (' || coalesce(eer, '') || ')'
            when 'auc' then 'AUC'
            when 'cllr' then 'Cllr'
            when 'min_cllr' then 'minimum Cllr'
            when 'min_c_det' then 'minDCF'
            when 'min_c_det_norm' then 'minDCF (normalised)'
            when 'act_c_det' then 'actDCF'
            when 'act_c_det_norm' then 'actDCF (normalised)'
            else metric
        end || ', ' || level || interval || ' interval, ' || case test
            when 'delong' then 'DeLong''s test'
            when 'normal' then 'normal test of paired terms'
            else case when test = 'mcnemar' then 'exact McNemar test, ' else '' end
                || format('{:,} draws ', n_draw) || case
                    when unit = 'trial' then 'by trial'
                    else 'of whole ' || unit
                        || case
                            when regexp_matches(unit, '^[\p{L}_][\p{L}\p{N}_]*$') and unit not like '%s' then 's'
                            else ''
                        end
                        || ' (' || n_unit || ')'
                end || ', seed ' || seed
        end || case when family_size > 1 then ', ' || correction || ' correction over ' || tests else '' end
        || format(', {}, {}', targets, nontargets) as words
    from whole
    left join registry.profile using (profile_id)
),

-- and over topics or items
method_of_topics as (
    select
        case
            when family_size = 0 then topics || ': no test and no interval'
            else case test
                when 'randomisation' then 'paired randomisation test, ' || case
                    when n_simulated > 0 then format('{:,} permutations', n_permutation)
                    else 'all sign patterns'
                end
                when 'bootstrap' then format('paired bootstrap test, {:,} resamples', n_draw)
                when 't' then 'paired t test'
                else 'Wilcoxon signed-rank test'
            end || ', ' || correction || ' correction over ' || tests || ', ' || level
                || case interval
                    when 'bca' then 'BCa bootstrap'
                    when 'percentile' then 'percentile bootstrap'
                    else 't'
                end || ' interval, ' || topics || ', seed ' || seed
                || case when error > 0 then printf(', simulation error of p at most %.1g', error) else '' end
        end as words
    from (
        select
            * replace (
                topics || case weighting
                    when 'group' then ', mean over groups' when 'weight' then ', weighted mean' else ''
                end || case
                    when first_clusters is null then ''
                    else ' in ' || case
                        when least_cluster < most_cluster then least_cluster || ' to ' else ''
                    end || case
                        when most_cluster = 1 then '1 cluster' else format('{:,} clusters', most_cluster)
                    end
                end || case when n_undefined > 0 then ' (without ' || n_undefined || ' that neither run has)'
                    else ''
                end
                || case n_missing
                    when 0 then ''
                    when 1 then ', 1 missing number: ' || missing
                    else format(', {:,} missing numbers: ', n_missing) || missing
                end as topics
            )
        from whole
    )
),

-- a number that is not the printed one, as it is over other topics
other_score as (
    select
        run_id || printf(' %.4f over ', score) || n || printf(' (here %.4f)', mean) as words,
        row_number() over (order by abs(score - mean) desc, run_id, score, n) as place
    from (
        select name as run_id, number.value as score, n
        from (
            select unnest(cast($printed as struct(name varchar, value double, n bigint)[]), recursive := true)
        ) as number
    )
    join (
        select run_id, last(value order by row_no, is_baseline) as mean
        from (
            select row_no, 0 as is_baseline, run_id, value from compared_pair
            union all
            select row_no, 1 as is_baseline, baseline_id, baseline_value from compared_pair
        )
        group by run_id
    ) using (run_id)
    where abs(score - mean) > 1e-9 * greatest(1, abs(score))
),

why as (
    select
        reason, min(row_no) as row_no, count(*) as n,
        list(run_id || ' and ' || baseline_id order by row_no) as pairs
    from compared_pair
    where reason is not null
        and (n_target is not null or not starts_with(reason, 'one '))
    group by reason
),

note as (
    select note, min(1000 * row_no + place) as place
    from (
        select
            row_no, unnest(string_split(note, '; ')) as note,
            unnest(range(len(string_split(note, '; ')))) as place
        from compared_pair
    )
    where note <> ''
    group by note
),

prompted_apart as (
    select block_id
    from base.item_prompt
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join base.block on block.condition_no = run.condition_no and block.block_no = item_prompt.block_no
    where list_contains($places, condition_id || '/' || run.run_id)
    group by block_id
    having count(distinct prompt) > 1
),

-- of what the numbers were computed from, and of the results
hashed as (
    select
        (
            select left(sha256(string_agg(definition_sha256 || chr(0) || condition_sha256 || chr(0) || run_sha256,
                chr(0) order by place)), 16)
            from (select unnest($places) as run, unnest(range(len($places))) as place)
            join ledger.current_computation
                on run = condition_id || '/' || run_id and profile_id = (select profile_id from whole)
        ) as data,
        (
            select left(sha256(string_agg(cast(to_json([
                value, difference, low, high, p, statistic, win, tie, loss
            ]) as varchar), chr(0) order by row_no)), 16)
            from compared_pair
        ) as result
),

signed as (
    select
        concat_ws(
            '|', 'compare:' || metric, 'condition:' || condition_id, 'profile:' || profile_id, 'subset:' || $subset,
            'w:' || nullif($weighting, ''), 'trials:' || n_target || '+' || n_nontarget, 'topics:' || n_topic,
            case when n_target is null then 'missing:' || missing end,
            case
                when n_target is not null or unit <> $word
                    then 'unit:' || replace(replace(url_encode(unit), '%2C', ','), '%3D', '=')
            end,
            'clusters:' || n_cluster, 'test:' || test,
            case when n_target is null then 'permutations:' || n_permutation end,
            'resamples:' || n_draw || 'v' || draws_version, 'correction:' || $correction,
            'family:' || (select count(p) from compared_pair),
            'interval:' || interval || '-' || printf('%g', level), 'seed:' || seed, 'runs:' || $runs,
            'against:' || $against, 'data:' || data, 'result:' || result
        ) as words
    from compared_pair cross join hashed
    where row_no = 0
),

said as (
    select -1 as part, 0 as place, words from signed
    union all
    select 0 as part, 0 as place, case when is_of_trials then of_trials.words else of_topics.words end as words
    from whole cross join method_of_trials as of_trials cross join method_of_topics as of_topics
    union all
    select
        1, 0,
        'The runs were asked ' || case when count(*) = 1 then '1 item' else format('{:,} items', count(*)) end
            || ' with different prompts, first ' || min(block_id) || '.'
    from prompted_apart
    having count(*) > 0
    union all
    select 2, place, upper(left(note, 1)) || substr(note, 2) || '.' from note
    union all
    select 3, 0, format('{:,} of {:,} draws lack a class.', n_undefined_draw, n_draw)
    from whole
    where n_undefined_draw > 0
    union all
    select
        4, 0,
        'Means are over the compared ' || topics || '; scores take each rate over all ' || $word
        || 's that have it: ' || string_agg(words, ', ' order by place) filter (place <= 3)
        || case when count(words) > 3 then format(' and {:,} more', count(words) - 3) else '' end || '.'
    from other_score cross join whole
    group by topics
    union all
    select
        5, place,
        'Heterogeneity of ' || run_id || ' and ' || baseline_id || ' over ' || n_free + 1 || ' values: Q '
        || printf('%.3g', q) || ', p ' || printf('%.3g', p) || ' (chi-square, ' || n_free
        || case when n_free = 1 then ' degree' else ' degrees' end || ' of freedom'
        || case when is_shared then ', as if values had no trials in common' else '' end || ').'
        || case
            when n_omitted > 0 then ' Without ' || n_omitted || case when n_omitted = 1 then ' value' else ' values' end
                || ' whose difference does not vary.'
            else ''
        end
    from whole cross join (
        select test.run_id, test.baseline_id, test.q, test.n_free, test.n_omitted, test.p, place
        from (
            select
                unnest(cast($tests as struct(
                    run_id varchar, baseline_id varchar, q double, n_free bigint, n_omitted bigint, p double
                )[])) as test,
                unnest(range(len($tests))) as place
        )
    )
    union all
    select
        6, 0,
        'With ' || case
            when is_of_trials then format('{:,} draws', n_draw)
            else n_differing || ' ' || case when first_clusters is null then $word else 'cluster' end
                || case when n_differing = 1 then ' that differs' else 's that differ' end
        end || ' and ' || tests || printf(' no corrected p is below %.2g: nothing can be significant at ', smallest_p)
        || printf('%g', 100 * $significant) || ' %.' || case when is_of_trials then ' Use more --resamples.' else '' end
    from whole
    where smallest_p >= $significant
    union all
    select 7, 0, 'Fewer pairs, or correction bh, can say more.'
    from whole
    where smallest_p >= $significant
        and smallest_p / family_size < $significant
        and $correction = 'holm'
        and not is_of_trials
    union all
    select
        8, row_no,
        case
            when n = n_row and not is_of_trials then upper(left(reason, 1)) || substr(reason, 2)
            else array_to_string(pairs[1:3], ', ')
                || case when n > 3 then format(' and {:,} more', n - 3) else '' end || ': ' || reason
        end || '.'
    from why cross join whole
)

select words
from said
order by part, place
