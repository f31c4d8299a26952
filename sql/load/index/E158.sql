/*
what:   training story line has {n_field} after its name, expected story, source file, begin and end
advice: Complete the line.
*/
select file, line, whole as value, if(len(f) = 2, '1 field', format('{:,} fields', len(f) - 1)) as n_field
from index_line
where $of_topics and is_comment and lower(f[1]) = 'topic_training_story' and len(f) <> 5
