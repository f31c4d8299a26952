-- the rows of an example, number getvariable('number'), from what it filled
create or replace temp macro number() as getvariable('number');
insert into registry.condition by name select number() as condition_no, number()::varchar as condition_id,
    number() as corpus_no, 'tracking' as task, 1 as judgment_set, number() as base_condition_no,
    'majority' as mapping, 'yes' as on_topic, 0 as has_key, 0 as is_required, '' as content_sha256;
insert into registry.run by name select number() as run_no, 'r' as run_id, number() as condition_no, 'tidy' as format,
    0 as n_row, '' as content_sha256;
insert into base.subset select number(), 0, 'all', 'all';
insert into base.curve_request select number(), 0, coalesce(getvariable('all_points'), false)::integer;
insert into registry.condition_profile
    select number(), profile_no from registry.profile where list_contains(getvariable('profiles'), profile_id);
create or replace temp table block as
    select dense_rank() over (order by topic) as block_no, topic
    from (select topic from trial union select topic from cluster where side <> 'other');
insert into base.block select number(), block_no, topic, block_no, 1, 1 from block;

create or replace temp table one as
    select row_number() over (order by place, nth) as trial_no, block_no, kind, decision, score
    from (select rowid as place, *, unnest(range(n)) as nth from trial) join block using (topic);
insert into base.listed_pair select number(), block_no, trial_no, 1 from one;
insert into base.judgment select number(), 1, block_no, trial_no, 'yes' from one where kind = 'target';
insert into base.decision select number(), block_no, trial_no, 0, decision = 'yes',
    coalesce(score, (decision = 'yes')::double) from one where decision is not null;

create or replace temp table member as
    with word as (select side, topic, unnest(string_split(stories, ' ')) as word from cluster),
    span as (select *, regexp_extract(word, '([0-9]+)[.][.]', 1) as low,
        regexp_extract(word, '[.][.][A-Z]*([0-9]+)', 1) as high from word)
    select distinct side, topic, unnest(if(low = '', [word], list_transform(
        range(try_cast(low as bigint), try_cast(high as bigint) + 1), lambda place: word[1] || place))) as story
    from span;
insert into story select number(), dense_rank() over (order by story), story from (select distinct story from member);
create or replace temp table placed as
    select side, block_no, story_no from member join story using (story) left join block using (topic)
    where condition_no = number();
insert into base.segment select number(), 1, count(*) from story where condition_no = number() having count(*) > 0;
insert into base.test_segment select number(), block_no, 1 from block where topic in (from (select topic from member));
insert into base.segment_story select number(), story_no, 1 from story where condition_no = number();
insert into base.judgment select number(), 1, block_no, story_no, 'yes' from placed where side = 'truth';
insert into base.decision select number(), block_no, story_no, 1, true, 1.0 from placed where side = 'answer';
delete from trial; delete from cluster; delete from profile;
set variable all_points = false;
