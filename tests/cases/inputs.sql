-- what an example fills
create temp table trial (topic varchar, n integer, kind varchar, decision varchar, score double);
create temp table cluster (side varchar, topic varchar, stories varchar);
create temp table profile as select * exclude (source, profile_no), '' as base from registry.profile limit 0;
create temp table story (condition_no integer, story_no bigint, story varchar);
create schema seen;
