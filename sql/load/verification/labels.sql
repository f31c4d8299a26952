/*
what: The labels of keys, each as it is written, and whether it is that of targets: NULL where it is neither, or is
      ignored. Of a file of which that is not known, mistake says why.
*/
-- a file has the words of a pair (target, non-target), or those that the bundle names, or those of its format
with label as (
    select *, coalesce(lower(stripped(label)), '') as word
    from (
        select file, label, count(*) as n_trial, min(line) as line from read_scored_trials group by file, label)
),

word as (
    select file, word, sum(n_trial) as n_trial, min(line) as line from label group by file, word
),

key as (
    select file, coalesce(list(word order by line) filter (
            word <> '' and not list_contains(cast($ignore as varchar[]), word)), []) as others,
        array_to_string(list(format('''{}'' ({:,})', word, cast(n_trial as bigint))
            order by n_trial desc, line)[:6], ', ') as counts,
        min(line) as first_line, list(line order by n_trial desc, line)[-1] as rare_line
    from word
    group by file
),

paired as (
    select *, list_filter($pairs, lambda pair: list_has_all(pair, others))[1] as pair,
        list_filter($pairs, lambda pair: list_has_all(others, pair)) as known,
        list_filter(others, lambda word: not list_contains(cast($target as varchar[]), word)
            and not list_contains(cast($nontarget as varchar[]), word)) as rest,
        list_filter(flatten($pairs), lambda word: word not in ('0', '1')) as words,
        list_has_all(flatten(cast($usual as varchar[][])), others)
        or list_has_any(others, flatten(cast($usual as varchar[][]))) and not list_has_all(words, others) as is_usual
    from key
),

named as (
    select *, len($target) + len($nontarget) > 0 as is_named,
        case when is_named then if(len($target) = 0,
                list_filter(rest, lambda word: list_contains(list_transform($pairs, lambda one: one[1]), word)),
                $target)
            when pair is not null then [pair[1]]
            when is_usual then list_transform(cast($usual as varchar[][]), lambda one: one[1]) end as targets,
        case when is_named then if(len($target) > 0 and len($nontarget) = 0 and len(rest) = 1, rest, $nontarget)
            when pair is not null then [pair[2]]
            when is_usual then list_transform(cast($usual as varchar[][]), lambda one: one[2]) end as nontargets,
        list_filter(others, lambda word: not list_contains(targets, word) and not list_contains(nontargets, word))
            as lost
    from paired
),

wrong as (
    select *, case when is_named and len(lost) > 0 then 'named' when targets is not null then null
            when len(known) > 0 and len(others) > 2 then 'third' when list_has_all(words, others) then 'words'
            else 'unknown' end as mistake,
        case mistake when 'named' then lost
            when 'third' then list_filter(others, lambda word: not list_contains(known[1], word)) end as odd_words
    from named
)

select label.file, label, label.word, label.line, word.n_trial as n_trial_of_word, word.line as word_line,
    case when mistake is not null or list_contains(cast($ignore as varchar[]), label.word) then null
        when list_contains(nontargets, label.word) then false
        when list_contains(targets, label.word) then true end as is_target,
    mistake is null and is_target is null and not list_contains(cast($ignore as varchar[]), label.word) as is_odd,
    nullif(list_position(list_transform(cast($usual as varchar[][]), lambda one: list_contains(one, label.word)), true),
        0) as usual_no,
    mistake, odd_words, odd_words[1] as odd_word, known, len(others) as n_label, counts, first_line, rare_line
from label
join word using (file, word)
join wrong on wrong.file = label.file
