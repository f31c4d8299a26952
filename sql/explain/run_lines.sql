/*
title:    Lines of a run's own file that decide about a block, and how many there are
edges:    A line belongs to a trial where it names the trial's story (both of a pair) in one of its fields, or points
          into the story: from its position in a source file to that of the next line. It belongs to the topic where
          the line, or the head of the file, names it. Of a file of several runs ($shared), each line names its run:
          RUN, or TEAM and RUN of TEAM-RUN. Of an event, its attributes too, each line begins with it, with or without
          the prefix of its year.
*/
with

field as (
    select line, text, regexp_extract_all(text, '[^\s,;"''<>=]+') as fields
    from explained_line
),

head as (
    select coalesce(min_by(fields, line), []) as titles, coalesce(titles[-1], '') as pointer
    from field
    where len(fields) > 0 and not starts_with(text, '#')
),

-- a decision on a story or a pair, and a tree, is about all topics
of_task as (
    select block = 'topic' as is_of_topic, decides_on is distinct from 'topic' as is_about_all
    from registry.task
    join registry.condition using (task)
    where condition_no = $condition_no
),

unit as (
    select unnest(cast($units as varchar[][])) as names
),

-- where each line of a file that points into the sources begins, and the next one
stretch as (
    select
        line, position, source_file,
        lead(position) over (partition by source_file order by position, line) as next_position
    from (
        select
            line, try_cast(fields[2] as double) as position,
            regexp_extract(fields[1], '([^/.]*)(\.[^/]*)?$', 1) as source_file
        from field
        where len(fields) >= 3
    )
    where position is not null
),

pointed as (
    select line
    from stretch
    join (
        select
            regexp_extract(source_file, '([^/.]*)(\.[^/]*)?$', 1) as source_file,
            case when pointer = 'recid' then begin_recid else begin_sec end as begins,
            case when pointer = 'recid' then end_recid else end_sec end as ends
        from base.story
        join base.source_file using (corpus_no, source_file_no)
        join registry.condition using (corpus_no)
        cross join head
        where condition_no = $condition_no and pointer in ('recid', 'time')
            and story_id in (select unnest(unit.names) from unit)
    ) as story on story.source_file = stretch.source_file and position <= ends
        and (next_position is null or next_position > begins)
    where begins is not null
),

chosen as (
    select line, trim(regexp_replace(text, '\s+', ' ', 'g')) as text
    from field
    cross join head
    cross join of_task
    where case
        when not is_of_topic
            then (
                fields[1] = split_part($block, '/', 1) or ends_with(split_part($block, '/', 1), '.' || fields[1])
                or ends_with(fields[1], '.' || split_part($block, '/', 1))
            ) and (not contains($block, '/') or list_contains(fields, substr($block, strpos($block, '/') + 1)))
        when is_about_all or list_contains(titles, $block) or list_contains(fields, $block)
            then (is_about_all or list_contains(titles, $block) or len($units) = 0
                or len(titles) not in (4, 5) or pointer not in ('recid', 'time', 'docno'))
            and (
                len($units) = 0 and list_contains(fields, $block)
                or line in (select line from pointed)
                or exists (select 1 from unit where list_has_all(fields, unit.names))
            )
    end
        and (
            not $shared or list_contains(fields, $run)
            or list_contains([pair[1] || '-' || pair[2] for pair in list_zip(fields, fields[2:])], $run)
        )
)

select line, text, count(*) over () as n_line
from chosen
order by line
limit $most
