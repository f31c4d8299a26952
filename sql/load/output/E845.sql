/*
title:  a story with two decisions, in two files
what:   a source file that another file of the run has answered
advice: Give each source file one block.
*/
select file, line, source as value
from output_source
semi join (select source_file as source from base.source_file where corpus_no = $corpus_no) as known using (source)
where is_repeated
