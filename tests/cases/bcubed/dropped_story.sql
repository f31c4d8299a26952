-- Several topics of a story that is dropped do not count.
insert into cluster values ('truth', 'a', 'S1'), ('answer', 'a', 'S1 S2'), ('answer', 'b', 'S2');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;
insert into profile by name
    select 'exclude_drop' as profile_id, 'exclude' as b3_unassigned, 'drop' as b3_unjudged;

set variable profile = 'exclude_exclude';

select b3_precision from bcubed_score where weighting = 'story'
--> -

set variable profile = 'exclude_drop';

select b3_precision from bcubed_score where weighting = 'story'
--> 1
