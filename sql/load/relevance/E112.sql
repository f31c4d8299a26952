/*
what:   level is not known, expected YES, BRIEF or NO
advice: Correct the level.
field:  level
*/
select file, line, at_column, f[2] as value
from (select *, f[2] as level from tag where element = 'ontopic' and not is_closing)
where level <> '' and as_level(level) is null
