/*
what:   no source_subset element, expected an SSD file
advice: Name the SSD file, or wrap its sets in <source_subset>.
*/
select file, 1 as line, 1 as at_column, null as value
from (select unnest($readable) as file)
anti join (select file from tag where element = 'source_subset') using (file)
