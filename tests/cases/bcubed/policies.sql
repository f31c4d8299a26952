-- The four policies on each side (S8 to S10 are off topic, S3, S4 and S6 unassigned):
--
-- truth    a = S1 S2 S3 S4     b = S5 S6     c = S7
-- answer   x = S1 S2 S8        y = S5        z = S7 S9      w = S10
--
-- ratio of a story          S1   S2   S3 S4   S5   S6   S7   S8 S9 S10
-- precision (its system)    2/3  2/3   -      1    -    1/2  0
-- recall (its reference)    2/4  2/4   0      1/2  0    1    -
--
-- exclude/exclude  P = (2/3 + 2/3 + 1 + 1/2) / 7 stories of the system    = 17/42
--                  R = (1/2 + 1/2 + 1/2 + 1) / 7 stories of the reference = 5/14
-- zero/zero        both over all 10 stories: 17/60 and 1/4
-- drop/drop        only S1 S2 S5 S7 are left: 1 and 1
-- singleton        S3 S4 S6 are system topics of one (1 each), S8 S9 S10 reference topics of one (1/3, 1/2 and 1 of
--                  their system topic): P = (17/6 + 3 + 1/3 + 1/2 + 1) / 10, R = (5/2 + 1/4 + 1/4 + 1/2 + 3) / 10
insert into cluster values
    ('truth', 'a', 'S1..S4'), ('truth', 'b', 'S5 S6'), ('truth', 'c', 'S7'),
    ('answer', 'x', 'S1 S2 S8'), ('answer', 'y', 'S5'), ('answer', 'z', 'S7 S9'), ('answer', 'w', 'S10');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;
insert into profile by name
    select 'drop_drop' as profile_id, 'drop' as b3_unassigned, 'drop' as b3_unjudged;
insert into profile by name
    select 'zero_zero' as profile_id, 'zero' as b3_unassigned, 'zero' as b3_unjudged;
insert into profile by name
    select 'singleton_singleton' as profile_id, 'singleton' as b3_unassigned, 'singleton' as b3_unjudged;
insert into profile by name
    select 'exclude_drop' as profile_id, 'exclude' as b3_unassigned, 'drop' as b3_unjudged;
insert into profile by name
    select 'drop_zero' as profile_id, 'drop' as b3_unassigned, 'zero' as b3_unjudged;

set variable profile = 'exclude_exclude';

select b3_precision, b3_recall, b3_f1 from bcubed_score where weighting = 'story'
--> 17/42 5/14 2*(17/42)*(5/14)/(17/42+5/14)

set variable profile = 'zero_zero';

select b3_precision, b3_recall, b3_f1 from bcubed_score where weighting = 'story'
--> 17/60 1/4 2*(17/60)*(1/4)/(17/60+1/4)

set variable profile = 'drop_drop';

select b3_precision, b3_recall, b3_f1 from bcubed_score where weighting = 'story'
--> 1 1 2*(1)*(1)/(1+1)

set variable profile = 'singleton_singleton';

select b3_precision, b3_recall, b3_f1 from bcubed_score where weighting = 'story'
--> 23/30 13/20 2*(23/30)*(13/20)/(23/30+13/20)

set variable profile = 'exclude_drop';

select b3_precision, b3_recall, b3_f1 from bcubed_score where weighting = 'story'
--> 1 5/14 2*(1)*(5/14)/(1+5/14)

set variable profile = 'drop_zero';

select b3_precision, b3_recall, b3_f1 from bcubed_score where weighting = 'story'
--> 17/42 4/7 2*(17/42)*(4/7)/(17/42+4/7)

-- figure 4, story by story
set variable profile = 'exclude_exclude';

select story, b3_precision, b3_recall, null_reason from bcubed_story order by substr(story, 2)::integer
--> S1 2/3 1/2 -
--> S2 2/3 1/2 -
--> S3 - 0 -
--> S4 - 0 -
--> S5 1 1/2 -
--> S6 - 0 -
--> S7 1/2 1 -
--> S8 0 - -
--> S9 0 - -
--> S10 0 - -

-- figure 4, story by story
set variable profile = 'zero_zero';

select story, b3_precision, b3_recall, null_reason from bcubed_story order by substr(story, 2)::integer
--> S1 2/3 1/2 -
--> S2 2/3 1/2 -
--> S3 0 0 -
--> S4 0 0 -
--> S5 1 1/2 -
--> S6 0 0 -
--> S7 1/2 1 -
--> S8 0 0 -
--> S9 0 0 -
--> S10 0 0 -

-- figure 4, story by story
set variable profile = 'singleton_singleton';

select story, b3_precision, b3_recall, null_reason from bcubed_story order by substr(story, 2)::integer
--> S1 2/3 1/2 -
--> S2 2/3 1/2 -
--> S3 1 1/4 -
--> S4 1 1/4 -
--> S5 1 1/2 -
--> S6 1 1/2 -
--> S7 1/2 1 -
--> S8 1/3 1 -
--> S9 1/2 1 -
--> S10 1 1 -

-- figure 4, story by story
set variable profile = 'drop_drop';

select story, b3_precision, b3_recall, null_reason from bcubed_story order by substr(story, 2)::integer
--> S1 1 1 -
--> S2 1 1 -
--> S5 1 1 -
--> S7 1 1 -

-- topics have the recall of the reference and the precision of the system
set variable profile = 'exclude_exclude';

select topic, b3_recall, b3_precision, n_response from bcubed_topic where topic in ('a', 'x', 'w') order by topic
--> a 4/16 - 0
--> w - 0 1
--> x - 4/9 3
