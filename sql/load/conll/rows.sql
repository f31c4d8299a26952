/*
what:   The lines, documents, brackets and mentions of CoNLL files, and the rows that follow from them.
*/
-- begin_line is that of the document that is open, after_line that of the last one that began
create or replace temp table conll_line as
select * exclude (mark),
    if(mark.is_begin, mark.line, null) as begin_line,
    max(if(kind = 'begin', line, null)) over (partition by file order by line) as after_line
from (
    select *,
        last_value(if(kind in ('begin', 'end'), {'is_begin': kind = 'begin', 'line': line}, null) ignore nulls) over (
            partition by file order by line rows between unbounded preceding and 1 preceding
        ) as mark
    from (
        select file, line, text, words(text) as f,
            case
                when regexp_matches(text, '^#[\s\x0b\x1c-\x1f\x{85}\p{Z}]*begin document') then 'begin'
                when regexp_matches(text, '^#[\s\x0b\x1c-\x1f\x{85}\p{Z}]*end document') then 'end'
                when starts_with(text, '#') then 'comment'
                else 'row'
            end as kind
        from conll_text
        where not is_blank(text)
    )
);

-- is_listed: each line is an item, which two columns say: a mention, and one cluster or nothing; not the name of the
-- document again and again. In the pattern _ stands for blanks.
create or replace temp table conll_document as
select *,
    coalesce(nullif(concat_ws('; ', nullif(trim(said.name, ' ;()'), ''), nullif(said.part, '')), ''), 'document')
        as name,
    min(line) over (partition by file, name order by line rows between unbounded preceding and 1 preceding)
        as earlier_line,
    line = max(line) over (partition by file) and not is_ended as is_last_open,
    (select count(*) from conll_line as own where own.file = begun.file and begin_line = begun.line and kind = 'row')
        as n_line
from (
    select file, line, text,
        regexp_extract(
            text,
            replace(
                '^#[_]*begin document[_]*\(?(.*?)\)?[_]*;?[_]*(?:;[_]*)?(part[_]+[^_]+)?[_]*$',
                '_', '\s\x0b\x1c-\x1f\x{85}\p{Z}'
            ),
            ['name', 'part']
        ) as said
    from conll_line
    where kind = 'begin'
) as begun
join (
    select file,
        coalesce(
            bool_and(
                len(f) = 2 and (f[2] in ('-', '_', '*') or regexp_full_match(f[2], '\([^()|]+\)'))
            ) filter (kind = 'row'),
            false
        ) and count(distinct (after_line, f[1])) filter (kind = 'row' and after_line is not null)
            > count(*) filter (kind = 'begin') as is_listed,
        coalesce(max(line) filter (kind = 'end') > max(line) filter (kind = 'begin'), false) as is_ended
    from conll_line
    group by file
) using (file);

-- said is what can be read of a last column
create or replace temp table conll_row as
select *, regexp_extract(whole, '^(?:\([^()|]+\)|\([^()|]+|[^()|]+\)|\|)*') as said,
    len(regexp_replace(text, '[\s\x0b\x1c-\x1f\x{85}\p{Z}]+$', '')) - len(whole) + 1 as at_column
from (
    select own.file, begin_line, own.line, text, f[-1] as whole,
        row_number() over (partition by own.file, begin_line order by own.line) - 1 as place
    from conll_line as own
    join (select file, line as begin_line, is_listed from conll_document) using (file, begin_line)
    where kind = 'row' and not is_listed
);

-- the parts of the last columns as far as these can be read; number is that in the line
create or replace temp table conll_part as
select * exclude (parts),
    at_column
        + coalesce(sum(len(part)) over (partition by file, line order by number rows unbounded preceding), 0)
        - len(part) as part_column,
    trim(part, '()') as cluster, starts_with(part, '(') as is_open, ends_with(part, ')') as is_close
from (
    select *, unnest(parts) as part, unnest(range(1, len(parts) + 1)) as number
    from (
        select *, regexp_extract_all(said, '\([^()|]+\)|\([^()|]+|[^()|]+\)|\|') as parts
        from conll_row
    )
);

-- a mention that closes is the latest of its cluster that is open: that of its level
create or replace temp table conll_bracket as
select *, if(is_open, lead(place) over (partition by file, begin_line, cluster, level order by line, number), null)
    as last_place
from (
    select *, is_close and total < least(0, coalesce(least_before, 0)) as is_unopened,
        total - least(0, total, least_before) + if(is_open, 0, 1) as level
    from (
        select *,
            min(total) over (
                partition by file, begin_line, cluster order by line, number
                rows between unbounded preceding and 1 preceding
            ) as least_before
        from (
            select *, sum(if(is_open, 1, -1)) over (
                partition by file, begin_line, cluster order by line, number rows unbounded preceding
            ) as total
            from conll_part
            where is_open <> is_close
        )
    )
);

create or replace temp table conll_mention as
select *, first_value(cluster) over same_item as first_cluster, first_value(line) over same_item as first_line
from (
    select file, begin_line, line, number, format('{}-{}', place, if(is_close, place, last_place)) as item_id, cluster
    from (
        select * exclude (total, least_before, is_unopened, level) from conll_bracket where last_place is not null
        union all by name
        select *, place as last_place from conll_part where is_open and is_close
    )
    union all
    select file, begin_line, line, 1, f[1], if(f[2] in ('-', '_', '*'), '', trim(f[2], '()'))
    from conll_line
    join (select file, line as begin_line from conll_document where is_listed) using (file, begin_line)
    where kind = 'row'
)
join (select file, line as begin_line, name as block_id from conll_document) using (file, begin_line)
window same_item as (partition by file, begin_line, item_id order by line, number);

-- the first mention keeps an item of the gold
create or replace temp table conll_item as
select file, line, item_id, nullif(cluster, '') as cluster_id, block_id
from conll_mention
where not ($may_repeat and $is_gold) or cluster = first_cluster
order by file, begin_line, line, number
