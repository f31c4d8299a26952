/*
what:   records of a source file outside the test set
advice: Leave its records out.
*/
select file, line, source as value
from output_source
where source not in (select source_file from base.source_file where corpus_no = $corpus_no)
