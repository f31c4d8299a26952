/*
what:   From pointers to stories of the test set: what a recid or time output says about each story (mapped_decision).

A record holds from its pointer to the next one. What comes before the first
record is covered by a pseudo record at 0: no, score -1e99. A story takes from
the records that touch it

    majority   the mean score, weighted by how much of the story each record
               covers; yes when at least half of the story is under yes
    impulse    the highest score, the first of equals, and that record's decision

    record     0        100 YES      152 NO         243 ...
               |----no---|-----yes-----|-----no------|
    story           |======== 85..140 ========|          in records 1 and 2

Recids are counted (both ends of a story belong to it, length E - B + 1), times
are measured (length E - B). With time and impulse a record that begins exactly
where a story ends touches it, and so does one that ends exactly where the story
begins, unless the story evaluated before has used it up: NIST's program counts
so. A story without positions, or with an empty or reversed span, says nothing:
no, score -9e99. Scores of tracking keep 15 significant digits: the tracking
scorer of NIST hands them on as text, so that equal means stay equal; its new
event scorer does not.

NIST's program stops when fractional seconds are not added exactly; here
they are accepted, and half a story is half within 1e-12.

Source: TDT3eval v2.6 as read (Find_system_score_for_doc); the 2004 TDT evaluation plan, B.3.
*/
create or replace temp table mapped_decision as
with record as (
    select *, lead(start) over (partition by file, source order by start) as next_start
    from (
        select file, source, start, is_yes, score from output_record
        union all
        select file, source, 0, false, -1e99
        from (select distinct file, source from output_story)
        anti join (from output_record where start <= 0) using (file, source)
    )
),

-- used_up: where the stories that were evaluated before end
story as (
    select *, stop - start + if(is_time, 0, 1) as length, start + length as until,
        coalesce(length > 0, false) as is_said,
        max(if(is_said, stop, null)) over (
            partition by file, source order by story_no rows between unbounded preceding and 1 preceding
        ) as used_up
    from output_story
),

touched as (
    select file, story_no, length, record.start, is_yes, score, next_start is null or next_start > story.start
            or is_time and next_start = story.start and coalesce(story.start > used_up, true) as is_touched,
        least(coalesce(next_start, until), until) - greatest(record.start, story.start) as weight
    from story
    join record using (file, source)
    where is_said and record.start <= stop and coalesce(next_start >= story.start, true)
),

decided as (
    select file, story_no, list_reduce(list(weight * score order by start), lambda a, b: a + b) / length as score,
        list_reduce(list(if(is_yes, weight, 0) order by start), lambda a, b: a + b) / length >= 0.5 - 1e-12 as is_yes
    from touched
    where $mapping <> 'impulse' and weight > 0
    group by file, story_no, length
    union all
    select file, story_no, best.score, best.is_yes
    from (
        select file, story_no, first({'score': score, 'is_yes': is_yes} order by score desc, start) as best
        from touched
        where $mapping = 'impulse' and is_touched
        group by file, story_no
    )
)

select file, coalesce(line, 1) as line, story_id, coalesce(is_yes, false) as is_yes,
    greatest(-9e99, least(9e99, coalesce(
        if($is_by_topic, cast(format('{:.15g}', score) as double), score), -9e99))) as score
from story
join answer using (file)
left join decided using (file, story_no)
