/*
what:   the table holds no ONTOPIC, so it judges no story
advice: Check that this is the table you mean.
*/
select file, 1 as line, 1 as at_column, null as value
from (select unnest($sound) as file)
anti join (select file from tag where element = 'ontopic' and not is_closing) using (file)
