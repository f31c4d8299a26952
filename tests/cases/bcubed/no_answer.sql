-- A run without a yes has rows and no precision: stories of no topic are left out, zero, or topics of one.
insert into cluster values ('truth', 'a', 'S1 S2');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;
insert into profile by name
    select 'drop_exclude' as profile_id, 'drop' as b3_unassigned, 'exclude' as b3_unjudged;
insert into profile by name
    select 'zero_exclude' as profile_id, 'zero' as b3_unassigned, 'exclude' as b3_unjudged;
insert into profile by name
    select 'singleton_exclude' as profile_id, 'singleton' as b3_unassigned, 'exclude' as b3_unjudged;

set variable profile = 'exclude_exclude';

select b3_precision, b3_recall, n_precision > 0, n_recall > 0 from bcubed_score where weighting = 'story'
--> - 0 0 1

set variable profile = 'drop_exclude';

select b3_precision, b3_recall, n_precision > 0, n_recall > 0 from bcubed_score where weighting = 'story'
--> - - 0 0

set variable profile = 'zero_exclude';

select b3_precision, b3_recall, n_precision > 0, n_recall > 0 from bcubed_score where weighting = 'story'
--> 0 0 1 1

set variable profile = 'singleton_exclude';

select b3_precision, b3_recall, n_precision > 0, n_recall > 0 from bcubed_score where weighting = 'story'
--> 1 1/2 1 1
