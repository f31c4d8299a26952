/*
what:   neither TOPICSET nor ONTOPIC, expected a topic relevance table
advice: Name the relevance table.
*/
select file, 1 as line, 1 as at_column, null as value
from (select unnest($readable) as file)
anti join tag using (file)
